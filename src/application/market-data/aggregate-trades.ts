import type { TradeId } from '../../domain/identifiers.ts';
import type { Ticks } from '../../domain/spot-market.ts';
import type { Side, SpotTrade } from '../../domain/spot-order.ts';

// Aggregate trades as on Binance: consecutive trades at the same price with the same taker side
// within 100 ms are one. Time is divided into windows of 100 ms, so that the aggregates do not
// depend on where a reader starts.

export const aggregateWindowMs = 100;

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

/** Which of a market's aggregates to read, and how many trades at most. */
export interface AggregateScan<Id> {
  readonly marketId: Id;
  /** This aggregate and later ones; null is unbounded, as for times. */
  readonly from: TradeId | null;
  /** Both inclusive; compared with the aggregate's first trade. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** Trades since the start of a window and before that of another are read. */
  readonly since: number | null;
  readonly before: number | null;
  /** From the oldest trade on; otherwise from the newest one back. */
  readonly isForward: boolean;
  readonly tradesMax: number | null;
  readonly limit: number;
}

export interface ScannedAggregates {
  /** Whole ones only, oldest first. */
  readonly aggregates: readonly AggregateTrade[];
  /** The time of the last trade that was read if there may be more; otherwise null. */
  readonly cutAt: number | null;
}

/** The start of the window that contains the time. */
export function aggregateWindowStart(time: number): number {
  return time - (time % aggregateWindowMs);
}

/** The first moment after the time's window. */
export function aggregateWindowEnd(time: number): number {
  return aggregateWindowStart(time) + aggregateWindowMs;
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
