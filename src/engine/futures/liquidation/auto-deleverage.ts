import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { settleTrade } from '../orders/futures-settlement.ts';
import { blankOrder, type LiveOrder, leftOf } from '../orders/live-order.ts';
import { findCandidates } from './ranking.ts';

/**
 * Trades what is left of a liquidation order against the other side's positions, the best ranked
 * first, at the bankruptcy price of the account that is liquidated.
 * @returns how many positions of other accounts were looked at.
 */
export function autoDeleverage(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  price: number,
): number {
  const side = order.side === 'buy' ? 'long' : 'short';
  const candidates = findCandidates(state, market, side, order.accountId);
  for (const { account, position } of candidates) {
    if (leftOf(order) === 0) break;
    const quantity = Math.min(leftOf(order), Math.abs(position.quantity));
    const forced = blankOrder(
      state.takeOrderNumber(),
      account.accountId,
      order.marketId,
      state.now,
    );
    forced.side = order.side === 'buy' ? 'sell' : 'buy';
    forced.type = 'limit';
    forced.price = price as Ticks;
    forced.quantity = quantity as Lots;
    forced.isReduceOnly = true;
    forced.origin = 'auto_deleveraging';
    settleTrade(state, market, { maker: forced, taker: order, price, quantity });
  }
  return candidates.reduce((sum, { account }) => sum + account.positions.length, 0);
}
