import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Hex, keccak256, numberToHex } from 'viem';
import type { SignerHead } from '../../application/ports/signer-log.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toHexAddress } from '../evm-values.ts';
import { releaseTypedData, rewardTypedData } from '../typed-data.ts';
import type { ChainSigner, TransactionDraft } from './chain-signer.ts';
import { checkedSigner } from './checked-signer.ts';

// A key behind JSON-RPC, with the methods of Web3Signer's eth1 mode and of this project's own
// signer process: eth_signTypedData and eth_signTransaction. The answer is checked here in either
// case.

export interface RemoteSignerOptions {
  /** http, https, or unix:/path of a socket. */
  readonly url: string;
  readonly address: Address;
  /** Sent as a bearer token; null for a socket whose file permissions control access. */
  readonly token: string | null;
  readonly timeoutMs?: number;
  /** Called with the length of the signer's log at each signature, before the signature is used. */
  readonly noteHead?: ((head: SignerHead) => Promise<void>) | undefined;
}

/** The signer could not be reached, or refused; the message is its own, without the request. */
export class SignerRefusedError extends Error {
  override readonly name = 'SignerRefusedError';
  /** The signer's own reason; null if it did not answer. */
  readonly refusal: string | null;

  constructor(message: string, refusal: string | null = null) {
    super(message);
    this.refusal = refusal;
  }
}

const usualTimeoutMs = 10_000;
const reachableTimeoutMs = 2_000;
const answerBytesMax = 1_000_000;

export function createRemoteSigner(options: RemoteSignerOptions): ChainSigner {
  const { address } = options;
  const from = toHexAddress(address);
  const ask = (method: string, params: readonly unknown[]) => call(options, method, params);
  return checkedSigner({
    address,
    signReward: (domain, voucher) =>
      ask('eth_signTypedData', [from, jsonOf(rewardTypedData(domain, voucher))]),
    signRelease: (domain, voucher, approval) =>
      ask('eth_signTypedData', [
        from,
        jsonOf(releaseTypedData(domain, voucher)),
        ...(approval === undefined ? [] : [approval]),
      ]),
    isReachable: () => holdsKey(options),
    findLogHead: (signatures) => findLogHead(options, signatures),
    signTransaction: async (chainId, draft) => {
      const bytes = await ask('eth_signTransaction', [transactionOf(from, chainId, draft)]);
      return { hash: keccak256(bytes), bytes };
    },
  });
}

// Only this project's own signer knows the method.
async function findLogHead(
  options: RemoteSignerOptions,
  signatures: number,
): Promise<string | null | undefined> {
  const probe = { ...options, timeoutMs: reachableTimeoutMs };
  const { log } = await request(probe, 'health', []);
  if (log === undefined) return undefined;
  const { result } = await request(probe, 'log_head', [signatures]);
  return typeof result === 'string' ? result : null;
}

/** Whether the signer answers and holds the key of the address. */
async function holdsKey(options: RemoteSignerOptions): Promise<boolean> {
  try {
    const probe = { ...options, timeoutMs: reachableTimeoutMs };
    const { result: accounts } = await request(probe, 'eth_accounts', []);
    const isOurs = (each: unknown) =>
      typeof each === 'string' && each.toLowerCase() === options.address;
    return Array.isArray(accounts) && accounts.some(isOurs);
  } catch (error) {
    if (error instanceof SignerRefusedError) return false;
    throw error;
  }
}

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

// JSON has no 256-bit numbers; signers accept them as decimal text.
function jsonOf(data: ReturnType<typeof rewardTypedData> | ReturnType<typeof releaseTypedData>) {
  return {
    domain: data.domain,
    primaryType: data.primaryType,
    types: { EIP712Domain: domainType, ...data.types },
    message: Object.fromEntries(
      Object.entries(data.message).map(([name, value]) => [name, String(value)]),
    ),
  };
}

function transactionOf(from: Hex, chainId: number, draft: TransactionDraft) {
  return {
    from,
    to: toHexAddress(draft.to),
    data: draft.data,
    value: '0x0',
    chainId: numberToHex(chainId),
    nonce: numberToHex(draft.nonce),
    gas: numberToHex(draft.gasLimit),
    maxFeePerGas: numberToHex(draft.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(draft.maxPriorityFeePerGas),
  };
}

async function call(
  options: RemoteSignerOptions,
  method: string,
  params: readonly unknown[],
): Promise<Hex> {
  const { result, log } = await request(options, method, params);
  if (log !== undefined) await options.noteHead?.(log);
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/i.test(result)) {
    throw new SignerRefusedError('the signer gave an invalid answer');
  }
  return result as Hex;
}

async function request(
  options: RemoteSignerOptions,
  method: string,
  params: readonly unknown[],
): Promise<Pick<RpcAnswer, 'result' | 'log'>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params });
  const { result, log, error } = parsed(await post(options, body));
  if (error === undefined) return { result, log: isHead(log) ? log : undefined };
  const reason = error.message ?? 'no reason';
  throw new SignerRefusedError(`the signer refuses: ${reason}`, reason);
}

interface RpcAnswer {
  readonly result?: unknown;
  /** Of this project's own signer: how far its log is. */
  readonly log?: SignerHead | undefined;
  readonly error?: { readonly message?: string };
}

function isHead(log: unknown): log is SignerHead {
  if (typeof log !== 'object' || log === null) return false;
  const { head, signatures } = log as Partial<SignerHead>;
  return typeof head === 'string' && Number.isSafeInteger(signatures);
}

function parsed(text: string): RpcAnswer {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below with the same message.
  }
  throw new SignerRefusedError('the signer gave an invalid answer');
}

function post({ url, token, timeoutMs = usualTimeoutMs }: RemoteSignerOptions, body: string) {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new SignerRefusedError(`the signer ${reason}`));
    // A new connection each time: a kept connection is dead once the signer has restarted.
    const common = {
      agent: false as const,
      method: 'POST',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    };
    const request = url.startsWith('unix:')
      ? httpRequest({ ...common, socketPath: url.slice('unix:'.length), path: '/' })
      : url.startsWith('https:')
        ? httpsRequest(url, common)
        : httpRequest(url, common);
    request.on('error', (error) => {
      fail(error.name === 'AbortError' ? 'does not answer' : `cannot be reached: ${error.message}`);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > answerBytesMax) request.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(`broke off: ${error.message}`));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else fail(`answers with status ${response.statusCode ?? 'none'}`);
      });
    });
    request.end(body);
  });
}
