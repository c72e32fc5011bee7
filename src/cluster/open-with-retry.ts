import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';

const againMs = 1_000;

export interface RetryOptions {
  readonly time: Pick<Time, 'sleep'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Retries a start's request to NATS, or to another server whose failures `warn` logs, until it
 * answers: if the process exited, a supervisor would only repeat the whole start.
 * @throws the reason with which the signal was aborted
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { time, logger, signal }: RetryOptions,
  warn = warnOfLog,
): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      warn(logger, error);
      await time.sleep(againMs, signal);
    }
  }
}

function warnOfLog(logger: Logger, error: unknown): void {
  logger.warn({ err: error }, 'the shared log is out of reach; trying again');
}
