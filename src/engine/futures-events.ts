import type { Amount } from '../domain/amount.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  FuturesMarketStatus,
  PriceState,
  Rate,
} from '../domain/futures-market.ts';
import type { FuturesOrder, FuturesTrade } from '../domain/futures-order.ts';
import type { FuturesPosition, SignedLots } from '../domain/futures-position.ts';
import type { AccountId, TimestampMs, TradeNumber } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';

/** A perpetual was listed. */
export interface FuturesMarketCreated {
  readonly type: 'futuresMarketCreated';
  readonly market: FuturesMarket;
}

/** A perpetual was listed again, halted or delisted. */
export interface FuturesMarketStatusChanged {
  readonly type: 'futuresMarketStatusChanged';
  readonly marketId: FuturesMarketId;
  readonly status: FuturesMarketStatus;
}

/** A delisting was planned for a time, or the plan was canceled (null). */
interface FuturesDelistingPlanned {
  readonly type: 'futuresDelistingPlanned';
  readonly marketId: FuturesMarketId;
  readonly effectiveAt: TimestampMs | null;
}

/**
 * What happened to the order. Each fill is one `traded` event per side, with the trade's number.
 */
export type FuturesOrderCause =
  | 'placed'
  | 'traded'
  | 'amended'
  | 'triggered'
  | 'canceled'
  | 'expired'
  | 'rejected';

/** Why the exchange itself ended or refused an order; null if its user did. */
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
  | 'sibling_fired'
  | 'position_closed';

/**
 * The order right after the cause. One command can cause several, in the order in which they
 * happened.
 */
export interface FuturesOrderUpdated {
  readonly type: 'futuresOrderUpdated';
  readonly order: FuturesOrder;
  readonly cause: FuturesOrderCause;
  readonly tradeNumber: TradeNumber | null;
  readonly end: FuturesOrderEnd | null;
}

/** Two futures orders traded, on the book or off it. */
export interface FuturesTradeExecuted {
  readonly type: 'futuresTradeExecuted';
  readonly trade: FuturesTrade;
}

/**
 * The lots that rest at a price after the command, once per level that it changed; 0 if the level
 * is empty.
 */
export interface FuturesBookLevelChanged {
  readonly type: 'futuresBookLevelChanged';
  readonly marketId: FuturesMarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly updateId: number;
}

/** The position after the command, once per account and market that it changed. */
export interface PositionChanged {
  readonly type: 'positionChanged';
  readonly position: FuturesPosition;
}

/** The perp wallet after the command, once per account that it changed. USDT in units of 10^-8. */
export interface PerpBalanceChanged {
  readonly type: 'perpBalanceChanged';
  readonly accountId: AccountId;
  readonly walletBalance: Amount;
  readonly reserved: Amount;
}

/** USDT moved between an account's spot and perp wallets. */
export interface FundsTransferred {
  readonly type: 'fundsTransferred';
  /** Increases from 1 over all transfers. */
  readonly transferNumber: number;
  readonly accountId: AccountId;
  readonly direction: 'spot_to_perp' | 'perp_to_spot';
  readonly amount: Amount;
  readonly clientTransferId: string | null;
  /** True if the clientTransferId has been used before: nothing has moved now. */
  readonly isRepeated: boolean;
}

/** One step of a withdrawal from a perp wallet; the amount is USDT in units of 10^-8. */
export interface PerpFundsReserved {
  readonly type: 'perpFundsReserved';
  readonly accountId: AccountId;
  readonly amount: Amount;
  readonly step: 'reserve' | 'release' | 'pay_out';
  readonly reference: string;
}

/** An account set its leverage in a market. */
export interface LeverageChanged {
  readonly type: 'leverageChanged';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly leverage: number;
}

