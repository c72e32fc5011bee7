import { beginFunding, continueFunding } from './funding/pay-funding.ts';
import type { FuturesState } from './futures-state.ts';
import { continueRankings } from './liquidation/ranking.ts';
import { scanRisk } from './liquidation/scan-risk.ts';
import { endOrders } from './orders/cancel-orders.ts';
import { canceledBy, endOrder, expiredBy } from './orders/end-order.ts';
import { refreshPrices } from './pricing/mark-price.ts';

/** Accounts whose funding one command pays at most. */
const fundingBudget = 2_000;

/** Does what time has brought, a bounded part of it; `hasWorkLeft` says that more is due. */
export function advanceTime(state: FuturesState): void {
  for (const market of state.markets) {
    if (market.terms.status !== 'delisted') refreshPrices(state, market);
  }
  let budget = fundingBudget;
  for (const market of state.markets) {
    beginFunding(state, market);
    if (budget > 0) budget = continueFunding(state, market, budget);
    else if (market.sweep !== null) state.hasWorkLeft = true;
  }
  expireOrders(state);
  runCountdowns(state);
  continueRankings(state);
  scanRisk(state);
}

function expireOrders(state: FuturesState): void {
  for (const order of [...state.timedOrders]) {
    const { goodTill } = order;
    if (goodTill === null || goodTill > state.now || !state.timedOrders.has(order)) continue;
    endOrder(state, order, expiredBy('good_till_date'));
  }
}

function runCountdowns(state: FuturesState): void {
  const due = [...state.countdowns.entries()]
    .filter(([, { cancelAt }]) => cancelAt <= state.now)
    .sort(([, a], [, b]) => a.accountId - b.accountId || a.marketId - b.marketId);
  for (const [key, { accountId, marketId }] of due) {
    state.countdowns.delete(key);
    endOrders(state, accountId, canceledBy('countdown'), (order) => order.marketId === marketId);
  }
}
