import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { ChildServer } from '../load/child-server.ts';
import { connectWhenReady, startExchange } from '../load/exchange-service.ts';
import { type LoadResult, runHttpLoad } from '../load/http-load.ts';
import { futuresOrders, OrderLoad, spotOrders } from '../load/order-load.ts';
import { prepareFuturesTraders, prepareSpotTraders } from '../load/traders.ts';

// Signed orders a second through the whole service, each durable before it is answered, against a
// bare node:http server that only verifies the same HMAC. Both run as separate processes and take
// the same requests from the same generator, in turns, on the same machine.

const memoryFolder = '/dev/shm';
const preparedPerSecond = 50_000;

const markets = {
  // Orders rest until the round ends, and an account may have a thousand of them open.
  spot: { kind: spotOrders, prepareTraders: prepareSpotTraders, traders: 256 },
  futures: { kind: futuresOrders, prepareTraders: prepareFuturesTraders, traders: 8 },
};

const allJournals = ['disk', 'memory'] as const;
type Journal = (typeof allJournals)[number];

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly traders: number;
  readonly market: keyof typeof markets;
  readonly journals: readonly Journal[];
  /** For the service's Node, for example --cpu-prof. */
  readonly nodeOptions: readonly string[];
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '128' },
      traders: { type: 'string' },
      market: { type: 'string', default: 'spot' },
      journal: { type: 'string', default: 'disk' },
      // As npm start has it.
      node: { type: 'string', default: '--max-semi-space-size=64' },
    },
  });
  const market = values.market === 'futures' ? 'futures' : 'spot';
  return {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
    traders: Number(values.traders ?? markets[market].traders),
    market,
    journals: allJournals.filter((each) => values.journal === each || values.journal === 'both'),
    nodeOptions: values.node.split(' '),
  };
}

interface Contestant {
  readonly name: string;
  readonly server: ChildServer;
  readonly rounds: Round[];
}

interface Round extends LoadResult {
  /** What the thread that answers requests has used of the processor for each order. */
  readonly mainMicroseconds: number;
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const options = readOptions(words);
  const services: RunningService[] = [];
  try {
    for (const journal of options.journals) services.push(await openService(options, journal));
    const [first] = services;
    if (first === undefined) throw new Error('--journal is disk, memory or both');
    const pairs = first.keys.map(({ apiKey, apiSecret }) => [apiKey, apiSecret]);
    const peer = await ChildServer.start(new URL('../peers/hmac-server.ts', import.meta.url), {
      BENCH_KEYS: JSON.stringify(pairs),
    });
    try {
      return await compete(options, services, {
        name: 'bare HMAC server',
        server: peer,
        rounds: [],
      });
    } finally {
      await peer.stop();
    }
  } finally {
    for (const { close } of services) await close();
  }
}

interface RunningService {
  readonly contestant: Contestant;
  readonly keys: readonly ApiKeyPair[];
  readonly close: () => Promise<void>;
}

async function openService(options: Options, journal: Journal): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-orders-'));
  const memoryDir = journal === 'memory' ? await journalInMemory(dataDir) : null;
  const server = await startExchange(dataDir, options.nodeOptions);
  const keys = await markets[options.market].prepareTraders(server, options.traders);
  return {
    contestant: { name: `openbourse, journal on ${journal}`, server, rounds: [] },
    keys,
    close: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true });
      if (memoryDir !== null) await rm(memoryDir, { recursive: true });
    },
  };
}

async function journalInMemory(dataDir: string): Promise<string> {
  const memoryDir = await mkdtemp(join(memoryFolder, 'openbourse-orders-'));
  await mkdir(dataDir, { recursive: true });
  await symlink(memoryDir, join(dataDir, 'journal'));
  return memoryDir;
}

async function compete(
  options: Options,
  services: readonly RunningService[],
  peer: Contestant,
): Promise<BenchmarkResult> {
  const runs = services.map(({ contestant, keys }) => ({
    contestant,
    load: new OrderLoad(markets[options.market].kind, keys),
  }));
  const [first] = runs;
  if (first === undefined) throw new Error('nobody competes');
  const all = [{ contestant: peer, load: first.load }, ...runs];
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const { contestant, load } of all) {
      await contestant.server.quiet();
      await runRound(contestant, options, load, round === 0);
      if (contestant !== peer) await cancelAll(contestant, load);
    }
  }
  const bareMain = median(peer.rounds, mainOf);
  for (const { name, rounds } of [peer, ...runs.map((each) => each.contestant)]) {
    const main = median(rounds, mainOf);
    console.log(
      `${name}: ${Math.round(median(rounds, rateOf))} orders/s, ${main.toFixed(1)} us of its ` +
        `main thread each, ${(main / bareMain).toFixed(2)} times the bare server's`,
    );
  }
  return resultOf(
    first.contestant,
    runs[1]?.contestant ?? peer,
    runs.length > 1
      ? 'the same with its journal in memory'
      : 'a bare node:http server that only verifies the HMAC',
  );
}

function resultOf(ours: Contestant, peer: Contestant, peerName: string): BenchmarkResult {
  return {
    name: 'orders',
    ours: Math.round(median(ours.rounds, rateOf)),
    peer: Math.round(median(peer.rounds, rateOf)),
    peer_name: peerName,
    unit: 'signed orders/s',
  };
}

async function runRound(
  contestant: Contestant,
  { connections, seconds }: Options,
  load: OrderLoad,
  isWarmUp: boolean,
): Promise<void> {
  const { name, server, rounds } = contestant;
  load.prepare(connections, Math.ceil((seconds * preparedPerSecond) / connections));
  const cpuBefore = server.cpuSeconds.total;
  const mainBefore = server.mainThreadSeconds;
  const result = await runHttpLoad({
    port: server.port,
    connections,
    durationMs: seconds * 1000,
    nextRequest: (connection) => load.nextRequest(connection),
  });
  if (result.refusal !== null) throw new Error(`${name} refused an order: ${result.refusal}`);
  const cpu = ((server.cpuSeconds.total - cpuBefore) / result.answered) * 1e6;
  const main = ((server.mainThreadSeconds - mainBefore) / result.answered) * 1e6;
  if (!isWarmUp) rounds.push({ ...result, mainMicroseconds: main });
  const { requestsPerSecond, p50Ms, p99Ms } = result;
  console.log(
    `${isWarmUp ? 'warm-up ' : ''}${name}: ${Math.round(requestsPerSecond)} orders/s, ` +
      `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpu.toFixed(1)} us of CPU each, ` +
      `${main.toFixed(1)} of them on the main thread`,
  );
}

async function cancelAll({ server }: Contestant, load: OrderLoad): Promise<void> {
  const connection = await connectWhenReady(server);
  await load.cancelAll(connection);
  connection.close();
}

const rateOf = ({ requestsPerSecond }: Round): number => requestsPerSecond;
const mainOf = ({ mainMicroseconds }: Round): number => mainMicroseconds;

function median(rounds: readonly Round[], figureOf: (round: Round) => number): number {
  const sorted = rounds.map(figureOf).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const benchmark: Benchmark = {
  name: 'orders',
  summary: 'signed, durable orders/s of the whole service against a bare HMAC server',
  run,
};
