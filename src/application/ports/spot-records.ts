import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
} from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';
import type { SpotOrder, SpotTrade } from '../../domain/spot-order.ts';
import type { AggregateScan, ScannedAggregates } from '../market-data/aggregate-trades.ts';
import type { FuturesKline, FuturesTicker, HistoryOrder } from './futures-history.ts';

/** Spot data from the database in the engine's own types, for the Binance spot API. */
export interface SpotRecords {
  /** The account's orders of a market, live and finished, by number. */
  listOrders(filter: SpotRecordFilter): Promise<readonly SpotOrder[]>;
  /** Null if there is no such order or it is another account's. */
  findOrder(accountId: AccountId, orderNumber: OrderNumber): Promise<SpotOrder | null>;
  /** The newest order with that client order id. */
  findOrderByClientId(accountId: AccountId, clientOrderId: string): Promise<SpotOrder | null>;
  /** The account's trades of a market by number, each with the account's side. */
  listOwnTrades(filter: SpotTradeRecordFilter): Promise<readonly OwnSpotTrade[]>;
  /** A market's public trades. */
  listMarketTrades(filter: SpotMarketTradeFilter): Promise<readonly TimedSpotTrade[]>;
  /** The same merged into aggregates by the database, from a bounded number of trades. */
  scanAggregateTrades(scan: AggregateScan<MarketId>): Promise<ScannedAggregates>;
  /** Oldest first: from the start time if given, otherwise the newest ones. */
  listKlines(filter: SpotKlineFilter): Promise<readonly SpotKline[]>;
  /** Statistics from `since` to `now`; markets without a trade are left out. */
  listDays(
    marketIds: readonly MarketId[],
    now: TimestampMs,
    since: number,
  ): Promise<ReadonlyMap<MarketId, SpotDay>>;
  /** The price of each market's last trade; markets without one are left out. */
  listLastPrices(marketIds: readonly MarketId[]): Promise<ReadonlyMap<MarketId, string>>;
  /**
   * Quote volume over base volume of the trades since `since`, cut to eight decimals; the last
   * price if there are none, null before the first trade.
   */
  findAveragePrice(marketId: MarketId, since: number): Promise<AveragePrice | null>;
}

interface RecordSpan {
  readonly marketId: MarketId;
  /** Both inclusive, in milliseconds since 1970; null is unbounded. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/** Which of an account's orders to list. */
export interface SpotRecordFilter extends RecordSpan {
  readonly accountId: AccountId;
  /** This order and later ones. */
  readonly from: OrderNumber | null;
  readonly order: HistoryOrder;
}

/** Which of an account's trades to list. */
export interface SpotTradeRecordFilter extends RecordSpan {
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber | null;
  /** This trade and later ones. */
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

/** Which of a market's trades to list; from this trade on, if given. */
export interface SpotMarketTradeFilter extends RecordSpan {
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

/** Which candles to list. */
export interface SpotKlineFilter extends RecordSpan {
  readonly interval: KlineInterval;
}

/** A trade and its time. */
export interface TimedSpotTrade {
  readonly trade: SpotTrade;
  readonly createdAt: TimestampMs;
}

/** A trade with the account's side of it. */
export interface OwnSpotTrade extends TimedSpotTrade {
  readonly role: 'maker' | 'taker';
}

/** A candle; prices and volumes are decimal texts. */
export type SpotKline = FuturesKline;

/** Statistics of a market's last 24 hours; numbers are decimal texts. */
export interface SpotDay extends FuturesTicker {
  /** The last price before the 24 hours; the first one within them if there is none. */
  readonly previousClose: string;
}

/** An average price as decimal text. */
export interface AveragePrice {
  readonly price: string;
  /** When the last of the averaged trades was made. */
  readonly closeTime: TimestampMs;
}
