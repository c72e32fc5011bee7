import type { Amount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { FuturesMarketId } from './futures-market.ts';
import type { AccountId, OrderNumber, TimestampMs, TradeId, TradeNumber } from './identifiers.ts';
import type { Lots, Ticks } from './spot-market.ts';
import type { Side } from './spot-order.ts';

export const futuresOrderTypes = [
  'limit',
  'market',
  'stop',
  'take_profit',
  'stop_market',
  'take_profit_market',
  'trailing_stop_market',
] as const;
/** A futures order's type. All but `limit` and `market` wait for a trigger. */
export type FuturesOrderType = (typeof futuresOrderTypes)[number];

export const futuresTimesInForce = ['gtc', 'ioc', 'fok', 'gtx', 'gtd'] as const;
/**
 * How long a futures order lives: `gtx` is post-only (it rests or is rejected), `gtd` rests until a
 * given time, `ioc` and `fok` never rest.
 */
export type FuturesTimeInForce = (typeof futuresTimesInForce)[number];

export const futuresOrderStatuses = [
  'new',
  'partially_filled',
  'filled',
  'canceled',
  'rejected',
  'expired',
  'expired_in_match',
] as const;
/**
 * A futures order's status; `expired_in_match` is a resting order that self-trade prevention
 * expired.
 */
export type FuturesOrderStatus = (typeof futuresOrderStatuses)[number];

export const triggerPriceKinds = ['contract', 'mark'] as const;
/** The price that a trigger watches: the market's last trade (`contract`) or its mark price. */
export type TriggerPriceKind = (typeof triggerPriceKinds)[number];

export const selfTradeModes = ['expire_taker', 'expire_maker', 'expire_both'] as const;
/** Which order expires when two orders of one account would trade with each other. */
export type SelfTradeMode = (typeof selfTradeModes)[number];

/**
 * Which of the two orders expire, by the arriving order's mode. Spot orders have no mode: one that
 * would meet an order of its own account is refused before it trades.
 */
export const selfTradeEnds: Readonly<
  Record<SelfTradeMode, { readonly maker: boolean; readonly taker: boolean }>
> = {
  expire_taker: { maker: false, taker: true },
  expire_maker: { maker: true, taker: false },
  expire_both: { maker: true, taker: true },
};

export const priceMatches = [
  'none',
  'opponent',
  'opponent_5',
  'opponent_10',
  'opponent_20',
  'queue',
  'queue_5',
  'queue_10',
  'queue_20',
] as const;
/**
 * The book level from which a limit order takes its price: the best, fifth, tenth or twentieth of
 * the opposite side (`opponent`) or of the order's own side (`queue`).
 */
export type PriceMatch = (typeof priceMatches)[number];

export const orderOrigins = ['user', 'liquidation', 'auto_deleveraging'] as const;
/** Who placed an order: its user, or the exchange when it closes a position. */
export type OrderOrigin = (typeof orderOrigins)[number];

/** A trailing stop's callback rate in basis points (0.01 %). */
export type CallbackBps = Brand<number, 'CallbackBps'>;

/** What a user sets when placing an order, as the command carries it and the order keeps it. */
export interface FuturesOrderParameters {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  /** Unique among the account's open orders; null if the user gave none. */
  readonly clientOrderId: string | null;
  readonly side: Side;
  readonly timeInForce: FuturesTimeInForce;
  readonly priceMatch: PriceMatch;
  /** The trigger price in ticks; null for types without one. */
  readonly stopPrice: Ticks | null;
  readonly triggerPriceKind: TriggerPriceKind;
  /** The price in ticks from which a trailing stop follows the market; null: from the start. */
  readonly activationPrice: Ticks | null;
  /** Null for all types but trailing stops. */
  readonly callback: CallbackBps | null;
  readonly isReduceOnly: boolean;
  /** Closes whatever the position is when it triggers, so it is placed without a quantity. */
  readonly isClosePosition: boolean;
  /** Triggers only while the mark price and the last price are close to each other. */
  readonly isPriceProtected: boolean;
  readonly selfTradeMode: SelfTradeMode;
  /** When a `gtd` order expires; null for all others. */
  readonly goodTill: TimestampMs | null;
  /** Placed through the conditional-order endpoints. */
  readonly isAlgo: boolean;
}

/** An order's state after a command. A trigger order keeps its number when it triggers. */
export interface FuturesOrder extends FuturesOrderParameters {
  readonly orderNumber: OrderNumber;
  /** As placed. Once triggeredAt is set, a trigger type behaves as a limit or market order. */
  readonly type: FuturesOrderType;
  /** Null for market types, and for a waiting trigger order that takes its price from the book. */
  readonly price: Ticks | null;
  /** 0 for a close-position order until it triggers. */
  readonly quantity: Lots;
  readonly filledQuantity: Lots;
  readonly filledQuote: Amount;
  readonly status: FuturesOrderStatus;
  /** The order whose cancellation also cancels this take-profit or stop-loss. */
  readonly parentOrderNumber: OrderNumber | null;
  readonly origin: OrderOrigin;
  readonly triggeredAt: TimestampMs | null;
  readonly createdAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/** The result of a futures trade for one side. */
export interface FuturesTradeParty {
  readonly orderNumber: OrderNumber;
  readonly accountId: AccountId;
  /** USDT that the side pays. */
  readonly fee: Amount;
  /** USDT before fees, negative for a loss; zero if the trade only increased the position. */
  readonly realizedProfit: Amount;
}

/** One match, at the maker's price. */
export interface FuturesTrade {
  readonly tradeNumber: TradeNumber;
  readonly tradeId: TradeId;
  readonly marketId: FuturesMarketId;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  /** The exchange closed both sides at a fixed price, which is not a market price. */
  readonly isOffBook: boolean;
  readonly maker: FuturesTradeParty;
  readonly taker: FuturesTradeParty;
}
