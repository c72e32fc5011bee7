import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StartProgress } from './start-progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a start that waits logs the reason every 10 s until it is done', async () => {
  const lines: unknown[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const progress = new StartProgress(log);
  let found: (value: string) => void = () => undefined;
  const database = progress.waitFor('the database', new Promise<string>((done) => (found = done)));
  void progress.waitFor('the journal', new Promise(() => undefined));
  expect(progress.waitsFor).toEqual(['the database', 'the journal']);
  await vi.advanceTimersByTimeAsync(10_000);
  found('here');
  expect(await database).toBe('here');
  await vi.advanceTimersByTimeAsync(10_000);
  progress.end();
  await vi.advanceTimersByTimeAsync(60_000);
  const line = { level: 40, msg: 'the service is still starting' };
  expect(lines).toEqual([
    { ...line, seconds: 10, waitsFor: ['the database', 'the journal'] },
    { ...line, seconds: 20, waitsFor: ['the journal'] },
  ]);
});
