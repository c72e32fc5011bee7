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

// What the engine did. Events are facts in whole numbers of ticks, lots and money units; every
// reader (reply, projector, streams) works from these and from nothing else.

export interface AccountOpened {
  readonly type: 'accountOpened';
  readonly accountId: AccountId;
  readonly address: Address;
}

/** A token symbol was mentioned for the first time. */
export interface TokenAdded {
  readonly type: 'tokenAdded';
  readonly tokenId: TokenId;
  readonly symbol: string;
}

export interface SpotMarketCreated {
  readonly type: 'spotMarketCreated';
  readonly market: SpotMarket;
}

export interface SpotMarketStatusChanged {
  readonly type: 'spotMarketStatusChanged';
  readonly marketId: MarketId;
  readonly status: SpotMarketStatus;
}

export interface BalanceCredited {
  readonly type: 'balanceCredited';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  readonly actor: string;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** The balance after the command, once per account and token that it touched. */
export interface BalanceChanged {
  readonly type: 'balanceChanged';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly available: Amount;
  readonly locked: Amount;
}

/** The order after the command, once per order that it touched; the first time with `new`. */
export interface SpotOrderUpdated {
  readonly type: 'spotOrderUpdated';
  readonly order: SpotOrder;
}

export interface SpotTradeExecuted {
  readonly type: 'spotTradeExecuted';
  readonly trade: SpotTrade;
}

/** What rests at a price after the command, once per level that it touched; 0 lots: gone. */
export interface BookLevelChanged {
  readonly type: 'bookLevelChanged';
  readonly marketId: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** Rises by one with each change of this book, without gaps. */
  readonly updateId: number;
}

/** The command did a bounded part of its work; sent again, it does more of it. */
export interface WorkDue {
  readonly type: 'workDue';
}

export type EngineEvent =
  | WorkDue
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

/** A journaled command with all that came of it. A refused command has no events. */
export interface AppliedCommand {
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
  readonly command: Command;
  readonly rejection: Rejection | null;
  readonly events: readonly EngineEvent[];
}
