import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import { attachStreams } from '../../src/gateway/ws/attach-streams.ts';
import { systemStreamClock } from '../../src/gateway/ws/stream-clock.ts';
import { defaultStreamLimits } from '../../src/gateway/ws/stream-limits.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { Crowd, nextTurn } from '../fanout/crowd.ts';
import { PublishedExchange } from '../fanout/published-exchange.ts';

// Depth updates of 2 KB to 1,000 sockets. Ours: the whole way of the streams, from durable events
// through mirror, difference, one frame and the hub to the sockets. Peer: `ws` sends the same text
// to each client. Both wait for slow receivers instead of piling up; receivers are another process.

const socketCount = 1_000;
const durationMs = 3_000;
const repetitions = 3;

interface Fleet {
  readonly server: Server;
  /** Sends one message of each market to every socket. */
  publishRound(): void;
  backlogBytes(): Promise<number>;
  close(): Promise<void>;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

const neverAsked = (): never => {
  throw new Error('nobody signs in to this benchmark');
};

async function startOurs(exchange: PublishedExchange): Promise<Fleet> {
  const server = createServer();
  const metrics = new Registry();
  const streams = attachStreams({
    server,
    exchange,
    balanceFeed: { subscribe: () => () => {} },
    vip: { feed: { subscribe: () => () => {} }, store: { load: neverAsked } },
    events: { subscribe: () => () => {}, listNewest: neverAsked },
    futuresHistory: null,
    spotCandles: null,
    limiter: null,
    orderEntry: null,
    history: null,
    perpetualHistory: null,
    verifyToken: async () => null,
    isSessionEnded: () => false,
    listenKeys: null,
    trustedProxies: [],
    allowedOrigins: [],
    clock: systemStreamClock,
    // Rounds follow each other at once: the benchmark looks for the maximum that can be sent.
    limits: { ...defaultStreamLimits, flushIntervalMs: 0, flushPauseRatio: 0 },
    log: { warn: console.error, error: console.error },
    metrics,
  });
  const backlog = metrics.getSingleMetric('ws_backlog_bytes');
  return {
    server,
    publishRound: () => exchange.publishRound(),
    backlogBytes: async () => (await backlog?.get())?.values[0]?.value ?? 0,
    close: async () => {
      await streams.close();
      await closeServer(server);
    },
  };
}

async function startPeer(texts: readonly string[]): Promise<Fleet> {
  const server = createServer();
  const clients = new Set<WebSocket>();
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false });
  webSockets.on('connection', (client) => clients.add(client));
  return {
    server,
    publishRound: () => {
      for (const text of texts) for (const client of clients) client.send(text);
    },
    backlogBytes: async () => {
      let bytes = 0;
      for (const client of clients) bytes += client.bufferedAmount;
      return bytes;
    },
    close: async () => {
      for (const client of clients) client.terminate();
      await closeServer(server);
    },
  };
}

/** Messages a second, from the first round until the last message has arrived. */
async function measure(
  fleet: Fleet,
  requests: readonly string[],
  marketCount: number,
): Promise<number> {
  const crowd = await Crowd.gather({ port: await listen(fleet.server), socketCount, requests });
  // Each request was answered with `subscribed` and a snapshot.
  const before = requests.length * 2 * socketCount;
  await crowd.waitFor(before);
  const startedAt = performance.now();
  let rounds = 0;
  while (performance.now() - startedAt < durationMs) {
    fleet.publishRound();
    rounds += 1;
    do await nextTurn();
    while ((await fleet.backlogBytes()) > 0);
  }
  const messageCount = rounds * marketCount * socketCount;
  await crowd.waitFor(before + messageCount);
  const seconds = (performance.now() - startedAt) / 1_000;
  await crowd.leave();
  await fleet.close();
  return messageCount / seconds;
}

async function sampleTexts(marketCount: number): Promise<readonly string[]> {
  const quantity = '123450.0001';
  const side = (first: number) =>
    Array.from(
      { length: 30 },
      (_, level) => `["${(first + level / 10_000).toFixed(4)}","${quantity}"]`,
    );
  return Array.from(
    { length: marketCount },
    (_, index) =>
      `{"type":"update","channel":"orderbook","symbol":"M${index}USDT","market":"spot",` +
      '"seq":100000,"prev_seq":99999,"last_update_id":6000000,"ts":1767571200000,' +
      `"data":{"bids":[${side(64_000.1205).join(',')}],"asks":[${side(64_000.1235).join(',')}]}}`,
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function compare(marketCount: number): Promise<{ ours: number; peer: number }> {
  const texts = await sampleTexts(marketCount);
  const ours: number[] = [];
  const peer: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const exchange = new PublishedExchange(marketCount);
    const requests = exchange.symbols.map((symbol) =>
      JSON.stringify({ type: 'subscribe', channel: 'orderbook', symbol }),
    );
    ours.push(await measure(await startOurs(exchange), requests, marketCount));
    peer.push(await measure(await startPeer(texts), [], marketCount));
  }
  const result = { ours: Math.round(median(ours)), peer: Math.round(median(peer)) };
  const [text = ''] = texts;
  console.log(
    `${marketCount} market(s) a socket, ${text.length} bytes a message: ours ${result.ours}/s, ` +
      `ws send ${result.peer}/s, ratio ${(result.ours / result.peer).toFixed(2)}`,
  );
  return result;
}

async function run(): Promise<BenchmarkResult> {
  await compare(1);
  const { ours, peer } = await compare(4);
  return { name: 'fanout', ours, peer, peer_name: 'ws send of the same text', unit: 'messages/s' };
}

export const benchmark: Benchmark = {
  name: 'fanout',
  summary: 'depth updates of 2 KB to 1,000 sockets, against ws sending the text to each client',
  run,
};
