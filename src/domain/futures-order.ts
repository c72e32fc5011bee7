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
export type FuturesOrderType = (typeof futuresOrderTypes)[number];

/** gtx rests or is refused; gtd rests until a time; ioc and fok never rest. */
export const futuresTimesInForce = ['gtc', 'ioc', 'fok', 'gtx', 'gtd'] as const;
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
export type FuturesOrderStatus = (typeof futuresOrderStatuses)[number];

/** The price that a trigger watches: the market's last trade or its mark price. */
export const triggerPriceKinds = ['contract', 'mark'] as const;
export type TriggerPriceKind = (typeof triggerPriceKinds)[number];

/** Who gives way where an account's orders meet; an expired maker is expired_in_match. */
export const selfTradeModes = ['expire_taker', 'expire_maker', 'expire_both'] as const;
export type SelfTradeMode = (typeof selfTradeModes)[number];

/**
 * Where the book gives a limit order its price: its best, fifth, tenth or twentieth level, of the
 * other side or of the order's own.
 */
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
export type PriceMatch = (typeof priceMatches)[number];

/** Why an order stands in the market: its user, or the exchange closing a position. */
export const orderOrigins = ['user', 'liquidation', 'auto_deleveraging'] as const;
export type OrderOrigin = (typeof orderOrigins)[number];

/** A part of a percent: one basis point, 0.01 %. */
export type CallbackBps = Brand<number, 'CallbackBps'>;

/** One order as it stands after a command. A trigger order keeps its number when it triggers. */
export interface FuturesOrder {
  readonly orderNumber: OrderNumber;
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly clientOrderId: string | null;
  readonly side: Side;
  /** As placed; where triggeredAt is set, a trigger type acts as its limit or market twin. */
  readonly type: FuturesOrderType;
  readonly timeInForce: FuturesTimeInForce;
  /** Null for market types, and while a trigger order waits whose price the book is to give. */
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
  /** The order whose cancellation takes this take-profit or stop-loss along. */
  readonly parentOrderNumber: OrderNumber | null;
  /** Placed through the conditional-order endpoints. */
  readonly isAlgo: boolean;
  readonly origin: OrderOrigin;
  readonly triggeredAt: TimestampMs | null;
  readonly createdAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/** What one side of a futures trade brought. */
export interface FuturesTradeParty {
  readonly orderNumber: OrderNumber;
  readonly accountId: AccountId;
  /** USDT, paid. */
  readonly fee: Amount;
  /** USDT before fees; negative for a loss; zero where the position only grew. */
  readonly realizedProfit: Amount;
}

/** One match at the maker's price. */
export interface FuturesTrade {
  readonly tradeNumber: TradeNumber;
  readonly tradeId: TradeId;
  readonly marketId: FuturesMarketId;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  /** The exchange closed both sides at a price of its own, which is no market price. */
  readonly isOffBook: boolean;
  readonly maker: FuturesTradeParty;
  readonly taker: FuturesTradeParty;
}
