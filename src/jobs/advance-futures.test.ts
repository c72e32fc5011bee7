import { expect, test, vi } from 'vitest';
import { EngineBusyError, type Exchange } from '../application/ports.ts';
import { FuturesClock } from './advance-futures.ts';

interface Scene {
  readonly submitted: string[];
  readonly clock: FuturesClock;
}

function scene(markets: number, answers: readonly (readonly string[] | Error)[]): Scene {
  const submitted: string[] = [];
  const exchange = {
    peek: (query: (view: unknown) => unknown) =>
      query({ futures: { listFuturesMarkets: () => Array.from({ length: markets }, () => ({})) } }),
    submit: async ({ type }: { readonly type: string }) => {
      const answer = answers[submitted.length] ?? [];
      submitted.push(type);
      if (answer instanceof Error) throw answer;
      return { events: answer.map((each) => ({ type: each })) };
    },
  } as unknown as Exchange;
  const clock = new FuturesClock({ exchange, log: { warn: vi.fn() }, intervalMs: 1 });
  return { submitted, clock };
}

test('futures clock: sends nothing while there is no futures market', async () => {
  const { submitted, clock } = scene(0, []);
  clock.start();
  await clock.stop();
  expect(submitted).toEqual([]);
});

test('futures clock: goes on at once while work is due, and after the engine was busy', async () => {
  const { submitted, clock } = scene(1, [['timedWorkDue'], new EngineBusyError('full'), []]);
  clock.start();
  await vi.waitFor(() => expect(submitted.length).toBeGreaterThanOrEqual(3));
  await clock.stop();
  const count = submitted.length;
  expect(new Set(submitted)).toEqual(new Set(['advanceTime']));
  expect(submitted.length).toBe(count);
});
