import type { Amount } from '../../domain/amount.ts';
import type { FuturesMarketId, Rate } from '../../domain/futures-market.ts';
import type {
  FuturesOrder,
  FuturesOrderStatus,
  FuturesTrade,
  OrderOrigin,
} from '../../domain/futures-order.ts';
import type {
  AccountId,
  Address,
  OrderNumber,
  TimestampMs,
  TradeId,
} from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';
import type {
  CloseOutStage,
  FuturesOrderEnd,
  LiquidationStep,
} from '../../engine/futures-events.ts';
import type { EquityInterval, EquityRecords } from '../futures/account-equity.ts';
import type { AggregateScan, ScannedAggregates } from '../market-data/aggregate-trades.ts';
import type { CursorPage } from './database.ts';

/** An order in history, with the reason if the exchange ended it. */
export interface PastFuturesOrder extends FuturesOrder {
  readonly end?: FuturesOrderEnd | null;
}

/** Futures data from the database; live state is read from the engine. */
export interface FuturesHistory {
  /** Finished and live orders, trigger orders included. */
  listOrders(filter: FuturesOrderFilter): Promise<CursorPage<PastFuturesOrder>>;
  /** The number of orders that match the filter on all pages. */
  countOrders(filter: FuturesOrderFilter): Promise<number>;
  /** Null if there is no such order. */
  findOrder(orderNumber: OrderNumber): Promise<PastFuturesOrder | null>;
  /** The newest order with that client order id. */
  findOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): Promise<PastFuturesOrder | null>;
  /** An order's amendments, oldest first. */
  listAmendments(filter: FuturesAmendmentFilter): Promise<readonly FuturesAmendment[]>;
  /** The account's trades, each with the account's side. */
  listTrades(filter: FuturesTradeFilter): Promise<CursorPage<OwnFuturesTrade>>;
  /** Of all pages of the same filter. */
  countTrades(filter: FuturesTradeFilter): Promise<number>;
  /** A market's public trades. */
  listMarketTrades(filter: MarketTradeFilter): Promise<readonly TimedFuturesTrade[]>;
  /** The same merged into aggregates by the database, from a bounded number of trades. */
  scanAggregateTrades(scan: AggregateScan<FuturesMarketId>): Promise<ScannedAggregates>;
  /** Oldest first: from the start time if given, otherwise the newest ones. */
  listKlines(filter: FuturesKlineFilter): Promise<readonly FuturesKline[]>;
  /** Statistics of the 24 hours before `now`; markets without a trade are left out. */
  listTickers(
    marketIds: readonly FuturesMarketId[],
    now: TimestampMs,
  ): Promise<ReadonlyMap<FuturesMarketId, FuturesTicker>>;
  /** In the order that the filter asks for. */
  listIncome(filter: IncomeFilter): Promise<readonly IncomeEntry[]>;
  /** What changed the equity in a period, and where it began. */
  loadEquityRecords(filter: EquityFilter): Promise<EquityRecords>;
  /** By funding time, in the order that the filter asks for. */
  listFundingRates(filter: FundingRateFilter): Promise<readonly FundingRateEntry[]>;
  /** The steps of the account's close-outs, newest first. */
  listLiquidationSteps(accountId: AccountId, limit: number): Promise<readonly LiquidationEntry[]>;
}

/** Sort order of a list. */
export type HistoryOrder = 'newest_first' | 'oldest_first';

