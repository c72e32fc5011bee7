import { existsSync, openSync, readSync } from 'node:fs';
import type { BenchmarkResult } from './benchmark.ts';

/** The longest that order flow may stop, in milliseconds. */
const stopMaxMs = 10;

export interface Timed<T> {
  readonly result: T;
  readonly microseconds: number;
  /** The same without the time for which the thread was ready and other threads were on. */
  readonly ownMicroseconds: number;
}

/**
 * For how long the work stops everything else of its thread: the time that passes, or the processor
 * time of all threads if that is less, since another program's turn on a busy machine is no stop
 * of ours. Garbage collection counts for as long as the thread waits for it.
 */
export function timeStop<T>(work: () => T): Timed<T> {
  const cpuStart = process.cpuUsage();
  const waitedStart = waitedMicroseconds();
  const start = performance.now();
  const result = work();
  const passed = (performance.now() - start) * 1_000;
  const waited = waitedMicroseconds() - waitedStart;
  const { user, system } = process.cpuUsage(cpuStart);
  const microseconds = Math.min(passed, user + system);
  return { result, microseconds, ownMicroseconds: Math.min(microseconds, passed - waited) };
}

const statistics = openStatistics();
const line = Buffer.alloc(128);

/** For how long the main thread has been ready without a processor; 0 if nobody counts it. */
function waitedMicroseconds(): number {
  if (statistics === null) return 0;
  const length = readSync(statistics, line, 0, line.length, 0);
  const [, waited = '0'] = line.toString('latin1', 0, length).split(' ');
  return Number(waited) / 1_000;
}

function openStatistics(): number | null {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(path) ? openSync(path, 'r') : null;
}

/** The longest stop of a benchmark against what is allowed. */
export function stopResult(name: string, microseconds: number, maxMs = stopMaxMs): BenchmarkResult {
  return {
    name,
    ours: Number((microseconds / 1e3).toFixed(2)),
    peer: maxMs,
    peer_name: 'the longest that order flow may stop',
    unit: 'ms',
  };
}
