import type { FinalTag } from './chain-node.ts';
import { ChainRpcError, createJsonRpc, type JsonRpc } from './json-rpc.ts';

export interface BlockTagQuestion {
  readonly urls: readonly string[];
  /** How many of the providers have to agree on a block. */
  readonly quorum: number;
  readonly tag: FinalTag;
  /** A provider that takes longer counts as unreachable. */
  readonly timeoutMs?: number;
}

/** The providers cannot work with the block tag of the manifest, however long one waits. */
export class BlockTagError extends Error {
  override readonly name = 'BlockTagError';
}

const usualTimeoutMs = 3_000;
/** Invalid parameters and unknown methods, by the codes of JSON-RPC. */
const refusalCodes: ReadonlySet<number> = new Set([-32_602, -32_601]);
// Nodes that have no final block yet, for example since they are new, answer `block not found`.
const refusalWords = /unknown block tag|(un|not )supported|invalid (block|tag|argument|param)/i;

/**
 * Asks each provider for the tag. One that does not answer, or knows no such block yet, may do so
 * later and refuses nothing.
 * @throws BlockTagError if too few are left that can ever know the tag
 */
export async function requireBlockTag(question: BlockTagQuestion): Promise<void> {
  const { urls, quorum, tag, timeoutMs = usualTimeoutMs } = question;
  const answers = await Promise.all(
    urls.map((url) =>
      refusesTag(createJsonRpc({ url, timeoutMs, failuresMax: 2, pauseMs: timeoutMs }), tag),
    ),
  );
  // Named by their position in the setting: an address may contain a key.
  const refusing = answers.flatMap((refuses, index) => (refuses ? [`provider ${index + 1}`] : []));
  if (urls.length - refusing.length >= quorum) return;
  throw new BlockTagError(
    `too few providers support the block tag ${tag} that the manifest requires: ` +
      `${refusing.join(', ')} of ${urls.length} refused it, and ${quorum} have to agree`,
  );
}

async function refusesTag(rpc: JsonRpc, tag: FinalTag): Promise<boolean> {
  const asks = async (block: string): Promise<'known' | 'refused' | 'silent'> => {
    try {
      await rpc.call('eth_getBlockByNumber', [block, false]);
      return 'known';
    } catch (error) {
      return error instanceof ChainRpcError && isRefusal(error) ? 'refused' : 'silent';
    }
  };
  // A provider that refuses every block has another fault, which can pass.
  return (await asks(tag)) === 'refused' && (await asks('latest')) === 'known';
}

function isRefusal({ code, message }: ChainRpcError): boolean {
  return refusalCodes.has(code) || refusalWords.test(message);
}
