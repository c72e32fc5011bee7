import type { AccountNonce } from '../../application/ports/chain.ts';
import { asChainError } from '../chain-connection.ts';
import type { BlockSelector, ChainNode } from '../node/chain-node.ts';

/** An account's next nonce in the contract at the newest block, and that block's time. */
export function loadAccountNonce(
  node: ChainNode,
  readNonce: (at: BlockSelector) => Promise<bigint>,
): Promise<AccountNonce> {
  return asChainError(async () => {
    const head = await node.loadHead();
    const nonce = await readNonce({ blockHash: head.hash });
    return { nonce: Number(nonce), blockSeconds: head.timestamp };
  });
}
