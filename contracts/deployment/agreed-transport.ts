import { custom, http, numberToHex, type Transport } from 'viem';

// What the programs for contracts believe of a chain: what all of the given nodes say alike. A node
// that lies, or is alone in what it shows, stops them instead of deciding what is sent or returned.

/** One node's JSON-RPC. */
export interface AskedNode {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

export interface AgreementTerms {
  readonly attempts: number;
  readonly pauseMs: number;
}

/** The nodes did not say the same. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError';
}

type Call = Parameters<AskedNode['request']>[0];
type Fields = Readonly<Record<string, unknown>>;

const usualTerms: AgreementTerms = { attempts: 30, pauseMs: 1_000 };
/** Nodes add fields of their own to these; what counts of them is this. */
const countedFields: Readonly<Record<string, readonly string[]>> = {
  eth_getBlockByNumber: ['number', 'hash', 'timestamp', 'baseFeePerGas'],
  eth_getTransactionReceipt: ['transactionHash', 'blockHash', 'status', 'contractAddress'],
  eth_getTransactionByHash: ['hash'],
  eth_getLogs: ['address', 'topics', 'data', 'blockHash', 'logIndex'],
  eth_getProof: ['storageHash', 'codeHash'],
};
/** Where the state is asked for, by its place in the parameters. */
const blockPlaces: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getBlockByNumber: 0,
};
const heads = new Set(['eth_blockNumber', 'eth_getTransactionCount']);
const estimates = new Set(['eth_estimateGas', 'eth_gasPrice', 'eth_maxPriorityFeePerGas']);

/** The URLs of a comma-separated list. */
export function listUrls(urls: string): readonly string[] {
  return urls.split(',').map((url) => url.trim());
}

/** The nodes of a comma-separated list as one. */
export function agreedTransport(urls: string): Transport {
  const list = listUrls(urls);
  const [only = ''] = list;
  if (list.length === 1) return http(only, { retryCount: 2 });
  // Two URLs of one host are one node, which would agree with itself.
  const hosts = new Set(list.map((url) => new URL(url).host));
  if (hosts.size < list.length) throw new Error('--rpc names a node twice');
  const nodes = list.map((url): AskedNode => http(url, { retryCount: 2 })({}));
  return custom({ request: (call: Call) => ask(nodes, call) }, { retryCount: 0 });
}

/**
 * Asks all nodes. Heads are the lowest, estimates the middle; a transaction is sent to all and one
 * acceptance is enough; everything else must be equal.
 * @throws DisagreementError, or the error of a node that does not answer
 */
export async function ask(
  nodes: readonly AskedNode[],
  call: Call,
  { attempts, pauseMs } = usualTerms,
): Promise<unknown> {
  if (call.method === 'eth_sendRawTransaction') return broadcast(nodes, call);
  for (let attempt = 1; ; attempt += 1) {
    const answers = await Promise.all(await requestsOf(nodes, call));
    if (heads.has(call.method)) return lowest(answers);
    if (estimates.has(call.method)) return middle(answers);
    if (new Set(answers.map((each) => countedText(call.method, each))).size === 1) {
      return answers[0];
    }
    if (attempt >= attempts) throw new DisagreementError(`the nodes differ in ${call.method}`);
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  }
}

async function broadcast(nodes: readonly AskedNode[], call: Call): Promise<unknown> {
  return Promise.any(nodes.map((node) => node.request(call))).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
}

// Nodes are at different heights, so the newest state is asked for at the lowest of them.
async function requestsOf(
  nodes: readonly AskedNode[],
  call: Call,
): Promise<readonly Promise<unknown>[]> {
  const place = blockPlaces[call.method];
  const params = [...((call.params ?? []) as readonly unknown[])];
  const tag = place === undefined ? undefined : params[place];
  if (place !== undefined && (tag === undefined || tag === 'latest')) {
    params[place] = lowest(await numbersOf(nodes));
  } else if (place !== undefined && (tag === 'finalized' || tag === 'safe')) {
    params[place] = lowest(await numbersOf(nodes, tag));
  }
  return nodes.map((node) => node.request({ ...call, params }));
}

function numbersOf(nodes: readonly AskedNode[], tag: string | null = null) {
  return Promise.all(
    nodes.map(async (node) => {
      if (tag === null) return node.request({ method: 'eth_blockNumber' });
      const params = [tag, false];
      const block = await node.request({ method: 'eth_getBlockByNumber', params });
      return (block as Fields | null)?.['number'];
    }),
  );
}

function sorted(answers: readonly unknown[]): readonly bigint[] {
  const numbers = answers.map((each) => {
    if (typeof each !== 'string') throw new DisagreementError('a node answers with no number');
    return BigInt(each);
  });
  return numbers.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function lowest(answers: readonly unknown[]): string {
  return numberToHex(sorted(answers)[0] ?? 0n);
}

function middle(answers: readonly unknown[]): string {
  return numberToHex(sorted(answers)[Math.floor(answers.length / 2)] ?? 0n);
}

function countedText(method: string, answer: unknown): string {
  const names = countedFields[method];
  const counted = (value: unknown) =>
    names === undefined || typeof value !== 'object' || value === null
      ? value
      : names.map((name) => (value as Fields)[name] ?? null);
  return JSON.stringify(
    Array.isArray(answer) ? answer.map(counted) : counted(answer),
  ).toLowerCase();
}
