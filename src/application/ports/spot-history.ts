import type { Address, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';
import type {
  KlineView,
  PublicSpotTradeView,
  SpotTickerStatistics,
} from '../market-data/market-views.ts';
import type { SpotOrderView, SpotTradeView } from '../trading/spot-views.ts';
import type { CursorPage } from './database.ts';

/** Spot orders, trades and market statistics, as stored in the database. */
export interface SpotHistory {
  /** Newest first. */
  listOrders(filter: SpotOrderFilter): Promise<CursorPage<SpotOrderView>>;
  /** Null if there is no such order. */
  findOrder(orderNumber: OrderNumber): Promise<OwnedSpotOrder | null>;
  /** Newest first. */
  listTrades(filter: SpotTradeFilter): Promise<CursorPage<SpotTradeView>>;
  /** A market's newest trades, newest first. */
  listRecentTrades(symbol: string, limit: number): Promise<readonly PublicSpotTradeView[]>;
  /** Oldest first. */
  listKlines(filter: KlineFilter): Promise<readonly KlineView[]>;
  /** Statistics of the 24 hours before `now`; markets without a trade are left out. */
  listTickers(
    symbols: readonly string[],
    now: TimestampMs,
  ): Promise<ReadonlyMap<string, SpotTickerStatistics>>;
}

/** Which of an account's orders to list; null matches all. */
export interface SpotOrderFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly status: string | null;
  readonly clientOrderId: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Which of an account's trades to list; null matches all. */
export interface SpotTradeFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Which candles to list. */
export interface KlineFilter {
  readonly symbol: string;
  readonly interval: KlineInterval;
  /** Milliseconds since 1970, both inclusive, of the candles' open time; null is unbounded. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/** An order with its owner. */
export interface OwnedSpotOrder {
  readonly owner: Address;
  readonly order: SpotOrderView;
}
