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

/** An order's state after a command. A trigger order keeps its number when it triggers. */
export interface FuturesOrder {
  readonly orderNumber: OrderNumber;
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly clientOrderId: string | null;
  readonly side: Side;
  /** As placed. Once triggeredAt is set, a trigger type behaves as a limit or market order. */
  readonly type: FuturesOrderType;
  readonly timeInForce: FuturesTimeInForce;
  /** Null for market types, and for a waiting trigger order that takes its price from the book. */
  readonly price: Ticks | null;
  readonly priceMatch: PriceMatch;
  /** 0 for a close-position order until it triggers. */
  readonly quantity: Lots;
  readonly filledQuantity: Lots;
  readonly filledQuote: Amount;
  readonly status: FuturesOrderStatus;
  readonly stopPrice: Ticks | null;
  readonly triggerPriceKind: TriggerPriceKind;
  readonly activationPrice: Ticks | null;
  readonly callback: CallbackBps | null;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly goodTill: TimestampMs | null;
  /** The order whose cancellation also cancels this take-profit or stop-loss. */
  readonly parentOrderNumber: OrderNumber | null;
  /** Placed through the conditional-order endpoints. */
  readonly isAlgo: boolean;
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
