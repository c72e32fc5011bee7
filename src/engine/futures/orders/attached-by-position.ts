import type { Lots } from '../../../domain/spot-market.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import type { AttachedRules } from './attached-rules.ts';
import type { LiveOrder } from './live-order.ts';

/**
 * Rules 12: an attached order protects the position that its parent opens or increases. It stores
 * the number of that position and the lots that the parent has filled in it. Without such a
 * position it watches no price: there is nothing to protect, and firing would only use it up.
 */
export const byPosition: AttachedRules = {
  isArmed(_state, child) {
    return child.positionNumber !== null;
  },

  isProtecting(state, child) {
    const position = positionOf(state, child);
    if (position === undefined || position.quantity === 0) return false;
    return position.number === child.positionNumber;
  },

  followFill(state, parent, children, quantity) {
    const position = positionOf(state, parent);
    if (position === undefined) return;
    const held = parent.side === 'buy' ? position.quantity : -position.quantity;
    // The fill has only reduced an opposite position, in which there is nothing to protect.
    if (held <= 0) return;
    const { triggers } = state.getMarket(parent.marketId);
    for (const child of children) {
      const isSame = child.positionNumber === position.number;
      const before = isSame ? child.coveredQuantity : 0;
      if (child.positionNumber === null) triggers.add(child);
      child.positionNumber = position.number;
      child.coveredQuantity = (before + Math.min(quantity, held)) as Lots;
    }
  },

  waitForFill(state, child) {
    state.getMarket(child.marketId).triggers.remove(child);
    child.positionNumber = null;
    child.coveredQuantity = 0 as Lots;
  },
};

function positionOf(state: FuturesState, { accountId, marketId }: LiveOrder): Position | undefined {
  return state.openAccount(accountId).positions[marketId];
}
