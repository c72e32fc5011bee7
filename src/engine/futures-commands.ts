import type { Amount } from '../domain/amount.ts';
import type {
  FuturesMarketId,
  FuturesMarketStatus,
  FuturesMarketTerms,
} from '../domain/futures-market.ts';
import type {
  CallbackBps,
  FuturesOrderType,
  FuturesTimeInForce,
  PriceMatch,
  SelfTradeMode,
  TriggerPriceKind,
} from '../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';

export interface CreateFuturesMarket {
  readonly type: 'createFuturesMarket';
  readonly terms: FuturesMarketTerms;
}

export interface SetFuturesMarketStatus {
  readonly type: 'setFuturesMarketStatus';
  readonly symbol: string;
  readonly status: FuturesMarketStatus;
  /** Of a delisting: settles the positions where the market has too few index prices. */
  readonly settlementPrice?: Amount | null;
  /** Of a delisting: when it begins; null for now. */
  readonly effectiveAt?: TimestampMs | null;
}

/** An administrator's index price: USDT for one whole base asset. */
export interface SetIndexPrice {
  readonly type: 'setIndexPrice';
  readonly symbol: string;
  readonly price: Amount;
}

/**
 * Lets time pass: marks prices, samples premiums, fires triggers, expires orders, pays funding
 * at full hours and looks for accounts to liquidate. It does a bounded part of that work; while
 * the outcome says that more is due, the same command is sent again.
 */
export interface AdvanceTime {
  readonly type: 'advanceTime';
}

/** Moves USDT between an account's spot and perp wallet; the same clientTransferId counts once. */
export interface TransferFunds {
  readonly type: 'transferFunds';
  readonly accountId: AccountId;
  readonly direction: 'spot_to_perp' | 'perp_to_spot';
  readonly amount: Amount;
  readonly clientTransferId: string | null;
}

export interface SetLeverage {
  readonly type: 'setLeverage';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly leverage: number;
}

/** The fee terms of an account: its VIP discount, and a referred trader's on top of it. */
export interface SetAccountFees {
  readonly type: 'setAccountFees';
  readonly accountId: AccountId;
  readonly vipTier: number;
  /** Multiplies the base rates, in tenths: 10 is no discount, 5 half. */
  readonly vipMultiplierTenths: number;
  /** What a referred trader saves of the rest, 0 to 10000. */
  readonly referralDiscountBps: number;
}

/** A trigger child order that lives and dies with its parent: take profit or stop loss. */
export interface AttachedTrigger {
  readonly stopPrice: Ticks;
  readonly triggerPriceKind: TriggerPriceKind;
}

/**
 * Quantities are cut to lots and prices are on the tick grid before. A market order carries the
 * worst price that its user takes (max slippage or price protection); the engine's own price
 * band bounds it too.
 */
export interface PlaceFuturesOrder {
  readonly type: 'placeFuturesOrder';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly clientOrderId: string | null;
  readonly side: Side;
  readonly orderType: FuturesOrderType;
  readonly timeInForce: FuturesTimeInForce;
  /** Null for market types, and with a priceMatch. */
  readonly price: Ticks | null;
  readonly priceMatch: PriceMatch;
  /** Null with isClosePosition only. */
  readonly quantity: Lots | null;
  readonly worstPrice: Ticks | null;
  readonly stopPrice: Ticks | null;
  readonly triggerPriceKind: TriggerPriceKind;
  readonly activationPrice: Ticks | null;
  readonly callback: CallbackBps | null;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly goodTill: TimestampMs | null;
  readonly isAlgo: boolean;
  readonly takeProfit: AttachedTrigger | null;
  readonly stopLoss: AttachedTrigger | null;
}

/** Replaces price and quantity under the same number, or changes nothing at all. */
export interface AmendFuturesOrder {
  readonly type: 'amendFuturesOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
  /** Null: as it is. */
  readonly side: Side | null;
  /** Null with a priceMatch only. */
  readonly price: Ticks | null;
  readonly priceMatch: PriceMatch;
  readonly quantity: Lots;
  /** What its client calls this amendment; the engine does nothing with it. */
  readonly modifyId: number | null;
}

/** Cancels a resting or waiting order, and the trigger orders attached to it. */
export interface CancelFuturesOrder {
  readonly type: 'cancelFuturesOrder';
  readonly accountId: AccountId;
  readonly orderNumber: OrderNumber;
}

/** To be sent again while its outcome has `workDue`. */
export interface CancelAllFuturesOrders {
  readonly type: 'cancelAllFuturesOrders';
  readonly accountId: AccountId;
  /** Null: in all markets. */
  readonly marketId: FuturesMarketId | null;
  /** All orders, or only those that wait for their trigger. */
  readonly kind: 'all' | 'algo';
}

/** Cancels the account's orders of a market at a time, unless set again before it. */
export interface SetCountdownCancel {
  readonly type: 'setCountdownCancel';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  /** Null: no countdown. */
  readonly cancelAt: TimestampMs | null;
  readonly kind: CountdownKind;
}

/** All orders, or those only that do not wait for a price. */
export type CountdownKind = 'all' | 'resting';

/**
 * Sets money of the perp wallet aside for a withdrawal; releases it; or takes it out for good. Each
 * step counts once a reference, and the later ones move what was set aside.
 */
export interface ReservePerpFunds {
  readonly type: 'reservePerpFunds';
  readonly accountId: AccountId;
  readonly amount: Amount;
  readonly step: 'reserve' | 'release' | 'pay_out';
  /** The withdrawal that this is for. */
  readonly reference: string;
}

/** Money of the exchange for the insurance fund; bad debt is repaid first. */
export interface MoveHouseFunds {
  readonly type: 'moveHouseFunds';
  readonly amount: Amount;
  /** Out of the fees that were taken, or from outside. */
  readonly source: 'fees' | 'treasury';
  readonly reason: string | null;
  /** The same one counts once. */
  readonly reference: string | null;
}

/** Keeps all money in the perp wallets until it is taken back; for an audit that found a fault. */
export interface HoldWithdrawals {
  readonly type: 'holdWithdrawals';
  readonly isHeld: boolean;
  readonly reason: string | null;
}

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
