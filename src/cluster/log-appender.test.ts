import { expect, test } from 'vitest';
import { systemTime } from '../system/system-time.ts';
import { LogAppender, type LogAppenderOptions } from './log-appender.ts';

test('log appender: after a large group the owner gathers as long as it took, within a limit', async () => {
  const appender = new LogAppender({ time: systemTime } as unknown as LogAppenderOptions);
  expect(appender.gatherMs(100, 3)).toBe(0);
  appender.begin({ epoch: 1, logStart: 'first' });
  const pauses = [
    [1, 3],
    [15, 3],
    [16, 0.9],
    [16, 3.2],
    [16, 80],
  ].map(([commands, writeMs]) => appender.gatherMs(commands!, writeMs!));
  expect(pauses).toEqual([0, 0, 0, 3, 4]);
  await appender.end();
  expect(appender.gatherMs(100, 3)).toBe(0);
});
