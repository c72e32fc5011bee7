import type { Ticks } from '../../domain/spot-market.ts';
import type { Side, SpotTrade } from '../../domain/spot-order.ts';

// Aggregate trades as on Binance: consecutive trades at the same price with the same taker side
// within 100 ms are one. Time is divided into windows of 100 ms, so that the aggregates do not
// depend on where a reader starts.

const windowMs = 100;

/** A spot or futures trade. */
export type MergeableTrade = Pick<SpotTrade, 'price' | 'takerSide' | 'quantity' | 'tradeId'>;

/** Trades merged into one; its id is that of the first trade. */
export interface AggregateTrade {
  readonly price: Ticks;
  readonly takerSide: Side;
  readonly quantity: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  /** Time of the first trade. */
  readonly time: number;
}

/** The start of the window that contains the time. */
export function aggregateWindowStart(time: number): number {
  return time - (time % windowMs);
}

/** The first moment after the time's window. */
export function aggregateWindowEnd(time: number): number {
  return aggregateWindowStart(time) + windowMs;
}

/** The aggregate including the next trade; null if that trade starts another aggregate. */
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
