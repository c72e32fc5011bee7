import type { AttachedRules } from './attached-rules.ts';

/** Rules 11: an attached order watches its price once its parent has traded. */
export const byParent: AttachedRules = {
  isArmed(state, { parentOrderNumber }) {
    const parent = state.orders.get(parentOrderNumber ?? 0);
    return parent === undefined || parent.filledQuantity > 0;
  },

  isProtecting(state, { accountId, marketId, side }) {
    const quantity = state.openAccount(accountId).quantityIn(marketId);
    return side === 'sell' ? quantity > 0 : quantity < 0;
  },

  followFill(state, parent, children) {
    if (parent.filledQuantity > 0) return;
    const { triggers } = state.getMarket(parent.marketId);
    for (const child of children) triggers.add(child);
  },

  waitForFill() {
    // It keeps watching its price.
  },
};
