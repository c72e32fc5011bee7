import { type LiveOrder } from './live-order.ts';

/** A trade of two live orders: price in ticks, quantity in lots. */
export interface TradeTerms {
  readonly maker: LiveOrder;
  readonly taker: LiveOrder;
  readonly price: number;
  readonly quantity: number;
}
