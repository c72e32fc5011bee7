import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { waitForProjection } from './projection-wait.ts';

const end = 1_000 as Sequence;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that writes that many commands a second, from the start. */
function databaseOf(commandsPerSecond: number) {
  const begun = performance.now();
  return {
    get position() {
      return Math.floor(((performance.now() - begun) / 1_000) * commandsPerSecond) as Sequence;
    },
  };
}

async function waitWith(
  commandsPerSecond: number,
  allowedMs: number,
): Promise<{ isProjected: boolean; tookMs: number }> {
  const begun = performance.now();
  const waiting = waitForProjection(databaseOf(commandsPerSecond), end, begun + allowedMs);
  let isProjected: boolean | null = null;
  void waiting.then((value) => (isProjected = value));
  while (isProjected === null) await vi.advanceTimersByTimeAsync(50);
  return { isProjected, tookMs: performance.now() - begun };
}

test('a stop waits for a database that makes progress, as long as the supervisor allows', async () => {
  expect(await waitWith(100, 60_000)).toEqual({ isProjected: true, tookMs: 10_000 });
  expect(await waitWith(100, 5_000)).toEqual({ isProjected: false, tookMs: 5_000 });
});

test('a stop does not wait for a database that makes no progress', async () => {
  expect(await waitWith(0, 60_000)).toEqual({ isProjected: false, tookMs: 2_000 });
});
