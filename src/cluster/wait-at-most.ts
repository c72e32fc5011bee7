import type { Time } from '../system/time.ts';

/** Resolves when the work has ended, in whatever way, or the time is over. */
export async function waitAtMost(
  work: Promise<unknown>,
  timeoutMs: number,
  time: Pick<Time, 'sleep'>,
): Promise<void> {
  const patience = new AbortController();
  const expired = time.sleep(timeoutMs, patience.signal).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), expired]);
  patience.abort();
}
