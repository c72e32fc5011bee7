import type { Lots } from '../../../domain/spot-market.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { decideChild, endOrder, expiredBy } from './end-order.ts';
import { isWaiting, type LiveOrder, leftOf } from './live-order.ts';

// Reduce-only orders never open or flip a position: none rests with more lots than the position
// that it would close. There can be several; whichever trades first leaves less room for the
// others.

/** Whether an attached order that has ended with its parent is reported a second time. */
const endsTwice: ByRules<boolean> = { 11: true, 12: false, 13: false };

/** The lots by which a reduce-only order of the side can still reduce the position. */
export function reducibleLots(account: FuturesAccount, marketId: number, side: string): number {
  const quantity = account.quantityIn(marketId);
  if (side === 'sell') return Math.max(0, quantity);
  return Math.max(0, -quantity);
}

/** Cuts resting reduce-only orders down to the positions that the command has changed. */
export function followPositions(state: FuturesState): void {
  for (const { accountId, marketId } of state.touchedPositions.sort()) {
    const account = state.openAccount(accountId);
    if (state.orders.countIn(accountId, marketId) > 0) followPosition(state, account, marketId);
  }
}

function followPosition(state: FuturesState, account: FuturesAccount, marketId: number): void {
  const room = {
    buy: reducibleLots(account, marketId, 'buy'),
    sell: reducibleLots(account, marketId, 'sell'),
  };
  for (const order of state.orders.listIn(account.accountId, marketId)) {
    if (order.isResting && order.isReduceOnly) {
      cutTo(state, order, room[order.side]);
    } else if (order.parentOrderNumber !== null && isWaiting(order)) {
      if (state.orders.isLive(order) || endsTwice[state.rules]) decideChild(state, order);
    }
  }
}

/** Leaves a resting order at most the given lots. */
export function cutTo(state: FuturesState, order: LiveOrder, lots: number): void {
  const left = leftOf(order);
  if (left <= lots) return;
  if (lots === 0) return endOrder(state, order, expiredBy('reduce_only'));
  state.getMarket(order.marketId).book.reduce(order.slot, left - lots);
  order.quantity = (order.filledQuantity + lots) as Lots;
  state.reportOrder(order, 'amended', 'reduce_only');
}
