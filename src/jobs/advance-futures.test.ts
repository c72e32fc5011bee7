import { expect, test, vi } from 'vitest';
import { runJobs } from '../../test/support/run-jobs.ts';
import {
  EngineBusyError,
  type Exchange,
  type ExchangeState,
} from '../application/ports/exchange.ts';
import { advanceFuturesJob } from './advance-futures.ts';
import type { TimedJob } from './timed-job.ts';

interface Scene {
  readonly submitted: string[];
  readonly exchange: { state: ExchangeState };
  readonly job: TimedJob;
}

function scene(
  markets: number,
  answers: readonly (readonly string[] | Error)[],
  spotMarkets: readonly { readonly status: string; readonly bids: readonly unknown[] }[] = [],
): Scene {
  const submitted: string[] = [];
  const exchange = {
    state: 'ready' as ExchangeState,
    peek: (query: (view: unknown) => unknown) =>
      query({
        futures: { listFuturesMarkets: () => Array.from({ length: markets }, () => ({})) },
        listSpotMarkets: () => spotMarkets.map(({ status }, marketId) => ({ marketId, status })),
        getDepth: (marketId: number) => ({ bids: spotMarkets[marketId]?.bids ?? [], asks: [] }),
      }),
    submit: async ({ type }: { readonly type: string }) => {
      const answer = answers[submitted.length] ?? [];
      submitted.push(type);
      if (answer instanceof Error) throw answer;
      return { events: answer.map((each) => ({ type: each })) };
    },
  };
  const ports = { exchange: exchange as unknown as Exchange, intervalMs: 1 };
  return { submitted, exchange, job: advanceFuturesJob(ports) };
}

test('futures clock: sends nothing while there is no futures market', async () => {
  const { submitted, job } = scene(0, []);
  await job.run({ isFirst: true, signal: new AbortController().signal });
  expect(submitted).toEqual([]);
});

test('futures clock: ends the orders of a delisted spot market even without a futures market', async () => {
  const listed = { status: 'listed', bids: [{}] };
  const emptied = scene(0, [], [listed, { status: 'delisted', bids: [] }]);
  await emptied.job.run({ isFirst: true, signal: new AbortController().signal });
  expect(emptied.submitted).toEqual([]);
  const left = scene(0, [['timedWorkDue'], []], [listed, { status: 'delisted', bids: [{}] }]);
  await left.job.run({ isFirst: true, signal: new AbortController().signal });
  expect(left.submitted).toEqual(['advanceTime', 'advanceTime']);
});

test('futures clock: one run continues while work is due', async () => {
  const { submitted, job } = scene(1, [['timedWorkDue'], ['timedWorkDue'], []]);
  await job.run({ isFirst: true, signal: new AbortController().signal });
  expect(submitted).toEqual(['advanceTime', 'advanceTime', 'advanceTime']);
});

test('futures clock: continues after the engine was busy, which is logged once', async () => {
  const busy = new EngineBusyError('full');
  const { submitted, job } = scene(1, [busy, busy, []]);
  const running = runJobs([job]);
  await vi.waitFor(() => expect(submitted.length).toBeGreaterThanOrEqual(4));
  await running.stop();
  const count = submitted.length;
  expect(running.warnings).toEqual([{ job: 'advance-futures', err: busy }]);
  expect(new Set(submitted)).toEqual(new Set(['advanceTime']));
  expect(submitted.length).toBe(count);
});

test('futures clock: continues while the database is down, but not before the engine is ready', async () => {
  const { submitted, exchange, job } = scene(1, []);
  exchange.state = 'restarting';
  const running = runJobs([job], new Promise(() => undefined));
  await vi.waitFor(() => expect(job.isReady?.()).toBe(false));
  expect(submitted).toEqual([]);
  exchange.state = 'ready';
  await vi.waitFor(() => expect(submitted.length).toBeGreaterThan(1));
  await running.stop();
});
