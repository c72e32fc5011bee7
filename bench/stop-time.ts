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
