import type { FuturesState } from '../futures-state.ts';
import { byParent } from './attached-by-parent.ts';
import { decideChild } from './end-order.ts';
import { isWaiting } from './live-order.ts';

/**
 * Lets the attached orders of a state of rules 11 protect the positions on their sides. Those that
 * watch a price without such a position wait for the next fill of their parent. Orders of their own
 * account give way to them.
 */
export function adoptPositions(state: FuturesState): void {
  for (const child of state.orders.values()) {
    if (child.parentOrderNumber === null || !isWaiting(child)) continue;
    child.selfTradeMode = 'expire_maker';
    if (!byParent.isArmed(state, child)) continue;
    if (byParent.isProtecting(state, child)) {
      const { accountId, marketId, parentOrderNumber } = child;
      const position = state.openAccount(accountId).positionIn(marketId);
      const parent = state.orders.get(parentOrderNumber);
      child.positionNumber = position.number;
      child.coveredQuantity = parent?.filledQuantity ?? child.quantity;
    } else decideChild(state, child);
  }
}
