import type { Amount } from './amount.ts';
import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from './identifiers.ts';
import type { Lots, Ticks } from './spot-market.ts';

export const sides = ['buy', 'sell'] as const;
/** Whether an order buys or sells the base asset. */
export type Side = (typeof sides)[number];

export const spotOrderTypes = ['limit', 'market'] as const;
/** Whether a spot order names a price; a `market` order never rests. */
export type SpotOrderType = (typeof spotOrderTypes)[number];

export const spotTimesInForce = ['gtc', 'ioc', 'fok', 'post_only'] as const;
/**
 * How long a spot order lives: `post_only` rests or is rejected, `ioc` and `fok` never rest. Market
 * orders are always `ioc`.
 */
export type SpotTimeInForce = (typeof spotTimesInForce)[number];

export const spotOrderStatuses = [
  'new',
  'partially_filled',
  'filled',
  'canceled',
  'expired',
  'rejected',
] as const;
/**
 * How far a spot order has come. `new` and `partially_filled` orders are open; `expired` is a
 * remainder that may not rest.
 */
export type SpotOrderStatus = (typeof spotOrderStatuses)[number];

/** An order's state after a command; amounts are in the market's ticks, lots and tokens. */
export interface SpotOrder {
  readonly orderNumber: OrderNumber;
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly clientOrderId: string | null;
  readonly side: Side;
  readonly type: SpotOrderType;
  readonly timeInForce: SpotTimeInForce;
  /** Null for a market order. */
  readonly price: Ticks | null;
  /** Null for a market order that specifies quoteQuantity. */
  readonly quantity: Lots | null;
  /**
   * The quote money that a market order may spend (buy) or is to bring in (sell); null otherwise.
   */
  readonly quoteQuantity: Amount | null;
  readonly filledQuantity: Lots;
  readonly filledQuote: Amount;
  readonly status: SpotOrderStatus;
  readonly createdAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/** One match of a resting (maker) and an arriving (taker) order, at the maker's price. */
export interface SpotTrade {
  readonly tradeNumber: TradeNumber;
  readonly tradeId: TradeId;
  readonly marketId: MarketId;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  readonly makerOrderNumber: OrderNumber;
  readonly takerOrderNumber: OrderNumber;
  /** When the orders were placed; time and number together make the public order id. */
  readonly makerOrderCreatedAt: TimestampMs;
  readonly takerOrderCreatedAt: TimestampMs;
  readonly makerAccountId: AccountId;
  readonly takerAccountId: AccountId;
  /** Deducted from what each side receives: base for the buyer, quote for the seller. */
  readonly makerFee: Amount;
  readonly takerFee: Amount;
}
