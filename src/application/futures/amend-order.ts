import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type { Address, OrderNumber } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { RequestDigest } from '../ports/exchange.ts';
import { amendFuturesOrder } from './enter-futures-order.ts';
import type { FuturesPorts } from './futures-ports.ts';
import { type PlacedOrderView, viewEnteredOrder } from './place-order.ts';

export interface OwnOrder {
  readonly market: FuturesMarket;
  readonly order: FuturesOrder;
}

/** The caller's live order with that number, and its market. */
export function findOwnOrder(
  { exchange }: FuturesPorts,
  caller: Address,
  orderNumber: OrderNumber,
): Outcome<OwnOrder> {
  return exchange.peek((view) => {
    const order = view.futures.findOpenFuturesOrder(orderNumber);
    const isOwn = order !== null && order.accountId === view.findAccount(caller);
    if (!isOwn) return refused({ reason: 'order_not_found' });
    return done({ order, market: view.futures.getFuturesMarket(order.marketId) });
  });
}

/**
 * Changes the price or quantity of a resting limit order under the same number; null keeps the
 * value. Returns its state after matching, once durable.
 * @throws EngineBusyError, EngineRestartingError: nothing was changed.
 */
export async function amendOrder(
  ports: FuturesPorts,
  caller: Address,
  { market, order }: OwnOrder,
  change: { readonly price: Ticks | null; readonly quantity: Lots | null },
  digest: RequestDigest | null,
): Promise<Outcome<PlacedOrderView>> {
  const price = change.price ?? order.price;
  if (price === null) return refused({ reason: 'order_not_amendable' });
  const amended = await amendFuturesOrder(
    ports,
    caller,
    {
      orderNumber: order.orderNumber,
      side: null,
      price,
      priceMatch: 'none',
      quantity: change.quantity ?? order.quantity,
      modifyId: null,
    },
    digest,
  );
  return amended.kind === 'refused' ? amended : done(viewEnteredOrder(market, amended.value));
}
