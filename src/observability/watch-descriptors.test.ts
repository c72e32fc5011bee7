import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from './log.ts';
import { watchDescriptors } from './watch-descriptors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('descriptors: a shortage is logged once a minute, and other errors are not', async () => {
  let lines = '';
  let code = 'EMFILE';
  const log = createLogger('info', { write: (line: string) => (lines += line) });
  const stop = watchDescriptors(log, async () => {
    throw Object.assign(new Error('failed'), { code });
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lines.match(/no file descriptors are left/g)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(lines.match(/no file descriptors are left/g)).toHaveLength(2);
  code = 'ENOENT';
  await vi.advanceTimersByTimeAsync(120_000);
  stop();
  expect(lines.match(/no file descriptors are left/g)).toHaveLength(2);
});