/** An account's fee terms changed; see SetAccountFees for their units. */
interface AccountFeesChanged {
  readonly type: 'accountFeesChanged';
  readonly accountId: AccountId;
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

/** A market's index and mark price, whenever one of them is set. USDT for one whole base asset. */
export interface MarkPriceChanged {
  readonly type: 'markPriceChanged';
  readonly marketId: FuturesMarketId;
  readonly indexPrice: Amount;
  readonly markPrice: Amount;
  readonly isIndexStale: boolean;
  /** The estimated rate of the next funding. */
  readonly fundingRate: Rate;
  readonly nextFundingTime: TimestampMs;
}

/**
 * A pushed index price was too far from the index; it takes effect once another push confirms it.
 */
interface IndexPriceHeld {
  readonly type: 'indexPriceHeld';
  readonly marketId: FuturesMarketId;
  readonly indexPrice: Amount;
}

/**
 * The funding of a market for a full hour. Its payments follow; with the rounding remainder they
 * sum to zero.
 */
export interface FundingSettled {
  readonly type: 'fundingSettled';
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly fundingRate: Rate;
  readonly markPrice: Amount;
}

/** The funding that one position received or paid. */
interface FundingPaid {
  readonly type: 'fundingPaid';
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly fundingTime: TimestampMs;
  readonly positionQuantity: SignedLots;
  /** USDT; positive if received, negative if paid. */
  readonly amount: Amount;
}

/**
 * The stages of a close-out: the account's orders end; slices are sold on the book until the
 * account can carry the rest; or everything left is closed.
 */
export type CloseOutStage = 'orders' | 'book' | 'final';

/** The steps of a close-out that are reported. */
export type LiquidationStep =
  | 'orders_canceled'
  | 'closing'
  | 'insurance_used'
  | 'deleveraged'
  | 'finished';

/**
 * One step in closing an account whose equity is at or below its maintenance margin. Up to rules 12
 * it is reported without the optional fields.
 */
export interface LiquidationProgressed {
  readonly type: 'liquidationProgressed';
  readonly accountId: AccountId;
  /** Null for steps that concern the whole account. */
  readonly marketId: FuturesMarketId | null;
  readonly step: LiquidationStep;
  /** Increases from 1 over all close-outs. */
  readonly number: number;
  readonly stage: CloseOutStage;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly bankruptcyPrice: Ticks | null;
  /** What the step is to close (`closing`) or has closed; null for steps of the whole account. */
  readonly lots?: Lots | null;
  /** What the insurance fund has paid for it. */
  readonly paid?: Amount;
}

/** A position in a margin call, valued at the mark price. Amounts are USDT in units of 10^-8. */
export interface MarginCallPosition {
  readonly marketId: FuturesMarketId;
  readonly quantity: SignedLots;
  readonly markPrice: Amount;
  readonly unrealizedProfit: Amount;
  readonly maintenanceMargin: Amount;
}

/** The account's margin ratio reached the warning level. */
interface MarginCallRaised {
  readonly type: 'marginCallRaised';
  readonly accountId: AccountId;
  readonly equity: Amount;
  readonly maintenanceMargin: Amount;
  readonly walletBalance: Amount;
  /** The account's positions, valued at the current mark prices. */
  readonly positions: readonly MarginCallPosition[];
}

/**
 * The insurance fund changed, its free part or what it holds for close-outs, or the exchange paid
 * an account's loss. Rules 11 report only changes of the free part, without the optional fields.
 */
interface InsuranceFundChanged {
  readonly type: 'insuranceFundChanged';
  /** Of the free part. */
  readonly balance: Amount;
  /** Of the free part. */
  readonly change: Amount;
  /** What all close-outs together have reserved. */
  readonly held?: Amount;
  /** The account being closed; null if the change concerns none. */
  readonly accountId: AccountId | null;
  /** The number of its close-out; null if there is none. */
  readonly number?: number | null;
  /** What the account received, or paid if it is negative. */
  readonly paid?: Amount;
}

/** An administrator moved money of the exchange to the insurance fund. */
interface HouseFundsMoved {
  readonly type: 'houseFundsMoved';
  readonly amount: Amount;
  readonly source: 'fees' | 'treasury';
  /** The part of the amount that repaid bad debt. */
  readonly repaid: Amount;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** A person or an audit holds back all money in the perp wallets, or lifts the hold. */
interface WithdrawalsHeld {
  readonly type: 'withdrawalsHeld';
  readonly isHeld: boolean;
  readonly reason: string | null;
}

/**
 * The state of a market's valuation price changed: what orders it accepts, and what its profit
 * carries.
 */
interface PriceStateChanged {
  readonly type: 'priceStateChanged';
  readonly marketId: FuturesMarketId;
  readonly priceState: PriceState;
}

/**
 * How far a delisted market has come: its orders end, accounts below zero are closed, all other
 * positions are closed, and nothing is left.
 */
export type SettlementPhase = 'orders' | 'judging' | 'closing' | 'done';

/** A delisted market entered a phase of its settlement. */
interface MarketSettlementProgressed {
  readonly type: 'marketSettlementProgressed';
  readonly marketId: FuturesMarketId;
  readonly phase: SettlementPhase;
  /** USDT for one whole base asset; null if the market never had a price. */
  readonly settlementPrice: Amount | null;
}

/** Losses that nobody has paid grew or were repaid. USDT in units of 10^-8. */
interface BadDebtChanged {
  readonly type: 'badDebtChanged';
  /** Never above zero. */
  readonly balance: Amount;
  readonly change: Amount;
}

/** Money can no longer leave the perp wallets, or can again. */
interface WithdrawalGateChanged {
  readonly type: 'withdrawalGateChanged';
  readonly isShut: boolean;
  /** The end of the minute after the event that shut it; null if there is none. */
  readonly until: TimestampMs | null;
}

/** The command could not finish the timed work; advanceTime has to be sent again. */
interface TimedWorkDue {
  readonly type: 'timedWorkDue';
}

/** All events of the futures side, by `type`. */
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
  | PriceStateChanged
  | MarketSettlementProgressed
  | BadDebtChanged
  | WithdrawalGateChanged
  | TimedWorkDue;
