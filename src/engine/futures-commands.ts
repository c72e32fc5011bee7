import type { Amount } from '../domain/amount.ts';
import type {
  FuturesMarketId,
  FuturesMarketStatus,
  FuturesMarketTerms,
} from '../domain/futures-market.ts';
import type {
  FuturesOrderParameters,
  FuturesOrderType,
  PriceMatch,
  TriggerPriceKind,
} from '../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';

/**
 * Lists a perpetual.
 *
 * Rejections: market_exists, market_units_too_fine, market_terms_invalid.
 */
export interface CreateFuturesMarket {
  readonly type: 'createFuturesMarket';
  readonly terms: FuturesMarketTerms;
}

/**
 * Changes a market between listed and halted, or delists it, which is final. Listing or halting a
 * market also cancels its planned delisting.
 *
 * Rejections: market_not_found, market_status_final, settlement_price_required; parameter_invalid
 * if the settlement price is more than 10 % from the mark price.
 */
export interface SetFuturesMarketStatus {
  readonly type: 'setFuturesMarketStatus';
  readonly symbol: string;
  readonly status: FuturesMarketStatus;
  /**
   * For a delisting: the price at which positions are settled if the market has too few index
   * prices.
   */
  readonly settlementPrice?: Amount | null;
  /** For a delisting: when it begins; null means now. */
  readonly effectiveAt?: TimestampMs | null;
}

/**
 * An index price set by an administrator, in USDT for one whole base asset.
 *
 * Rejections: market_not_found, amount_not_positive, amount_out_of_range; parameter_invalid if the
 * market takes its index price from its own book.
 */
export interface SetIndexPrice {
  readonly type: 'setIndexPrice';
  readonly symbol: string;
  readonly price: Amount;
}

/**
 * Advances time: updates mark prices, samples premiums, fires triggers, expires orders, pays
 * funding on the hour and checks for accounts to liquidate. It does a bounded part of that work;
 * while the outcome reports that more is due, the same command is sent again. Never rejected.
 */
interface AdvanceTime {
  readonly type: 'advanceTime';
}

/**
 * Moves USDT between an account's spot and perp wallets. A clientTransferId that has already been
 * used moves nothing.
 *
 * Rejections: account_not_found, amount_not_positive, insufficient_balance, amount_out_of_range.
 */
export interface TransferFunds {
  readonly type: 'transferFunds';
  readonly accountId: AccountId;
  readonly direction: 'spot_to_perp' | 'perp_to_spot';
  readonly amount: Amount;
  readonly clientTransferId: string | null;
}

/**
 * Sets an account's leverage in a market: a whole number from 1 to the market's maximum.
 *
 * Rejections: account_not_found, market_not_found, account_in_liquidation; leverage_out_of_range,
 * also if the position is too large for the leverage; insufficient_margin if the account's equity
 * does not cover its margins at the new leverage.
 */
export interface SetLeverage {
  readonly type: 'setLeverage';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly leverage: number;
}

/**
 * Sets an account's fee terms: its VIP discount, and a referred trader's discount on top of it.
 *
 * Rejections: account_not_found; parameter_invalid for a value out of range.
 */
export interface SetAccountFees {
  readonly type: 'setAccountFees';
  readonly accountId: AccountId;
  readonly vipTier: number;
  /** Multiplies the base rates, in tenths: 10 is no discount, 5 is half. From 0 to 10. */
  readonly vipMultiplierTenths: number;
  /** A referred trader's discount on the remaining fee, 0 to 10000 basis points. */
  readonly referralDiscountBps: number;
}

/** A take-profit or stop-loss order that is attached to a parent order and ends with it. */
export interface AttachedTrigger {
  readonly stopPrice: Ticks;
  readonly triggerPriceKind: TriggerPriceKind;
}

/**
 * Places an order whose quantities are already cut to lots and whose prices are ticks. A market
 * order carries the worst price that its user accepts (max slippage or price protection); the
 * engine's own price band limits it too.
 *
 * Rejections: account_not_found, market_not_found, index_price_missing, market_settling,
 * market_halted, market_delisted, market_delisting, index_price_stale, account_in_liquidation,
 * duplicate_client_order_id, too_many_orders, would_trigger_immediately, no_price_to_match,
 * nothing_to_reduce, price_off_tick, notional_too_small, notional_too_large, post_only_would_cross,
 * insufficient_margin, position_too_large.
 */
