import type { ByRules } from '../rules.ts';
import { continueFunding, openFundingHours } from './funding/pay-funding.ts';
import type { FuturesState } from './futures-state.ts';
import { settleRisk } from './liquidation/settle-risk.ts';
import { continueDelistings } from './markets/continue-delistings.ts';
import { beginPlannedDelistings } from './markets/delist-market.ts';
import { endOrders } from './orders/cancel-orders.ts';
import { canceledBy, endOrder, expiredBy } from './orders/end-order.ts';
import { isWaiting, type LiveOrder } from './orders/live-order.ts';
import { refreshPrices } from './pricing/mark-price.ts';

/** The maximum number of accounts whose funding one command pays. */
const fundingBudget = 2_000;
/** The maximum number of orders that one command ends because of their expiry or a countdown. */
const endedMax = 200;

/** Whether funding that nobody waits for is booked after close-outs and triggers. */
const isBookedLast: ByRules<boolean> = { 11: false, 12: true, 13: true };
/** How many orders a countdown ends while the command may end that many more. */
const mostOfCountdown: ByRules<(left: number) => number> = {
  11: () => Number.POSITIVE_INFINITY,
  12: roomForOne,
  13: roomForOne,
};
/** Whether the orders that end with another count as well. */
const countsChildren: ByRules<boolean> = { 11: false, 12: true, 13: true };

/**
 * Does a bounded part of the timed work other than `bookFundingLast`.
 *
 * @returns whether none of it is left.
 */
export function advanceTime(state: FuturesState): boolean {
  for (const market of state.markets) {
    if (market.terms.status !== 'delisted') refreshPrices(state, market);
  }
  openFundingHours(state);
  if (!isBookedLast[state.rules]) bookFunding(state);
  runCountdowns(state, expireOrders(state, endedMax));
  const areOrdersEnded = !isOrderDue(state);
  beginPlannedDelistings(state);
  const isRiskSettled = settleRisk(state);
  const areDelistingsDone = continueDelistings(state);
  return areOrdersEnded && isRiskSettled && areDelistingsDone;
}

/**
 * Books funding for accounts that nothing else has touched in the hour, so that they see their
 * income soon. It runs last in a command; an account that is judged, closed or trades books first.
 *
 * @returns whether all hours are booked for all accounts.
 */
export function bookFundingLast(state: FuturesState): boolean {
  if (isBookedLast[state.rules]) bookFunding(state);
  return state.sweepCount === 0;
}

function bookFunding(state: FuturesState): void {
  let budget = fundingBudget;
  for (const market of state.markets) {
    if (budget > 0) budget = continueFunding(state, market, budget);
  }
}

/** Whether an order has expired, or a countdown run out, and is still to be handled. */
function isOrderDue({ timedOrders, countdowns, now }: FuturesState): boolean {
  const order = timedOrders.first();
  if (order !== undefined && (order.goodTill ?? 0) <= now) return true;
  const countdown = countdowns.first();
  return countdown !== undefined && countdown.cancelAt <= now;
}

/** Ends expired orders, the longest overdue first. @returns what is left of the budget. */
function expireOrders(state: FuturesState, budget: number): number {
  let left = budget;
  for (;;) {
    const order = state.timedOrders.first();
    if (order === undefined || (order.goodTill ?? 0) > state.now) return left;
    if (left <= 0) return 0;
    const before = state.orders.size;
    endOrder(state, order, expiredBy('good_till_date'));
    left -= countsChildren[state.rules] ? before - state.orders.size : 1;
  }
}

/** At least enough for one order, which can take two with it. */
function roomForOne(left: number): number {
  return Math.max(left, 3);
}

function runCountdowns(state: FuturesState, budget: number): void {
  let left = budget;
  while (left > 0) {
    const due = state.countdowns.first();
    if (due === undefined || due.cancelAt > state.now) return;
    const { accountId, marketId, kind } = due;
    const isConcerned = (order: LiveOrder): boolean =>
      order.marketId === marketId && (kind === 'all' || !isWaiting(order));
    const most = mostOfCountdown[state.rules](left);
    left -=
      1 + endOrders(state, accountId, canceledBy('countdown'), { isChosen: isConcerned, most });
    // It stays due while orders are left that the next command ends.
    const isOver = !state.orders.listIn(accountId, marketId).some(isConcerned);
    if (isOver) state.countdowns.delete(accountId, marketId);
    else left = 0;
  }
}
