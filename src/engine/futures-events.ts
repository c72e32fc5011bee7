import type { Amount } from '../domain/amount.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  FuturesMarketStatus,
  Rate,
} from '../domain/futures-market.ts';
import type { FuturesOrder, FuturesTrade } from '../domain/futures-order.ts';
import type { FuturesPosition, SignedLots } from '../domain/futures-position.ts';
import type { AccountId, TimestampMs, TradeNumber } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';

export interface FuturesMarketCreated {
  readonly type: 'futuresMarketCreated';
  readonly market: FuturesMarket;
}

export interface FuturesMarketStatusChanged {
  readonly type: 'futuresMarketStatusChanged';
  readonly marketId: FuturesMarketId;
  readonly status: FuturesMarketStatus;
}

/** A delisting is planned for a time, or is no more. */
export interface FuturesDelistingPlanned {
  readonly type: 'futuresDelistingPlanned';
  readonly marketId: FuturesMarketId;
  readonly effectiveAt: TimestampMs | null;
}

/** What happened to the order; `traded` names the trade, one event a fill and side. */
export type FuturesOrderCause =
  | 'placed'
  | 'traded'
  | 'amended'
  | 'triggered'
  | 'canceled'
  | 'expired'
  | 'rejected';

/** Why the exchange itself ended or refused an order; null where its user did. */
export type FuturesOrderEnd =
  | 'time_in_force'
  | 'self_trade'
  | 'reduce_only'
  | 'price_protection'
  | 'price_match'
  | 'margin'
  | 'open_interest'
  | 'countdown'
  | 'good_till_date'
  | 'liquidation'
  | 'market_delisted'
  | 'parent_ended'
  | 'position_closed';

/** The order right after the cause; several a command, in the order in which things happened. */
export interface FuturesOrderUpdated {
  readonly type: 'futuresOrderUpdated';
  readonly order: FuturesOrder;
  readonly cause: FuturesOrderCause;
  readonly tradeNumber: TradeNumber | null;
  readonly end: FuturesOrderEnd | null;
}

export interface FuturesTradeExecuted {
  readonly type: 'futuresTradeExecuted';
  readonly trade: FuturesTrade;
}

/** What rests at a price after the command, once per level that it touched; 0 lots: gone. */
export interface FuturesBookLevelChanged {
  readonly type: 'futuresBookLevelChanged';
  readonly marketId: FuturesMarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly updateId: number;
}

/** The position after the command, once per account and market that it touched. */
export interface PositionChanged {
  readonly type: 'positionChanged';
  readonly position: FuturesPosition;
}

/** The perp wallet after the command, once per account that it touched. */
export interface PerpBalanceChanged {
  readonly type: 'perpBalanceChanged';
  readonly accountId: AccountId;
  readonly walletBalance: Amount;
  readonly reserved: Amount;
}

export interface FundsTransferred {
  readonly type: 'fundsTransferred';
  /** Rising from 1 over all transfers. */
  readonly transferNumber: number;
  readonly accountId: AccountId;
  readonly direction: 'spot_to_perp' | 'perp_to_spot';
  readonly amount: Amount;
  readonly clientTransferId: string | null;
  /** True where the clientTransferId was known: nothing has moved now. */
  readonly isRepeated: boolean;
}

export interface PerpFundsReserved {
  readonly type: 'perpFundsReserved';
  readonly accountId: AccountId;
  readonly amount: Amount;
  readonly step: 'reserve' | 'release' | 'pay_out';
  readonly reference: string;
}

export interface LeverageChanged {
  readonly type: 'leverageChanged';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly leverage: number;
}

