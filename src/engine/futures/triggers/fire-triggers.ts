import type { Rejection } from '../../../domain/rejection.ts';
import type { FuturesOrderEnd } from '../../futures-events.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { endOrder, rejectedBy } from '../orders/end-order.ts';
import { admitOrder, isRejection, runOrder } from '../orders/enter-order.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { isPriceStale } from '../pricing/price-age.ts';
import { trail } from './trailing-stop.ts';
import { isReached } from './watched-price.ts';

/** The most that one command fires; the rest fires with the next one that moves time. */
const firedMax = 64;
/** Where last and mark price lie further apart than a twentieth, protected orders end. */
const protectDivisor = 20n;

/** Fires what the markets' new prices reach, and what those orders' own trades reach then. */
export function fireTriggers(state: FuturesState): void {
  let budget = firedMax;
  while (state.movedMarkets.size > 0 && budget > 0) {
    const markets = [...state.movedMarkets].sort((a, b) => a.terms.marketId - b.terms.marketId);
    state.movedMarkets.clear();
    for (const market of markets) {
      // While the market is halted its triggers wait, as all of its orders do.
      if (market.terms.status !== 'listed' || isPriceStale(market, state.now)) continue;
      if (budget > 0) budget = fireMarket(state, market, budget);
      if (budget === 0) state.movedMarkets.add(market);
    }
  }
  if (budget === 0) state.hasWorkLeft = true;
}

function fireMarket(state: FuturesState, market: FuturesMarketState, budget: number): number {
  let left = budget;
  const { triggers } = market;
  for (const order of [...triggers.trailing.values()]) {
    if (left === 0) return 0;
    if (!trail(market, order)) continue;
    fire(state, market, order);
    left -= 1;
  }
  for (const kind of ['mark', 'contract'] as const) {
    let due = triggers.findDue(kind, (order) => isReached(market, order));
    while (due !== undefined) {
      if (left === 0) return 0;
      fire(state, market, due);
      left -= 1;
      due = triggers.findDue(kind, (order) => isReached(market, order));
    }
  }
  return left;
}

/** From now on the order is the limit or market order that it stood for. */
function fire(state: FuturesState, market: FuturesMarketState, order: LiveOrder): void {
  market.triggers.remove(order);
  order.triggeredAt = state.now;
  const account = state.openAccount(order.accountId);
  if (order.isPriceProtected && isTornApart(market)) {
    return endOrder(state, order, rejectedBy('price_protection'));
  }
  const admitted = admitOrder(state, account, market, order, null);
  state.reportOrder(order, 'triggered');
  if (isRejection(admitted)) return endOrder(state, order, rejectedBy(endOf(admitted)));
  runOrder(state, admitted);
}

function isTornApart(market: FuturesMarketState): boolean {
  if (market.markPrice === null || market.lastPrice === 0) return false;
  const gap = market.priceOf(market.lastPrice) - market.markPrice;
  return (gap < 0n ? -gap : gap) * protectDivisor > market.markPrice;
}

function endOf({ reason }: Rejection): FuturesOrderEnd {
  if (reason === 'nothing_to_reduce') return 'reduce_only';
  if (reason === 'no_price_to_match') return 'price_match';
  return reason === 'insufficient_margin' ? 'margin' : 'price_protection';
}
