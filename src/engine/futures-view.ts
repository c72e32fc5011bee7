import type { Amount } from '../domain/amount.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  FuturesPrices,
  Rate,
} from '../domain/futures-market.ts';
import type { FuturesOrder } from '../domain/futures-order.ts';
import type { FuturesPositionView, PerpAccountView } from '../domain/futures-position.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../domain/identifiers.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Lots } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import type { BookDepth } from './book-depth.ts';
import type { PlaceFuturesOrder } from './futures-commands.ts';
import type { CloseOutStage } from './futures-events.ts';

/** The fee terms of an account; see SetAccountFees for their units. */
export interface FeeTermsView {
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

/** An account's fee rates in a market after all discounts. */
export interface EffectiveFees {
  readonly maker: Rate;
  readonly taker: Rate;
}

/** The progress of an account's close-out. */
export interface CloseOutView {
  readonly number: number;
  readonly stage: CloseOutStage;
  readonly begunAt: TimestampMs;
}

/** The notional of an account's open orders by side, in USDT. */
export interface OpenNotional {
  readonly bids: Amount;
  readonly asks: Amount;
}

/** The live futures state, read-only; part of the engine's view. */
export interface FuturesView {
  /** Looks a market up by its exact (upper-case) symbol. */
  findFuturesMarket(symbol: string): FuturesMarket | null;
  /** @throws Error: there is no such market. */
  getFuturesMarket(marketId: FuturesMarketId): FuturesMarket;
  /** By market id, delisted ones included. */
  listFuturesMarkets(): readonly FuturesMarket[];
  /** Prices, each null while there is none, and funding rates. */
  getFuturesPrices(marketId: FuturesMarketId): FuturesPrices;
  /** At most `levelsMax` levels per side. */
  getFuturesDepth(marketId: FuturesMarketId, levelsMax: number): BookDepth;
  /** The sum of all long positions, in lots. */
  getOpenInterest(marketId: FuturesMarketId): number;
  /** Whether the market is settling a price move; it accepts no orders meanwhile. */
  isFuturesMarketSettling(marketId: FuturesMarketId): boolean;
  /** The account's close-out; null if none is in progress. */
  findCloseOut(accountId: AccountId): CloseOutView | null;
  /** A resting or waiting order; finished ones are only in the database. */
  findOpenFuturesOrder(orderNumber: OrderNumber): FuturesOrder | null;
  /** A live order by its client order id. */
  findFuturesOrderByClientId(accountId: AccountId, clientOrderId: string): FuturesOrder | null;
  /** By order number, in one market or in all (null), including trigger orders. */
  listOpenFuturesOrders(
    accountId: AccountId,
    marketId: FuturesMarketId | null,
  ): readonly FuturesOrder[];
  /** Wallet, margins and profit; all zero for an account without any. */
  getPerpAccount(accountId: AccountId): PerpAccountView;
  /** The account's position in the market; zero if it has none. */
  getPosition(accountId: AccountId, marketId: FuturesMarketId): FuturesPositionView;
  /**
   * The notional that the account's resting orders, other than reduce-only ones, can still trade.
   */
  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional;
  /** Nonzero positions, and markets with resting orders. */
  listPositions(accountId: AccountId): readonly FuturesPositionView[];
  /** 20, or the market's maximum if that is less, until the account sets another. */
  getLeverage(accountId: AccountId, marketId: FuturesMarketId): number;
  /**
   * The margin beyond notional / leverage that the account would need for an order of these lots,
   * as far as they open a position, because of the market's open interest.
   */
  getRaisedMargin(accountId: AccountId, marketId: FuturesMarketId, side: Side, lots: Lots): Amount;
  /** Tier 0 and no discount until they are set. */
  getFeeTerms(accountId: AccountId): FeeTermsView;
  /** The rates that the account's next fill in the market pays. */
  getEffectiveFees(accountId: AccountId, marketId: FuturesMarketId): EffectiveFees;
  /** When the account's orders in the market will be canceled; null without a countdown. */
  getCountdown(accountId: AccountId, marketId: FuturesMarketId): TimestampMs | null;
  /** The reason for which the order would be rejected now; null if it would be accepted. */
  judgeFuturesOrder(order: PlaceFuturesOrder): Rejection | null;
  /** The free part of the insurance fund, USDT. */
  readonly insuranceFund: Amount;
  /** The part of the fund reserved for close-outs in progress. */
  readonly insuranceHeld: Amount;
  /** Losses that nobody has paid; never above zero. */
  readonly badDebt: Amount;
  /** Fees collected so far in the perp wallet's token; they belong to the exchange. */
  readonly futuresFees: Amount;
  /** Whether money is currently barred from leaving the perp wallets. */
  readonly isWithdrawalGateShut: boolean;
  /** Whether an audit or a person holds back all money in the perp wallets. */
  readonly areWithdrawalsHeld: boolean;
  /** The end of the minute after the last event that shut the gate; null once it has passed. */
  readonly withdrawalGateUntil: TimestampMs | null;
  /** The number of accounts being closed. */
  readonly closeOutCount: number;
  /** When the oldest close-out in progress began; null if there is none. */
  readonly closingSince: TimestampMs | null;
}
