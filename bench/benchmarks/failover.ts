import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HttpConnection } from '../../src/client/http-connection.ts';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { SigningKey } from '../../src/gateway/auth/signing-key.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import type { ChildServer } from '../load/child-server.ts';
import { connectWhenReady } from '../load/exchange-service.ts';
import { findOwner, LocalCluster } from '../load/local-cluster.ts';
import { futuresTerms } from '../load/order-load.ts';
import { prepareFuturesTraders } from '../load/traders.ts';

// How long an exchange of three processes acknowledges nothing after its owner was killed, and how
// long orders take while an owner that is stopped in order hands over. Orders go to the processes
// that stay, one at a time on each.

const processes = 3;
const nodeOptions = ['--max-semi-space-size=64'];
const settleMs = 1_500;
const handOverTarget = 300;
const takeoverTarget = 2_500;

interface Sent {
  readonly at: number;
  readonly answeredAt: number;
  readonly status: number;
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const { values } = parseArgs({
    args: [...words],
    options: { rounds: { type: 'string', default: '7' } },
  });
  const cluster = await LocalCluster.open(processes);
  const members: ChildServer[] = [];
  try {
    for (const number of [0, 1, 2]) members.push(await cluster.start(number, nodeOptions));
    for (const member of members) (await connectWhenReady(member)).close();
    const [pair] = await prepareFuturesTraders(members[0]!, 1);
    const exchange = { cluster, members, pair: pair! };
    const kills: number[] = [];
    const stops: Sent[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      kills.push(await timeTakeover(exchange));
      stops.push(...(await timeHandOver(exchange)));
    }
    return report(kills, stops);
  } finally {
    await Promise.all(members.map((member) => member.stop()));
    await cluster.close();
  }
}

interface RunningExchange {
  readonly cluster: LocalCluster;
  readonly members: ChildServer[];
  readonly pair: ApiKeyPair;
}

/** Milliseconds from the kill to the first new order that is acknowledged. */
async function timeTakeover(exchange: RunningExchange): Promise<number> {
  const { sent, endedAt } = await loseOwner(exchange, 'SIGKILL');
  const first = sent.find(({ at, status }) => at > endedAt && status === 200);
  if (first === undefined) throw new Error('no order was acknowledged after the takeover');
  console.log(
    `kill -9: first new acknowledgement after ${(first.answeredAt - endedAt).toFixed(0)} ms`,
  );
  return first.answeredAt - endedAt;
}

/** The orders that were on their way while the owner handed over. */
async function timeHandOver(exchange: RunningExchange): Promise<readonly Sent[]> {
  const { sent, endedAt } = await loseOwner(exchange, 'SIGTERM');
  const during = sent.filter(({ answeredAt }) => answeredAt > endedAt);
  const slowest = Math.max(...during.map(latencyOf));
  const errors = during.filter(({ status }) => status !== 200).length;
  console.log(
    `hand-over: ${during.length} orders, ${errors} errors, slowest ${slowest.toFixed(0)} ms`,
  );
  return during;
}

async function loseOwner(
  { cluster, members, pair }: RunningExchange,
  signal: NodeJS.Signals,
): Promise<{ readonly sent: readonly Sent[]; readonly endedAt: number }> {
  const owner = await findOwner(members);
  const stopping = new AbortController();
  const sent: Sent[] = [];
  const others = members.filter((_, index) => index !== owner);
  const senders = others.map((member) => sendUntil(stopping.signal, member, pair, sent));
  await pause(settleMs);
  const endedAt = performance.now();
  const ended = members[owner]!.stop(signal);
  await ended;
  await findOwner(others);
  await pause(settleMs);
  stopping.abort();
  await Promise.all(senders);
  members[owner] = await cluster.start(owner, nodeOptions);
  (await connectWhenReady(members[owner])).close();
  sent.sort((left, right) => left.answeredAt - right.answeredAt);
  return { sent, endedAt };
}

let count = 0;

async function sendUntil(
  stopped: AbortSignal,
  { port }: ChildServer,
  { apiKey, apiSecret }: ApiKeyPair,
  sent: Sent[],
): Promise<void> {
  const connection = new HttpConnection(`http://127.0.0.1:${port}`, 1);
  const key = new SigningKey(apiSecret);
  while (!stopped.aborted) {
    count += 1;
    const terms = new URLSearchParams(futuresTerms).toString();
    const query = `${terms}&timestamp=${Date.now()}&recvWindow=${count}`;
    const at = performance.now();
    const target = `/fapi/v1/order?${query}&signature=${key.sign(query)}`;
    const headers = { 'x-mbx-apikey': apiKey };
    const { status } = await connection.send({ method: 'POST', target, headers });
    sent.push({ at, answeredAt: performance.now(), status });
    await pause(1);
  }
  connection.close();
}

function report(kills: readonly number[], stops: readonly Sent[]): BenchmarkResult {
  const sorted = [...kills].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const latencies = stops.map(latencyOf).sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  const errors = stops.filter(({ status }) => status !== 200).length;
  console.log(
    `kill -9: p50 ${median.toFixed(0)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms of ` +
      `${kills.length}; hand-over: p99 ${p99.toFixed(0)} ms (target ${handOverTarget}), longest ` +
      `${latencies.at(-1)?.toFixed(0)} ms, ${errors} errors in ${stops.length} orders`,
  );
  return {
    name: 'failover',
    ours: Math.round(median),
    peer: takeoverTarget,
    peer_name: 'the target',
    unit: 'ms from kill -9 to the first new acknowledgement, p50',
  };
}

function latencyOf({ at, answeredAt }: Sent): number {
  return answeredAt - at;
}

export const benchmark: Benchmark = {
  name: 'failover',
  summary: 'first new acknowledgement after kill -9 of the owner, and orders during a hand-over',
  run,
};
