import type { Amount } from '../domain/amount.ts';
import type { FuturesMarketId, Rate } from '../domain/futures-market.ts';
import type {
  FuturesOrder,
  FuturesOrderStatus,
  FuturesTrade,
  OrderOrigin,
} from '../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs, TradeId } from '../domain/identifiers.ts';
import type { KlineInterval } from '../domain/kline-interval.ts';
import type { FuturesOrderEnd, LiquidationStep } from '../engine/futures-events.ts';
import type { CursorPage } from './ports.ts';

/** An order as it stands in history, with why the exchange itself ended it. */
export interface PastFuturesOrder extends FuturesOrder {
  readonly end?: FuturesOrderEnd | null;
}

/** What the database knows of futures; live state comes from the engine. */
export interface FuturesHistory {
  /** Finished and live orders, trigger orders included. */
  listOrders(filter: FuturesOrderFilter): Promise<CursorPage<PastFuturesOrder>>;
  /** All that the filter's words match, whatever its page. */
  countOrders(filter: FuturesOrderFilter): Promise<number>;
  findOrder(orderNumber: OrderNumber): Promise<PastFuturesOrder | null>;
  /** The newest one of that name. */
  findOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): Promise<PastFuturesOrder | null>;
  /** An order's amendments, oldest first. */
  listAmendments(filter: FuturesAmendmentFilter): Promise<readonly FuturesAmendment[]>;
  /** The account's trades, with its own side of each. */
  listTrades(filter: FuturesTradeFilter): Promise<CursorPage<OwnFuturesTrade>>;
  countTrades(filter: FuturesTradeFilter): Promise<number>;
  /** A market's trades, for everybody. */
  listMarketTrades(filter: MarketTradeFilter): Promise<readonly TimedFuturesTrade[]>;
  /** Oldest first: from the start where one is given, else the newest ones. */
  listKlines(filter: FuturesKlineFilter): Promise<readonly FuturesKline[]>;
  /** Statistics of the 24 hours before `now`; null before the market's first trade. */
  findTicker(marketId: FuturesMarketId, now: TimestampMs): Promise<FuturesTicker | null>;
  listIncome(filter: IncomeFilter): Promise<readonly IncomeEntry[]>;
  listFundingRates(filter: FundingRateFilter): Promise<readonly FundingRateEntry[]>;
  /** What the exchange did to close the account, newest first. */
  listLiquidationSteps(accountId: AccountId, limit: number): Promise<readonly LiquidationEntry[]>;
}

export type HistoryOrder = 'newest_first' | 'oldest_first';

/** Both inclusive, in milliseconds since 1970; null: unbounded. */
interface TimeSpan {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** Where a page begins: behind a cursor, or after so many rows; the first page has neither. */
interface PagePlace {
  readonly limit: number;
  readonly cursor: string | null;
  readonly offset: number;
}

export interface FuturesOrderFilter extends TimeSpan, PagePlace {
  readonly accountId: AccountId;
  /** Null: of all markets. */
  readonly marketId: FuturesMarketId | null;
  readonly statuses: readonly FuturesOrderStatus[] | null;
  /** Trigger orders only, all others only, or both (null). */
  readonly isTrigger: boolean | null;
  /** Only what the exchange placed to close a position, for one of its reasons or for any. */
  readonly forcedBy: Exclude<OrderOrigin, 'user'> | 'any' | null;
  /** This order and those after it. */
  readonly from: OrderNumber | null;
  readonly order: HistoryOrder;
}

export interface FuturesTradeFilter extends TimeSpan, PagePlace {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId | null;
  readonly orderNumber: OrderNumber | null;
  /** This trade and those after it. */
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

export interface MarketTradeFilter extends TimeSpan {
  readonly marketId: FuturesMarketId;
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
  readonly limit: number;
}

export interface TimedFuturesTrade {
  readonly trade: FuturesTrade;
  readonly createdAt: TimestampMs;
}

export interface OwnFuturesTrade extends TimedFuturesTrade {
  readonly role: 'maker' | 'taker';
}

export interface FuturesAmendmentFilter extends TimeSpan {
  readonly orderNumber: OrderNumber;
  /** So many, from the start where one is asked for, else the newest. */
  readonly limit: number;
  readonly order: HistoryOrder;
}

export interface FuturesAmendment {
  readonly id: number;
  /** Which one of the order's amendments it is, from 1 on. */
  readonly count: number;
  readonly priceBefore: string | null;
  readonly priceAfter: string | null;
  readonly quantityBefore: string;
  readonly quantityAfter: string;
  /** What its client called it. */
  readonly modifyId: number | null;
  readonly createdAt: TimestampMs;
}

export interface FuturesKlineFilter extends TimeSpan {
  readonly marketId: FuturesMarketId;
  readonly interval: KlineInterval;
  readonly limit: number;
}

/** A candle; prices and volumes are decimal texts. */
export interface FuturesKline {
  readonly openTime: TimestampMs;
  readonly closeTime: TimestampMs;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly takerBuyVolume: string;
  readonly takerBuyQuoteVolume: string;
  readonly tradeCount: number;
}

export interface FuturesTicker {
  readonly lastPrice: string;
  readonly lastQuantity: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly priceChange: string;
  /** Rounded to three decimals, halves away from zero. */
  readonly priceChangePercent: string;
  /** Quote volume over volume, cut to eight decimals; the last price without a trade. */
  readonly weightedAveragePrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly tradeCount: number;
  /** Null after a day without a trade. */
  readonly firstTradeId: TradeId | null;
  readonly lastTradeId: TradeId | null;
  readonly openTime: TimestampMs;
  readonly closeTime: TimestampMs;
}

export const incomeTypes = [
  'COMMISSION',
  'REALIZED_PNL',
  'FUNDING_FEE',
  'TRANSFER',
  'INSURANCE_CLEAR',
] as const;
export type IncomeType = (typeof incomeTypes)[number];

export interface IncomeFilter extends TimeSpan {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId | null;
  /** Null: of all types. */
  readonly type: IncomeType | null;
  readonly order: HistoryOrder;
  readonly limit: number;
  readonly offset: number;
}

export interface IncomeEntry {
  /** Unique within its type. */
  readonly id: number;
  readonly type: IncomeType;
  readonly marketId: FuturesMarketId | null;
  /** USDT; below zero where it was paid. */
  readonly amount: Amount;
  readonly tradeId: TradeId | null;
  readonly createdAt: TimestampMs;
}

export interface FundingRateFilter extends TimeSpan {
  readonly marketId: FuturesMarketId | null;
  readonly order: HistoryOrder;
  readonly limit: number;
}

export interface FundingRateEntry {
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly fundingRate: Rate;
  readonly markPrice: Amount;
}

export interface LiquidationEntry {
  readonly id: number;
  /** Null for steps that concern the whole account. */
  readonly marketId: FuturesMarketId | null;
  readonly step: LiquidationStep;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly bankruptcyPrice: string | null;
  readonly createdAt: TimestampMs;
}
