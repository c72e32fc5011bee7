import { Type } from 'typebox';
import { ChainError } from '../../../application/ports/chain.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import type { ChainInfoPorts } from './get-chain-info.ts';

// The methods that a wallet inside a page needs. anvil_setBalance gives it coins for gas, which are
// worth nothing; no other method of the development chain is allowed.
const forwardedMethods = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_sendRawTransaction',
  'anvil_setBalance',
] as const;

const answerMsMax = 5_000;
const answerLengthMax = 256 * 1024;

interface NodeReply {
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

async function askNode(rpcUrl: string, method: string, params: readonly unknown[]) {
  try {
    const reply = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await reply.text();
    if (text.length > answerLengthMax) throw new Error('the answer is too long');
    return JSON.parse(text) as NodeReply;
  } catch (cause) {
    throw new ChainError('the development chain did not answer', { cause });
  }
}

/** Forwards a wallet's request to the development chain, which pages cannot reach themselves. */
export function forwardToNode({ chainInfo }: ChainInfoPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/chain/rpc',
    tag: 'Chain',
    summary: "Call the development chain's node",
    description:
      'For wallets in a page, which cannot reach other origins. Available only if the exchange runs ' +
      `its own development chain, otherwise NOT_FOUND. Methods: ${forwardedMethods.join(', ')}.`,
    weight: 5,
    auth: anyone,
    body: strictObject({
      method: Type.Enum([...forwardedMethods], { description: 'One of the methods above' }),
      params: Type.Array(Type.Unknown(), {
        description: 'The parameters of the JSON-RPC call',
        maxItems: 4,
        examples: [[]],
      }),
    }),
    answer: strictObject({
      result: Type.Unknown({ description: "The node's response", examples: ['0x7a69'] }),
    }),
    reasons: ['path_not_found', 'parameter_invalid', 'chain_failed'],
    handle: async ({ body }) => {
      const { rpcUrl } = chainInfo();
      if (rpcUrl === null) return { kind: 'failed', failure: { reason: 'path_not_found' } };
      const { result, error } = await askNode(rpcUrl, body.method, body.params);
      if (error === undefined) return done({ result: result ?? null });
      const detail = `params: ${(error.message ?? 'refused').slice(0, 200)}`;
      return refused({ reason: 'parameter_invalid', detail });
    },
  });
}
