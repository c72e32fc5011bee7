import type { Ticks } from '../../domain/spot-market.ts';
import type { Side, SpotTrade } from '../../domain/spot-order.ts';

// Aggregate trades in the manner of Binance: trades that follow each other at the same price with
// the same taker side within 100 ms are one. Time is cut into windows of 100 ms, so that it does
// not depend on where a reader begins which trades are one.

const windowMs = 100;

/** A trade, spot or futures. */
export type MergeableTrade = Pick<SpotTrade, 'price' | 'takerSide' | 'quantity' | 'tradeId'>;

/** Trades taken as one; its id is that of its first trade. */
export interface AggregateTrade {
  readonly price: Ticks;
  readonly takerSide: Side;
  readonly quantity: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  /** Of the first trade. */
  readonly time: number;
}

/** When the window began that the time lies in. */
export function aggregateWindowStart(time: number): number {
  return time - (time % windowMs);
}

/** The first moment that is no longer in the time's window. */
export function aggregateWindowEnd(time: number): number {
  return aggregateWindowStart(time) + windowMs;
}

/** The aggregate with the next trade in it; null where that begins another one. */
export function growAggregate(
  aggregate: AggregateTrade,
  trade: MergeableTrade,
  time: number,
): AggregateTrade | null {
  const isSame =
    aggregate.price === trade.price &&
    aggregate.takerSide === trade.takerSide &&
    aggregateWindowStart(aggregate.time) === aggregateWindowStart(time);
  if (!isSame) return null;
  const quantity = aggregate.quantity + trade.quantity;
  return { ...aggregate, quantity, lastTradeId: trade.tradeId };
}

export function beginAggregate(trade: MergeableTrade, time: number): AggregateTrade {
  const { price, takerSide, quantity, tradeId } = trade;
  return { price, takerSide, quantity, time, firstTradeId: tradeId, lastTradeId: tradeId };
}
