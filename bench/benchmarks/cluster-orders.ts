import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import type { ChildServer } from '../load/child-server.ts';
import { connectWhenReady, startExchange } from '../load/exchange-service.ts';
import { runHttpLoad } from '../load/http-load.ts';
import { findOwner, LocalCluster } from '../load/local-cluster.ts';
import { futuresOrders, OrderLoad } from '../load/order-load.ts';
import { prepareFuturesTraders } from '../load/traders.ts';

// What an order costs in a cluster of three processes whose clients are all at the two that do not
// own the exchange, against the same orders at a process alone. PostgreSQL counts on neither side.

const processes = 3;
const traders = 8;
const nodeOptions = ['--max-semi-space-size=64'];

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  /** Orders in flight, at all processes together. */
  readonly connections: number;
  /** For the owner's Node, for example --cpu-prof. */
  readonly ownerOptions: readonly string[];
  /** The same for the other processes. */
  readonly othersOptions: readonly string[];
}

interface Cost {
  readonly orders: number;
  readonly seconds: number;
  /** Microseconds of processor an order. */
  readonly owner: number;
  readonly all: number;
  readonly nats: number;
  /** JetStream messages an order. */
  readonly messages: number;
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '128' },
      node: { type: 'string', default: '' },
      others: { type: 'string', default: '' },
    },
  });
  return {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
    ownerOptions: wordsOf(values.node),
    othersOptions: wordsOf(values.others),
  };
}

function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const options = readOptions(words);
  const alone = await measureAlone(options);
  const together = await measureCluster(options);
  const ours = middle(together, ({ all }) => all);
  const peer = middle(alone, ({ all }) => all);
  console.log(
    `owner ${middle(together, ({ owner }) => owner).toFixed(1)} us an order, all processes and ` +
      `NATS ${ours.toFixed(1)} us (NATS ${middle(together, ({ nats }) => nats).toFixed(1)}), ` +
      `a process alone ${peer.toFixed(1)} us; ` +
      `${middle(together, ({ messages }) => messages).toFixed(3)} JetStream messages an order`,
  );
  return {
    name: 'cluster-orders',
    ours: Number(ours.toFixed(1)),
    peer: Number(peer.toFixed(1)),
    peer_name: 'one process alone',
    unit: 'us of processor an order',
  };
}

async function measureAlone(options: Options): Promise<readonly Cost[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-alone-'));
  const server = await startExchange(folder, nodeOptions);
  try {
    const load = new OrderLoad(futuresOrders, await prepareFuturesTraders(server, traders));
    const costs: Cost[] = [];
    for (let round = 0; round <= options.rounds; round += 1) {
      await server.quiet();
      const before = server.cpuSeconds.total;
      const { answered, seconds } = await sendOrders([server], [load], options);
      // What was answered is still to be projected, as in the cluster.
      await server.quiet();
      const all = microseconds(server.cpuSeconds.total - before, answered);
      if (round > 0)
        costs.push({ orders: answered, seconds, owner: all, all, nats: 0, messages: 0 });
      report(round, 'alone', { orders: answered, seconds, owner: all, all, nats: 0, messages: 0 });
    }
    return costs;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function measureCluster(options: Options): Promise<readonly Cost[]> {
  const cluster = await LocalCluster.open(processes);
  const members: ChildServer[] = [];
  try {
    // The first one becomes the owner.
    members.push(await cluster.start(0, [...nodeOptions, ...options.ownerOptions]));
    (await connectWhenReady(members[0]!)).close();
    const others = [...nodeOptions, ...options.othersOptions];
    for (const number of [1, 2]) members.push(await cluster.start(number, others));
    for (const member of members) (await connectWhenReady(member)).close();
    const keys = await prepareFuturesTraders(members[0]!, traders);
    const owner = await findOwner(members);
    const gateways = members.filter((_, index) => index !== owner);
    const loads = gateways.map((_, index) => new OrderLoad(futuresOrders, ofGateway(keys, index)));
    const costs: Cost[] = [];
    for (let round = 0; round <= options.rounds; round += 1) {
      for (const member of members) await member.quiet();
      const cost = await measureRound(cluster, { members, owner, gateways, loads }, options);
      if (round > 0) costs.push(cost);
      report(round, 'cluster', cost);
    }
    return costs;
  } finally {
    await Promise.all(members.map((member) => member.stop()));
    await cluster.close();
  }
}

interface Parts {
  readonly members: readonly ChildServer[];
  readonly owner: number;
  readonly gateways: readonly ChildServer[];
  readonly loads: readonly OrderLoad[];
}

async function measureRound(
  cluster: LocalCluster,
  { members, owner, gateways, loads }: Parts,
  options: Options,
): Promise<Cost> {
  const cpuOf = (): readonly number[] => members.map(({ cpuSeconds }) => cpuSeconds.total);
  const [messages, nats, cpu] = [await cluster.countMessages(), cluster.natsCpuSeconds, cpuOf()];
  const { answered, seconds } = await sendOrders(gateways, loads, options);
  for (const member of members) await member.quiet();
  const used = cpuOf().map((total, index) => total - cpu[index]!);
  const natsUsed = cluster.natsCpuSeconds - nats;
  const sum = used.reduce((total, each) => total + each, natsUsed);
  return {
    orders: answered,
    seconds,
    owner: microseconds(used[owner]!, answered),
    all: microseconds(sum, answered),
    nats: microseconds(natsUsed, answered),
    messages: ((await cluster.countMessages()) - messages) / answered,
  };
}

async function sendOrders(
  servers: readonly ChildServer[],
  loads: readonly OrderLoad[],
  { seconds, connections }: Options,
): Promise<{ readonly answered: number; readonly seconds: number }> {
  const each = Math.ceil(connections / servers.length);
  const results = await Promise.all(
    servers.map(({ port }, index) => {
      const load = loads[index]!;
      load.prepare(each, 0);
      const nextRequest = (connection: number): string => load.nextRequest(connection);
      return runHttpLoad({ port, connections: each, durationMs: seconds * 1_000, nextRequest });
    }),
  );
  const refusal = results.find((result) => result.refusal !== null)?.refusal ?? null;
  if (refusal !== null) throw new Error(`an order was refused: ${refusal}`);
  return { answered: results.reduce((sum, { answered }) => sum + answered, 0), seconds };
}

// No two gateways sign the same order.
function ofGateway(keys: readonly ApiKeyPair[], index: number): readonly ApiKeyPair[] {
  return keys.filter((_, number) => number % 2 === index);
}

function report(round: number, name: string, cost: Cost): void {
  const { orders, seconds, owner, all, nats, messages } = cost;
  console.log(
    `${round === 0 ? 'warm-up ' : ''}${name}: ${Math.round(orders / seconds)} orders/s, owner ` +
      `${owner.toFixed(1)} us, all ${all.toFixed(1)} us, NATS ${nats.toFixed(1)} us, ` +
      `${messages.toFixed(3)} messages an order`,
  );
}

function microseconds(seconds: number, orders: number): number {
  return (seconds / orders) * 1e6;
}

function middle(costs: readonly Cost[], figureOf: (cost: Cost) => number): number {
  const sorted = costs.map(figureOf).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export const benchmark: Benchmark = {
  name: 'cluster-orders',
  summary: 'processor time of an order in a cluster against a process alone',
  run,
};
