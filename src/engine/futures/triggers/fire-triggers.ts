import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import { makersMax } from '../../book/makers-max.ts';
import type { FuturesOrderEnd } from '../../futures-events.ts';
import type { ByRules } from '../../rules.ts';
import { sortFew } from '../../storage/sort-few.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { childrenOf } from '../orders/attached-orders.ts';
import { decideChild, endOrder, rejectedBy } from '../orders/end-order.ts';
import { admitOrder, isRejection, runOrder } from '../orders/enter-order.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { isFresh } from '../pricing/price-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { watchedPrice } from './watched-price.ts';

/** The maximum number of orders that one command fires; the rest fire with later commands. */
const firedMax = 64;
/** A command that has met so many resting orders fires no more orders. */
const metMax: ByRules<number> = {
  11: Number.POSITIVE_INFINITY,
  12: Number.POSITIVE_INFINITY,
  13: makersMax,
};
/** Protected orders end if last and mark price differ by more than a twentieth. */
const protectDivisor = 20n;
/** Whether an attached order fires only for its position, and in the place of its sibling. */
const firesForPosition: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** How many more orders the running command fires. */
interface Budget {
  left: number;
}

/**
 * Fires the orders that the markets' current prices reach, then those reached by the trades of
 * these.
 *
 * @returns whether no order is left that a later command has to fire.
 */
export function fireTriggers(state: FuturesState): boolean {
  const budget: Budget = { left: firedMax };
  let areFired = true;
  const markets = sortFew([...state.movedMarkets], (a, b) => a.terms.marketId - b.terms.marketId);
  for (const market of markets) {
    const isListed = market.terms.status === 'listed';
    // While the market is halted, its price stale or its positions unsettled, its triggers wait.
    const isReady = isFresh(market, state.now) && !isSettling(market);
    if (!isListed) state.movedMarkets.delete(market);
    else if (isReady && !fireMarket(state, market, budget)) areFired = false;
  }
  return areFired;
}

/**
 * Fires one order after the other, each at the prices that the previous one has left.
 *
 * @returns whether no order is due any more; otherwise the market still counts as moved.
 */
function fireMarket(state: FuturesState, market: FuturesMarketState, budget: Budget): boolean {
  const { triggers } = market;
  const read = (kind: TriggerPriceKind) => watchedPrice(market, kind);
  for (;;) {
    const due = triggers.isEmpty ? undefined : triggers.findDue(read);
    if (due === undefined) {
      state.movedMarkets.delete(market);
      return true;
    }
    if (budget.left === 0 || state.commandWork.makersMet >= metMax[state.rules]) return false;
    budget.left -= 1;
    fire(state, market, due);
  }
}

/** Turns the order into the limit or market order that it triggers. */
function fire(state: FuturesState, market: FuturesMarketState, order: LiveOrder): void {
  const { parentOrderNumber } = order;
  const isChild = parentOrderNumber !== null && firesForPosition[state.rules];
  if (isChild) {
    if (!decideChild(state, order)) return;
    order.quantity = order.coveredQuantity;
  }
  market.triggers.remove(order);
  order.triggeredAt = state.now;
  const account = state.openAccount(order.accountId);
  if (order.isPriceProtected && isTornApart(market)) {
    return endOrder(state, order, rejectedBy('price_protection'));
  }
  const admitted = admitOrder(state, account, market, order, null);
  state.reportOrder(order, 'triggered');
  for (const sibling of isChild ? childrenOf(state, parentOrderNumber) : []) {
    decideChild(state, sibling, 'sibling_fired');
  }
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
  if (reason === 'post_only_would_cross') return 'time_in_force';
  return reason === 'insufficient_margin' ? 'margin' : 'price_protection';
}
