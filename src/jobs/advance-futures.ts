import type { EngineView, Exchange } from '../application/ports/exchange.ts';
import type { TimedJob } from './timed-job.ts';

export interface FuturesClockPorts {
  readonly exchange: Pick<Exchange, 'state' | 'peek' | 'submit'>;
  /** Between two checks of the time; the rest of a command's work follows immediately. */
  readonly intervalMs: number;
}

/**
 * Advances the engine's time, so that it computes mark prices, pays funding, fires triggers, looks
 * for accounts to liquidate, and cancels the orders of delisted spot markets. Nothing is sent while
 * there are neither perpetuals nor such orders.
 *
 * The engine takes the time from the command and does what is due by then once, so an extra command
 * changes nothing: one that is late, or one from each of several processes while the database is
 * unreachable. That is why positions are watched even without the lease.
 */
export function advanceFuturesJob({ exchange, intervalMs }: FuturesClockPorts): TimedJob {
  const name = 'advance-futures';
  return {
    name,
    longLease: name,
    isSafeWithoutLease: true,
    intervalMs,
    isReady: () => exchange.state === 'ready',
    run: async ({ signal }) => {
      let isWorkLeft = exchange.peek(hasTimedWork);
      while (isWorkLeft && !signal.aborted) {
        const { events } = await exchange.submit({ type: 'advanceTime' });
        isWorkLeft = events.some(({ type }) => type === 'timedWorkDue');
      }
    },
  };
}

function hasTimedWork(view: EngineView): boolean {
  if (view.futures.listFuturesMarkets().length > 0) return true;
  return view.listSpotMarkets().some(({ marketId, status }) => {
    if (status !== 'delisted') return false;
    const { bids, asks } = view.getDepth(marketId, 1);
    return bids.length + asks.length > 0;
  });
}
