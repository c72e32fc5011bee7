import type { Time } from '../system/time.ts';

/**
 * Resolves when the work has ended, in whatever way, or the time is over. @throws what `expired`
 * returns if the time is over
 */
export async function waitWithTimeout(
  work: Promise<unknown>,
  timeoutMs: number,
  time: Pick<Time, 'sleep'>,
  expired?: () => Error,
): Promise<void> {
  const timeout = new AbortController();
  const slept = time.sleep(timeoutMs, timeout.signal).then(
    () => true,
    () => false,
  );
  const ended = work.then(
    () => false,
    () => false,
  );
  const isOver = await Promise.race([ended, slept]);
  timeout.abort();
  if (isOver && expired !== undefined) throw expired();
}
