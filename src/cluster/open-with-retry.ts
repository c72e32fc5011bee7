import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';

const againMs = 1_000;

export interface RetryOptions {
  readonly time: Pick<Time, 'sleep'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Retries a start's request to NATS, or to what is named, until it answers: if the process exited,
 * a supervisor would only repeat the whole start.
 * @throws the reason with which the signal was aborted
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { time, logger, signal }: RetryOptions,
  asked = 'the shared log',
): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error }, `${asked} is out of reach; trying again`);
      await time.sleep(againMs, signal);
    }
  }
}