export interface PlaceFuturesOrder extends FuturesOrderParameters {
  readonly type: 'placeFuturesOrder';
  readonly orderType: FuturesOrderType;
  /** Null for market types, and with a priceMatch. */
  readonly price: Ticks | null;
  /** Null with isClosePosition only. */
  readonly quantity: Lots | null;
  /** The worst price that the user of a market order accepts; null for no such limit. */
  readonly worstPrice: Ticks | null;
  readonly takeProfit: AttachedTrigger | null;
  readonly stopLoss: AttachedTrigger | null;
}

/**
 * Replaces the price and quantity of an order under the same number, or changes nothing at all.
 *
 * Rejections: order_not_found; order_not_amendable if the order does not rest, if nothing would
 * change, or if the quantity is already filled; side_mismatch; and those of placing the new order.
 */
export interface AmendFuturesOrder {
  readonly type: 'amendFuturesOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
  /** Null means unchanged. */
  readonly side: Side | null;
  /** Null with a priceMatch only. */
  readonly price: Ticks | null;
  readonly priceMatch: PriceMatch;
  readonly quantity: Lots;
  /** The client's id for this amendment; the engine does not use it. */
  readonly modifyId: number | null;
}

/**
 * Cancels a resting or waiting order and the trigger orders attached to it.
 *
 * Rejections: account_not_found, order_not_found, order_not_owned.
 */
export interface CancelFuturesOrder {
  readonly type: 'cancelFuturesOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
}

/**
 * Cancels the account's orders. Must be sent again while its outcome contains `workDue`.
 *
 * Rejections: account_not_found, market_not_found.
 */
export interface CancelAllFuturesOrders {
  readonly type: 'cancelAllFuturesOrders';
  readonly accountId: AccountId;
  /** Null means all markets. */
  readonly marketId: FuturesMarketId | null;
  /** All orders, or only those waiting for their trigger. */
  readonly kind: 'all' | 'algo';
}

/**
 * Cancels the account's orders in a market at the given time, unless the countdown is set again
 * first.
 *
 * Rejections: account_not_found, market_not_found.
 */
export interface SetCountdownCancel {
  readonly type: 'setCountdownCancel';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  /** Null stops the countdown. */
  readonly cancelAt: TimestampMs | null;
  readonly kind: CountdownKind;
}

/** All orders, or only those not waiting for a trigger price. */
export type CountdownKind = 'all' | 'resting';

/**
 * Sets money of the perp wallet aside for a withdrawal, releases it, or pays it out permanently.
 * Each step takes effect once per reference; the later steps apply to the amount set aside.
 *
 * Rejections: account_not_found; for `reserve` withdrawal_under_way, amount_not_positive,
 * withdrawals_gated, insufficient_balance; for the later steps withdrawal_not_under_way.
 */
export interface ReservePerpFunds {
  readonly type: 'reservePerpFunds';
  readonly accountId: AccountId;
  readonly amount: Amount;
  readonly step: 'reserve' | 'release' | 'pay_out';
  /** The withdrawal that the money is for. */
  readonly reference: string;
}

/**
 * Moves money of the exchange to the insurance fund; bad debt is repaid first.
 *
 * Rejections: amount_not_positive; insufficient_balance if the fees do not suffice;
 * amount_out_of_range.
 */
export interface MoveHouseFunds {
  readonly type: 'moveHouseFunds';
  readonly amount: Amount;
  /** From collected fees, or from outside the exchange. */
  readonly source: 'fees' | 'treasury';
  readonly reason: string | null;
  /** A reference that has already been used changes nothing. */
  readonly reference: string | null;
}

/**
 * Holds back all money in the perp wallets until the hold is lifted; used by an audit that found a
 * fault. Never rejected.
 */
export interface HoldWithdrawals {
  readonly type: 'holdWithdrawals';
  readonly isHeld: boolean;
  readonly reason: string | null;
}

/** All commands of the futures side, by `type`. */
export type FuturesCommand =
  | CreateFuturesMarket
  | SetFuturesMarketStatus
  | SetIndexPrice
  | AdvanceTime
  | TransferFunds
  | SetLeverage
  | SetAccountFees
  | PlaceFuturesOrder
  | AmendFuturesOrder
  | CancelFuturesOrder
  | CancelAllFuturesOrders
  | SetCountdownCancel
  | ReservePerpFunds
  | MoveHouseFunds
  | HoldWithdrawals;