/** Both inclusive, in milliseconds since 1970; null is unbounded. */
interface TimeSpan {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** Where a page starts: after a cursor, or after `offset` rows; the first page has neither. */
interface PagePlace {
  readonly limit: number;
  readonly cursor: string | null;
  readonly offset: number;
}

/** Which futures orders to list; null matches all. */
export interface FuturesOrderFilter extends TimeSpan, PagePlace {
  readonly accountId: AccountId;
  /** Null: all markets. */
  readonly marketId: FuturesMarketId | null;
  readonly statuses: readonly FuturesOrderStatus[] | null;
  /** Trigger orders only, all others only, or both (null). */
  readonly isTrigger: boolean | null;
  /** Only orders that the exchange placed to close a position, for this reason or for any. */
  readonly forcedBy: Exclude<OrderOrigin, 'user'> | 'any' | null;
  /** This order and later ones. */
  readonly from: OrderNumber | null;
  readonly order: HistoryOrder;
}

/** Which of an account's trades to list; null matches all. */
export interface FuturesTradeFilter extends TimeSpan, PagePlace {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId | null;
  readonly orderNumber: OrderNumber | null;
  /** This trade and later ones. */
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
}

/** Which of a market's trades to list. */
export interface MarketTradeFilter extends TimeSpan {
  readonly marketId: FuturesMarketId;
  readonly from: TradeId | null;
  readonly order: HistoryOrder;
  readonly limit: number;
}

/** A trade and its time. */
export interface TimedFuturesTrade {
  readonly trade: FuturesTrade;
  readonly createdAt: TimestampMs;
}

/** A trade with the account's side of it. */
export interface OwnFuturesTrade extends TimedFuturesTrade {
  readonly role: 'maker' | 'taker';
}

/** Which of an order's amendments to list. */
export interface FuturesAmendmentFilter extends TimeSpan {
  readonly orderNumber: OrderNumber;
  /** That many from the start time if given, otherwise the newest. */
  readonly limit: number;
  readonly order: HistoryOrder;
}

/** One amendment of an order; prices and quantities are decimal texts. */
export interface FuturesAmendment {
  readonly id: number;
  /** The amendment's number within its order, from 1. */
  readonly count: number;
  readonly priceBefore: string | null;
  readonly priceAfter: string | null;
  readonly quantityBefore: string;
  readonly quantityAfter: string;
  /** The client's id for it. */
  readonly modifyId: number | null;
  readonly createdAt: TimestampMs;
}

/** Which candles to list. */
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

/** Statistics of the 24 hours up to closeTime; numbers are decimal texts. */
export interface FuturesTicker {
  readonly lastPrice: string;
  readonly lastQuantity: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly priceChange: string;
  /** Rounded to three decimals, half away from zero. */
  readonly priceChangePercent: string;
  /** Quote volume over volume, cut to eight decimals; the last price if there was no trade. */
  readonly weightedAveragePrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly tradeCount: number;
  /** Null if there was no trade in the 24 hours. */
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
/** Why a perp wallet's balance changed, in the spelling of /fapi. */
export type IncomeType = (typeof incomeTypes)[number];

/** Which income entries to list. */
export interface IncomeFilter extends TimeSpan {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId | null;
  /** Null: all types. */
  readonly type: IncomeType | null;
  readonly order: HistoryOrder;
  readonly limit: number;
  readonly offset: number;
}

/** Whose equity to read, and from which period on; periods are counted since 1970. */
export interface EquityFilter {
  readonly accountId: AccountId;
  readonly address: Address;
  readonly interval: EquityInterval;
  readonly firstPeriod: number;
}

/** One change of a perp wallet's balance. */
export interface IncomeEntry {
  /** Unique within its type. */
  readonly id: number;
  readonly type: IncomeType;
  readonly marketId: FuturesMarketId | null;
  /** USDT; negative if the account paid. */
  readonly amount: Amount;
  readonly tradeId: TradeId | null;
  readonly createdAt: TimestampMs;
}

/** Which funding rates to list; marketId null: of all markets. */
export interface FundingRateFilter extends TimeSpan {
  readonly marketId: FuturesMarketId | null;
  readonly order: HistoryOrder;
  readonly limit: number;
}

/** The rate of one past funding; markPrice in USDT for one whole base asset. */
export interface FundingRateEntry {
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly fundingRate: Rate;
  readonly markPrice: Amount;
}

/** One step of a close-out; amounts in USDT, the price as decimal text. */
export interface LiquidationEntry {
  readonly id: number;
  /** Null for steps that concern the whole account. */
  readonly marketId: FuturesMarketId | null;
  /** The close-out that it belongs to, and how far that had come; null for the oldest rows. */
  readonly number: number | null;
  readonly stage: CloseOutStage | null;
  readonly step: LiquidationStep;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly bankruptcyPrice: string | null;
  /** What it is to close or has closed, in the base asset; null up to rules 12. */
  readonly quantity: string | null;
  /** Null up to rules 12. */
  readonly paidByFund: Amount | null;
  readonly createdAt: TimestampMs;
}
