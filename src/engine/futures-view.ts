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
import type { BookDepth } from './engine-view.ts';
import type { PlaceFuturesOrder } from './futures-commands.ts';
import type { CloseOutStage } from './futures-events.ts';

/** The fee terms of an account and what they make of a market's base rates. */
export interface FeeTermsView {
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

export interface EffectiveFees {
  readonly maker: Rate;
  readonly taker: Rate;
}

/** How far the closing of an account has come. */
export interface CloseOutView {
  readonly number: number;
  readonly stage: CloseOutStage;
  readonly begunAt: TimestampMs;
}

/** USDT. */
export interface OpenNotional {
  readonly bids: Amount;
  readonly asks: Amount;
}

/** The live futures state, for reading only; part of the engine's view. */
export interface FuturesView {
  /** By exact (upper case) symbol. */
  findFuturesMarket(symbol: string): FuturesMarket | null;
  getFuturesMarket(marketId: FuturesMarketId): FuturesMarket;
  listFuturesMarkets(): readonly FuturesMarket[];
  getFuturesPrices(marketId: FuturesMarketId): FuturesPrices;
  getFuturesDepth(marketId: FuturesMarketId, levelsMax: number): BookDepth;
  /** Sum of all long positions, in lots. */
  getOpenInterest(marketId: FuturesMarketId): number;
  /** Whether a price move is being settled there: no order is taken meanwhile. */
  isFuturesMarketSettling(marketId: FuturesMarketId): boolean;
  /** The account's close-out; null where none is under way. */
  findCloseOut(accountId: AccountId): CloseOutView | null;
  /** A resting or waiting order; finished ones stand in the database only. */
  findOpenFuturesOrder(orderNumber: OrderNumber): FuturesOrder | null;
  /** A live order by its client id. */
  findFuturesOrderByClientId(accountId: AccountId, clientOrderId: string): FuturesOrder | null;
  /** By order number, of one market or of all (null); trigger orders included. */
  listOpenFuturesOrders(
    accountId: AccountId,
    marketId: FuturesMarketId | null,
  ): readonly FuturesOrder[];
  getPerpAccount(accountId: AccountId): PerpAccountView;
  /** The account's position there, zero where there is none. */
  getPosition(accountId: AccountId, marketId: FuturesMarketId): FuturesPositionView;
  /** What the account's resting orders, other than reduce-only ones, may still buy and sell. */
  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional;
  /** Positions other than zero, and markets with resting orders. */
  listPositions(accountId: AccountId): readonly FuturesPositionView[];
  /** 20, or the market's maximum where that is less, until the account sets another. */
  getLeverage(accountId: AccountId, marketId: FuturesMarketId): number;
  getFeeTerms(accountId: AccountId): FeeTermsView;
  getEffectiveFees(accountId: AccountId, marketId: FuturesMarketId): EffectiveFees;
  getCountdown(accountId: AccountId, marketId: FuturesMarketId): TimestampMs | null;
  /** What placing the order now would be refused for; null: it would be taken. */
  judgeFuturesOrder(order: PlaceFuturesOrder): Rejection | null;
  /** The free part of the insurance fund. */
  readonly insuranceFund: Amount;
  /** What the fund has promised to close-outs that are under way. */
  readonly insuranceHeld: Amount;
  /** Losses that nobody has paid; never above zero. */
  readonly badDebt: Amount;
  /** Fees taken so far in the perp wallet's token; they belong to the exchange. */
  readonly futuresFees: Amount;
  /** Whether nothing may leave the perp wallets at the moment. */
  readonly isWithdrawalGateShut: boolean;
  /** Whether an audit or a person keeps all money there until it is let go. */
  readonly areWithdrawalsHeld: boolean;
  /** The end of the minute after the last event that shut the gate; null where it is over. */
  readonly withdrawalGateUntil: TimestampMs | null;
  /** Accounts that are being closed. */
  readonly closeOutCount: number;
  /** When the longest close-out under way began; null where there is none. */
  readonly closingSince: TimestampMs | null;
}
