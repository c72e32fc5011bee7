import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { HttpConnection } from '../../src/client/http-connection.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { connectWhenReady, startExchange } from '../load/exchange-service.ts';

// How long /healthz takes while thousands of sockets listen and strangers send the worst that they
// can, under the limits of production. The peer is the second that monitors allow.

const idleProgram = fileURLToPath(new URL('../strangers/idle.ts', import.meta.url));
const attackProgram = fileURLToPath(new URL('../strangers/attack.ts', import.meta.url));
const allowedMs = 1_000;
const probeEveryMs = 20;
const socketsPerAddress = 500;
const openAtOnce = 100;
const streamsPath = '/ws/btcusdt@depth/btcusdt@trade/ethusdt@depth/ethusdt@trade';

async function openSockets(port: number, count: number): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const batch = Array.from(
      { length: Math.min(openAtOnce, count - sockets.length) },
      (_, index) => {
        const number = sockets.length + index;
        const localAddress = `127.0.1.${1 + Math.floor(number / socketsPerAddress)}`;
        return new WebSocket(`ws://127.0.0.1:${port}${streamsPath}`, { localAddress });
      },
    );
    await Promise.all(batch.map((socket) => once(socket, 'open')));
    sockets.push(...batch);
  }
  return sockets;
}

interface Answer {
  readonly ms: number;
  /** What the service's main thread computed between question and answer. */
  readonly busyMs: number;
}

/** The answers, the slowest one last. */
async function probe(
  port: number,
  durationMs: number,
  busySeconds: () => number = () => 0,
): Promise<readonly Answer[]> {
  const connection = new HttpConnection(`http://127.0.0.1:${port}`, 1);
  const answers: Answer[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    const busyBefore = busySeconds();
    const startedAt = performance.now();
    const { status } = await connection.send({ method: 'GET', target: '/healthz' });
    if (status !== 200) throw new Error(`/healthz answered ${status}`);
    const ms = performance.now() - startedAt;
    answers.push({ ms, busyMs: (busySeconds() - busyBefore) * 1000 });
    await pause(probeEveryMs);
  }
  connection.close();
  return answers.sort((a, b) => a.ms - b.ms);
}

function describe(name: string, answers: readonly Answer[]): void {
  const times = answers.map(({ ms }) => ms);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const slowest = (times.at(-1) ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, slowest ${slowest} ms`);
  const busy = Math.max(...answers.map(({ busyMs }) => busyMs));
  if (busy > 0) console.log(`${name}: computed ${busy.toFixed(1)} ms at most during an answer`);
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      sockets: { type: 'string', default: '5000' },
      addresses: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-strangers-'));
  const limits = {
    REQUEST_WEIGHT_1M: '6000',
    SIGN_IN_COUNT_1M: '10',
    METRICS_TOKEN: 'the-metrics-token-of-the-strangers-benchmark',
  };
  const server = await startExchange(dataDir, ['--max-semi-space-size=64'], limits);
  try {
    (await connectWhenReady(server)).close();
    const sockets = await openSockets(server.port, Number(values.sockets));
    const durationMs = Number(values.seconds) * 1000;
    describe('the sockets alone', await probe(server.port, durationMs / 4));
    const attack = fork(attackProgram, [String(server.port), values.addresses], {
      execArgv: ['--import', 'tsx'],
    });
    await once(attack, 'message');
    const idle = fork(idleProgram, { execArgv: ['--import', 'tsx'] });
    const [idlePort] = (await once(idle, 'message')) as [number];
    const [times, idleTimes] = await Promise.all([
      probe(server.port, durationMs, () => server.mainThreadSeconds),
      probe(idlePort, durationMs),
    ]);
    attack.kill();
    idle.kill();
    describe('with strangers', times);
    describe('a process that does nothing else, beside it', idleTimes);
    const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    console.log(`${open} of ${sockets.length} sockets are still open`);
    for (const socket of sockets) socket.terminate();
    return {
      name: 'strangers',
      ours: Number((times.at(-1)?.ms ?? 0).toFixed(1)),
      peer: allowedMs,
      peer_name: 'the second that /healthz may take',
      unit: 'ms, the slowest answer',
    };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

export const benchmark: Benchmark = {
  name: 'strangers',
  summary: '/healthz while 5,000 sockets listen and strangers send their worst, in ms',
  run,
};