export interface AccountFeesChanged {
  readonly type: 'accountFeesChanged';
  readonly accountId: AccountId;
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

/** Index and mark price of a market, whenever one of them is set. */
export interface MarkPriceChanged {
  readonly type: 'markPriceChanged';
  readonly marketId: FuturesMarketId;
  readonly indexPrice: Amount;
  readonly markPrice: Amount;
  readonly isIndexStale: boolean;
  /** Estimate for the next funding. */
  readonly fundingRate: Rate;
  readonly nextFundingTime: TimestampMs;
}

/** A full hour's funding of a market: its payments follow, and sum with the dust to zero. */
/** A pushed index price was too far from the index: it holds once another push confirms it. */
export interface IndexPriceHeld {
  readonly type: 'indexPriceHeld';
  readonly marketId: FuturesMarketId;
  readonly indexPrice: Amount;
}

export interface FundingSettled {
  readonly type: 'fundingSettled';
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly fundingRate: Rate;
  readonly markPrice: Amount;
}

export interface FundingPaid {
  readonly type: 'fundingPaid';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly positionQuantity: SignedLots;
  /** Above zero received, below zero paid. */
  readonly amount: Amount;
}

/**
 * The account's orders end; slices are sold on the book until the rest is carried again; or all
 * that is left is closed.
 */
export type CloseOutStage = 'orders' | 'book' | 'final';

export type LiquidationStep =
  | 'orders_canceled'
  | 'closing'
  | 'insurance_used'
  | 'deleveraged'
  | 'finished';

/** One step of closing an account whose equity is at or under its maintenance margin. */
export interface LiquidationProgressed {
  readonly type: 'liquidationProgressed';
  readonly accountId: AccountId;
  /** Null for steps that concern the whole account. */
  readonly marketId: FuturesMarketId | null;
  readonly step: LiquidationStep;
  /** Rising from 1 over all close-outs. */
  readonly number: number;
  readonly stage: CloseOutStage;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly bankruptcyPrice: Ticks | null;
}

export interface MarginCallPosition {
  readonly marketId: FuturesMarketId;
  readonly quantity: SignedLots;
  readonly markPrice: Amount;
  readonly unrealizedProfit: Amount;
  readonly maintenanceMargin: Amount;
}

/** The account's margin ratio passed the warning level. */
export interface MarginCallRaised {
  readonly type: 'marginCallRaised';
  readonly accountId: AccountId;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly walletBalance: Amount;
  /** What the account holds, as the mark prices of the moment value it. */
  readonly positions: readonly MarginCallPosition[];
}

export interface InsuranceFundChanged {
  readonly type: 'insuranceFundChanged';
  readonly balance: Amount;
  readonly change: Amount;
  readonly accountId: AccountId | null;
}

/** An administrator has moved money of the exchange to the insurance fund. */
export interface HouseFundsMoved {
  readonly type: 'houseFundsMoved';
  readonly amount: Amount;
  readonly source: 'fees' | 'treasury';
  /** What of the amount has repaid bad debt. */
  readonly repaid: Amount;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** Somebody, or an audit, keeps all money in the perp wallets, or lets it go again. */
export interface WithdrawalsHeld {
  readonly type: 'withdrawalsHeld';
  readonly isHeld: boolean;
  readonly reason: string | null;
}

/** The timed work that this command could not finish; advanceTime has to be sent again. */
export interface TimedWorkDue {
  readonly type: 'timedWorkDue';
}

export type FuturesEvent =
  | FuturesMarketCreated
  | FuturesMarketStatusChanged
  | FuturesDelistingPlanned
  | FuturesOrderUpdated
  | FuturesTradeExecuted
  | FuturesBookLevelChanged
  | PositionChanged
  | PerpBalanceChanged
  | FundsTransferred
  | PerpFundsReserved
  | LeverageChanged
  | AccountFeesChanged
  | MarkPriceChanged
  | IndexPriceHeld
  | FundingSettled
  | FundingPaid
  | LiquidationProgressed
  | MarginCallRaised
  | InsuranceFundChanged
  | HouseFundsMoved
  | WithdrawalsHeld
  | TimedWorkDue;
