import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { SigningKey } from '../../src/gateway/auth/signing-key.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import type { ChildServer } from '../load/child-server.ts';
import { startExchange } from '../load/exchange-service.ts';
import { runHttpLoad } from '../load/http-load.ts';
import { futuresTerms } from '../load/order-load.ts';
import { runSocketLoad } from '../load/socket-load.ts';
import { prepareFuturesTraders } from '../load/traders.ts';

// Futures orders a second through the whole service, each durable before it is answered: over
// WebSocket after one logon, with one and with several requests in flight per connection, and over
// HTTP, each signed. They are IOC orders below the market, so that the books stay as they are.

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      traders: { type: 'string', default: '16' },
      window: { type: 'string', default: '16' },
      // As npm start has it.
      node: { type: 'string', default: '--max-semi-space-size=64' },
    },
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-ws-orders-'));
  const server = await startExchange(dataDir, values.node.split(' '));
  try {
    const keys = await prepareFuturesTraders(server, Number(values.traders));
    const options = {
      durationMs: Number(values.seconds) * 1000,
      connections: Number(values.connections),
      rounds: Number(values.rounds),
    };
    const measure = (load: () => Promise<number>) => best(server, options, load);
    const http = await measure(() => overHttp(server, keys, options));
    const alone = await measure(() => overSocket(server, keys, options, 1));
    const window = Number(values.window);
    const several = await measure(() => overSocket(server, keys, options, window));
    console.log(`WebSocket, one in flight per connection: ${describe(alone)}`);
    console.log(`WebSocket, ${window} in flight per connection: ${describe(several)}`);
    console.log(`HTTP, POST /fapi/v1/order: ${describe(http)}`);
    return {
      name: 'ws-orders',
      ours: several.rate,
      peer: http.rate,
      peer_name: 'the same orders over HTTP, each signed',
      unit: 'orders/s',
    };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

interface Load {
  readonly durationMs: number;
  readonly connections: number;
}

interface Speed {
  /** Orders a second. */
  readonly rate: number;
  /** What an order costs the thread that answers it, in microseconds of processor time. */
  readonly cost: number;
}

/** The best round's rate, and the cheapest one's cost, which other programs disturb less. */
async function best(
  server: ChildServer,
  { rounds, durationMs }: { readonly rounds: number; readonly durationMs: number },
  load: () => Promise<number>,
): Promise<Speed> {
  await load();
  let most: Speed = { rate: 0, cost: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round += 1) {
    const before = server.mainThreadSeconds;
    const rate = await load();
    const seconds = server.mainThreadSeconds - before;
    const cost = (seconds * 1e6) / ((rate * durationMs) / 1000);
    most = { rate: Math.round(Math.max(most.rate, rate)), cost: Math.min(most.cost, cost) };
  }
  return most;
}

function describe({ rate, cost }: Speed): string {
  return `${rate} orders/s, ${cost.toFixed(1)} us of the answering thread an order`;
}

async function overHttp(
  server: ChildServer,
  keys: readonly ApiKeyPair[],
  load: Load,
): Promise<number> {
  const signers = keys.map(({ apiKey, apiSecret }) => ({ apiKey, key: new SigningKey(apiSecret) }));
  const fields = new URLSearchParams(futuresTerms).toString();
  let count = 0;
  const { requestsPerSecond, refusal } = await runHttpLoad({
    ...load,
    port: server.port,
    nextRequest: (connection) => {
      const signer = signers[connection % signers.length];
      if (signer === undefined) throw new Error('a load needs traders');
      count += 1;
      // Two like orders of one millisecond would be one order, sent twice.
      const query = `${fields}&recvWindow=${count}&timestamp=${Date.now()}`;
      return (
        `POST /fapi/v1/order?${query}&signature=${signer.key.sign(query)} HTTP/1.1\r\n` +
        `host: 127.0.0.1\r\nx-mbx-apikey: ${signer.apiKey}\r\ncontent-length: 0\r\n\r\n`
      );
    },
  });
  if (refusal !== null) throw new Error(refusal);
  return requestsPerSecond;
}

async function overSocket(
  server: ChildServer,
  keys: readonly ApiKeyPair[],
  load: Load,
  window: number,
): Promise<number> {
  const request = JSON.stringify({ id: 1, method: 'order.place', params: futuresTerms });
  const { answersPerSecond, refusal } = await runSocketLoad({
    ...load,
    window,
    url: `ws://127.0.0.1:${server.port}/ws-fapi/v1`,
    hello: (connection) => logOn(keys[connection % keys.length]),
    nextRequest: () => request,
  });
  if (refusal !== null) throw new Error(refusal);
  return answersPerSecond;
}

function logOn(pair: ApiKeyPair | undefined): object {
  if (pair === undefined) throw new Error('a load needs traders');
  const { apiKey, apiSecret } = pair;
  const timestamp = Date.now();
  const signature = new SigningKey(apiSecret).sign(`apiKey=${apiKey}&timestamp=${timestamp}`);
  return { id: 0, method: 'session.logon', params: { apiKey, timestamp, signature } };
}

export const benchmark: Benchmark = {
  name: 'ws-orders',
  summary: 'futures orders a second over WebSocket and over HTTP, each durable before its answer',
  run,
};
