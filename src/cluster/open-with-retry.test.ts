import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openWithRetry } from './open-with-retry.ts';

const logger = pino({ level: 'silent' });

it('cluster: a question that NATS does not answer at a start is repeated until the process is stopped', async () => {
  const { signal } = new AbortController();
  const waits: number[] = [];
  const time = { sleep: async (delayMs: number) => void waits.push(delayMs) };
  let unanswered = 3;
  const open = async (): Promise<string> => {
    if (unanswered === 0) return 'open';
    unanswered -= 1;
    throw new Error('timeout');
  };
  expect(await openWithRetry(open, { time, logger, signal })).toBe('open');
  expect(waits).toHaveLength(3);

  const stopping = new AbortController();
  const fails = async (): Promise<string> => {
    stopping.abort(new Error('stopped'));
    throw new Error('timeout');
  };
  const stopped = openWithRetry(fails, { time, logger, signal: stopping.signal });
  await expect(stopped).rejects.toThrow('stopped');
});
