import { parseArgs } from 'node:util';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import type { ChildServer } from '../load/child-server.ts';
import { connectWhenReady } from '../load/exchange-service.ts';
import { runHttpLoad } from '../load/http-load.ts';
import { LocalCluster } from '../load/local-cluster.ts';
import { futuresOrders, OrderLoad } from '../load/order-load.ts';
import { prepareFuturesTraders } from '../load/traders.ts';

// How long a process with an empty folder takes until it is ready, beside two that have traded for
// a while as fast as they can. It is to depend on the state and on the commands since the last
// snapshot, not on the history.

const traders = 8;
const connections = 64;
const nodeOptions = ['--max-semi-space-size=64'];
const sliceMs = 2_000;
const firstJoiner = 2;
/** Seconds. */
const target = 20;

interface Options {
  /** The lengths of history, in commands, after which processes join. */
  readonly histories: readonly number[];
  readonly joins: number;
  readonly snapshotEvery: string;
  readonly snapshotStore: string;
}

interface JoinTime {
  readonly commands: number;
  readonly seconds: number;
  /** The command of the snapshot that it began with; 0 if it read the whole log. */
  readonly snapshot: number;
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      histories: { type: 'string', default: '250000,1000000' },
      joins: { type: 'string', default: '2' },
      'snapshot-every': { type: 'string', default: '100000' },
      'snapshot-store': { type: 'string', default: 'jetstream' },
    },
  });
  return {
    histories: values.histories.split(',').map(Number),
    joins: Number(values.joins),
    snapshotEvery: values['snapshot-every'],
    snapshotStore: values['snapshot-store'],
  };
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const options = readOptions(words);
  const cluster = await LocalCluster.open(firstJoiner);
  const settings = { SNAPSHOT_STORE: options.snapshotStore, SNAPSHOT_EVERY: options.snapshotEvery };
  const members: ChildServer[] = [];
  const times: JoinTime[] = [];
  try {
    for (const number of [0, 1]) members.push(await cluster.start(number, nodeOptions, settings));
    for (const member of members) (await connectWhenReady(member)).close();
    const load = new OrderLoad(futuresOrders, await prepareFuturesTraders(members[0]!, traders));
    load.prepare(connections, 0);
    let commands = 0;
    for (const history of options.histories) {
      while (commands < history) commands += await trade(members[0]!, load);
      for (let join = 0; join < options.joins; join += 1) {
        const folder = firstJoiner + times.length;
        times.push({ commands, ...(await timeJoin(cluster, folder, settings)) });
        console.log(describe(times.at(-1)!));
      }
    }
  } finally {
    await Promise.all(members.map((member) => member.stop()));
    await cluster.close();
  }
  return report(times);
}

/** The number of orders that were answered. */
async function trade({ port }: ChildServer, load: OrderLoad): Promise<number> {
  const nextRequest = (connection: number): string => load.nextRequest(connection);
  const { answered, refusal } = await runHttpLoad({
    port,
    connections,
    durationMs: sliceMs,
    nextRequest,
  });
  if (refusal !== null) throw new Error(`an order was refused: ${refusal}`);
  return answered;
}

async function timeJoin(
  cluster: LocalCluster,
  folder: number,
  settings: Readonly<Record<string, string>>,
): Promise<Omit<JoinTime, 'commands'>> {
  const begun = performance.now();
  const joiner = await cluster.start(folder, nodeOptions, settings);
  try {
    (await connectWhenReady(joiner)).close();
    const seconds = (performance.now() - begun) / 1_000;
    const recovered = /"snapshot":(\d+)[^\n]*journal recovered/.exec(joiner.output);
    return { seconds, snapshot: Number(recovered?.[1] ?? 0) };
  } finally {
    await joiner.stop();
  }
}

function describe({ commands, seconds, snapshot }: JoinTime): string {
  const beginning = snapshot === 0 ? 'the whole log' : `the snapshot at ${snapshot}`;
  return `joined after ${commands} commands in ${seconds.toFixed(1)} s, from ${beginning}`;
}

function report(times: readonly JoinTime[]): BenchmarkResult {
  return {
    name: 'join',
    ours: Math.max(...times.map(({ seconds }) => seconds)),
    peer: target,
    peer_name: 'the target',
    unit: 's until a new process is ready',
  };
}

export const benchmark: Benchmark = {
  name: 'join',
  summary: 'how long a new process of a cluster takes to join, after short and long histories',
  run,
};
