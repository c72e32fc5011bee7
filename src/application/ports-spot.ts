import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
} from '../domain/identifiers.ts';
import type { KlineInterval } from '../domain/kline-interval.ts';
import type { SpotOrder, SpotTrade } from '../domain/spot-order.ts';
import type { FuturesKline, FuturesTicker, HistoryOrder } from './ports-futures.ts';

/** What the database knows of spot, in the engine's own shapes: for clients of Binance's spot. */
export interface SpotRecords {
  /** The account's orders of a market, live and finished, by number. */
  listOrders(filter: SpotRecordFilter): Promise<readonly SpotOrder[]>;
  findOrder(accountId: AccountId, orderNumber: OrderNumber): Promise<SpotOrder | null>;
  /** The newest one of that name. */
  findOrderByClientId(accountId: AccountId, clientOrderId: string): Promise<SpotOrder | null>;
  /** The account's trades of a market, by number, with its own side of each. */
  listOwnTrades(filter: SpotTradeRecordFilter): Promise<readonly OwnSpotTrade[]>;
  /** A market's trades, for everybody. */
  listMarketTrades(filter: SpotMarketTradeFilter): Promise<readonly TimedSpotTrade[]>;
  /** Oldest first: from the start where one is given, else the newest ones. */
  listKlines(filter: SpotKlineFilter): Promise<readonly SpotKline[]>;
  /** Statistics of the 24 hours before `now`; null before the market's first trade. */
  findDay(marketId: MarketId, now: TimestampMs): Promise<SpotDay | null>;
  /**
   * Quote over base volume of the trades from `since` on, cut to eight decimals; the last price
   * where there are none, null before the first trade.
   */
  findAveragePrice(marketId: MarketId, since: number): Promise<AveragePrice | null>;
}

interface RecordSpan {
  readonly marketId: MarketId;
  /** Both inclusive, in milliseconds since 1970; null: unbounded. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

export interface SpotRecordFilter extends RecordSpan {
  readonly accountId: AccountId;
  /** This order and those after it. */
  readonly from: OrderNumber | null;
  readonly order: HistoryOrder;
}

export interface SpotTradeRecordFilter extends RecordSpan {
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber | null;
  /** This trade and those after it. */
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

export interface SpotMarketTradeFilter extends RecordSpan {
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

export interface SpotKlineFilter extends RecordSpan {
  readonly interval: KlineInterval;
}

export interface TimedSpotTrade {
  readonly trade: SpotTrade;
  readonly createdAt: TimestampMs;
}

export interface OwnSpotTrade extends TimedSpotTrade {
  readonly role: 'maker' | 'taker';
}

export type SpotKline = FuturesKline;

export interface SpotDay extends FuturesTicker {
  /** The last price before the day; the first one in it where there is none. */
  readonly previousClose: string;
}

export interface AveragePrice {
  readonly price: string;
  /** When the last trade was made that it counts. */
  readonly closeTime: TimestampMs;
}
