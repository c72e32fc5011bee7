import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { Position } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { payByHouse } from '../liquidation/insurance.ts';
import { settleTrade } from '../orders/futures-settlement.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import type { FuturesMarketState } from './futures-market-state.ts';

/**
 * Settles a market's longs against its shorts at the value price, without fees. Everybody there has
 * been judged at it; what rounding to a tick costs an account that has nothing else the house pays.
 */
export function closeAllPositions(state: FuturesState, market: FuturesMarketState): void {
  const { marketId } = market.terms;
  const price =
    market.markPrice === null ? market.lastPrice : Math.max(1, market.ticksBelow(market.markPrice));
  const open = state.accounts.flatMap((account) => account?.positions[marketId] ?? []);
  const longs = open.filter(({ quantity }) => quantity > 0);
  const shorts = open.filter(({ quantity }) => quantity < 0);
  let next = 0;
  for (const long of longs) {
    while (long.quantity > 0) {
      const short = shorts[next] as Position;
      const quantity = Math.min(long.quantity, -short.quantity);
      const maker = closingOrder(state, long, price, quantity);
      const taker = closingOrder(state, short, price, quantity);
      settleTrade(state, market, { maker, taker, price, quantity });
      if (short.quantity === 0) next += 1;
    }
  }
  for (const { accountId } of open) {
    const account = state.openAccount(accountId);
    const isFlat = account.positions.every((position) => (position?.quantity ?? 0) === 0);
    if (isFlat) payByHouse(state, account);
  }
}

function closingOrder(
  state: FuturesState,
  { accountId, marketId, quantity: held }: Position,
  price: number,
  quantity: number,
): LiveOrder {
  const order = state.openOrder(state.takeOrderNumber(), accountId, marketId);
  order.side = held > 0 ? 'sell' : 'buy';
  order.type = 'limit';
  order.price = price as Ticks;
  order.quantity = quantity as Lots;
  order.isReduceOnly = true;
  order.origin = 'auto_deleveraging';
  return order;
}
