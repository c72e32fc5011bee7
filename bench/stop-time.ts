import type { BenchmarkResult } from './benchmark.ts';

/** The longest that order flow may stop, in milliseconds. */
const stopMaxMs = 10;

export interface Timed<T> {
  readonly result: T;
  readonly microseconds: number;
}

/**
 * For how long the work stops everything else of its thread: the time that passes, or the processor
 * time of all threads where that is less, since another program's turn on a busy machine is no stop
 * of ours. Garbage collection counts for as long as the thread waits for it.
 */
export function timeStop<T>(work: () => T): Timed<T> {
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  const result = work();
  const passed = (performance.now() - start) * 1_000;
  const { user, system } = process.cpuUsage(cpuStart);
  return { result, microseconds: Math.min(passed, user + system) };
}

/** The longest stop of a benchmark against what is allowed. */
export function stopResult(name: string, microseconds: number): BenchmarkResult {
  return {
    name,
    ours: Number((microseconds / 1e3).toFixed(2)),
    peer: stopMaxMs,
    peer_name: 'the longest that order flow may stop',
    unit: 'ms',
  };
}
