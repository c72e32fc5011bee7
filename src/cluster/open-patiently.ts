import type { Logger } from 'pino';
import type { Time } from '../system/time.ts';

const againMs = 1_000;

export interface Patience {
  readonly time: Pick<Time, 'sleep'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Asks NATS at a start until it answers: a process that ended would only hand the repetition to a
 * supervisor. @throws what ended the signal
 */
export async function openPatiently<T>(
  open: () => Promise<T>,
  { time, logger, signal }: Patience,
): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error }, 'the shared log is out of reach; trying again');
      await time.sleep(againMs, signal);
    }
  }
}
