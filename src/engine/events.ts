import type { Amount } from '../domain/amount.ts';
import type {
  AccountId,
  Address,
  MarketId,
  Sequence,
  TimestampMs,
  TokenId,
} from '../domain/identifiers.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Lots, SpotMarket, SpotMarketStatus, Ticks } from '../domain/spot-market.ts';
import type { Side, SpotOrder, SpotTrade } from '../domain/spot-order.ts';
import type { Command } from './commands.ts';
import type { FuturesEvent } from './futures-events.ts';
import type { WalletEvent } from './wallet/wallet-events.ts';

// What the engine did. Events are facts in whole ticks, lots and money units. Every consumer
// (reply, projector, streams) relies on them alone.

/** An address got its account. */
interface AccountOpened {
  readonly type: 'accountOpened';
  readonly accountId: AccountId;
  readonly address: Address;
}

/** A token symbol was used for the first time. */
interface TokenAdded {
  readonly type: 'tokenAdded';
  readonly tokenId: TokenId;
  readonly symbol: string;
}

/** A spot market was listed. */
export interface SpotMarketCreated {
  readonly type: 'spotMarketCreated';
  readonly market: SpotMarket;
}

/** A spot market was listed again, halted or delisted. */
interface SpotMarketStatusChanged {
  readonly type: 'spotMarketStatusChanged';
  readonly marketId: MarketId;
  readonly status: SpotMarketStatus;
}

/** Test money was credited; the amount is in units of 10^-8 of the token. */
interface BalanceCredited {
  readonly type: 'balanceCredited';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  readonly actor: string;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** The balance after the command, once per account and token that it changed, in units of 10^-8. */
export interface BalanceChanged {
  readonly type: 'balanceChanged';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly available: Amount;
  readonly locked: Amount;
}

/**
 * The order after the command, once per order that it changed; the first time with status `new`.
 */
export interface SpotOrderUpdated {
  readonly type: 'spotOrderUpdated';
  readonly order: SpotOrder;
}

/** Two spot orders traded. */
export interface SpotTradeExecuted {
  readonly type: 'spotTradeExecuted';
  readonly trade: SpotTrade;
}

/**
 * The lots that rest at a price after the command, once per level that it changed; 0 if the level
 * is empty.
 */
export interface BookLevelChanged {
  readonly type: 'bookLevelChanged';
  readonly marketId: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** Increases by one with each change of this book, without gaps. */
  readonly updateId: number;
}

/** Further commands are applied by other rules; both are versions of the rules. */
interface RulesUpgraded {
  readonly type: 'rulesUpgraded';
  readonly from: number;
  readonly to: number;
}

/** The command did a bounded part of its work; sending it again does more. */
interface WorkDue {
  readonly type: 'workDue';
}

/**
 * The command broke rules of the engine, each given as its name and what broke it; always the last
 * event. It stops withdrawals from the perp wallets.
 */
interface RulesBroken {
  readonly type: 'rulesBroken';
  readonly rules: readonly string[];
}

/** All events of the engine, by `type`. */
export type EngineEvent =
  | WorkDue
  | RulesUpgraded
  | RulesBroken
  | AccountOpened
  | TokenAdded
  | SpotMarketCreated
  | SpotMarketStatusChanged
  | BalanceCredited
  | BalanceChanged
  | SpotOrderUpdated
  | SpotTradeExecuted
  | BookLevelChanged
  | FuturesEvent
  | WalletEvent;

/** A journaled command with its result. A rejected command has no events. */
export interface AppliedCommand {
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  readonly command: Command;
  readonly rejection: Rejection | null;
  readonly events: readonly EngineEvent[];
}
