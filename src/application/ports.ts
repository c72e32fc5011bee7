import type { Address, OrderNumber, Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import type { EngineView } from '../engine/engine-view.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type {
  KlineInterval,
  KlineView,
  PublicSpotTradeView,
  SpotTickerStatistics,
} from './market-data/market-views.ts';
import type { SpotOrderView, SpotTradeView } from './trading/spot-views.ts';

export type { Command } from '../engine/commands.ts';
export type { BookDepth, BookLevel, EngineView, TokenBalance } from '../engine/engine-view.ts';
export type { AppliedCommand, BookLevelChanged, EngineEvent } from '../engine/events.ts';
export type {
  FuturesBookLevelChanged,
  FuturesOrderEnd,
  FuturesOrderUpdated,
  MarkPriceChanged,
  PerpBalanceChanged,
} from '../engine/futures-events.ts';
export type { EffectiveFees, FuturesView, OpenNotional } from '../engine/futures-view.ts';

/** The engine's queue is full; nothing was done, the caller may try again. */
export class EngineBusyError extends Error {
  override readonly name = 'EngineBusyError';
}

/** The journal is being replayed or the process is stopping; nothing was done. */
export class EngineRestartingError extends Error {
  override readonly name = 'EngineRestartingError';
}

/** The database did not answer; the cause says how. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** A cursor that this exchange never issued, or one of another list. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';
}

export type ExchangeState = 'restarting' | 'ready' | 'stopping' | 'failed';

/** The one way to the engine: commands go in, durable outcomes come out. */
export interface Exchange {
  readonly state: ExchangeState;
  /**
   * Journals and applies the command; resolves once both are durable.
   * @throws EngineBusyError, EngineRestartingError: the command was not taken.
   */
  submit(command: Command): Promise<AppliedCommand>;
  /**
   * Reads the live state; resolves once all that was read is durable.
   * @throws EngineBusyError, EngineRestartingError
   */
  read<T>(query: (view: EngineView) => T): Promise<T>;
  /**
   * The live state at once, durable or not: only for building a command whose own outcome then
   * waits for durability.
   * @throws EngineRestartingError
   */
  peek<T>(query: (view: EngineView) => T): T;
  /** Calls the listener with every durable batch, in order, from now on; returns its end. */
  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void;
  /** The last durable sequence: what a read of history has to wait for. */
  readonly durableSequence: Sequence;
}

/** Resolves once the database holds everything up to the sequence. */
export interface ReadBarrier {
  /** @throws DatabaseError where that does not happen in time. */
  waitFor(sequence: Sequence): Promise<void>;
}

/** What an operator should see although the caller is not told; a pino logger is one. */
export interface OperatorLog {
  warn(details: object, message: string): void;
}

/** The answer to a signed order as it went out. */
export interface OrderReply {
  readonly status: number;
  readonly body: string;
}

/** Signed orders that any process of the exchange has taken, while they may be repeated. */
export interface OrderSignatures {
  /**
   * 'first': nobody has seen the signature, and its order is the caller's to make. Else the first
   * one's answer, waited for if need be; null where nobody knows it.
   * @throws EngineRestartingError where that cannot be found out; nothing was taken.
   */
  claim(signature: string): Promise<'first' | OrderReply | null>;
  /** What came of the order of a first signature; null: it was not taken and may come again. */
  settle(signature: string, reply: OrderReply | null): void;
}

/** A page of history, newest first; nextCursor is opaque and null on the last page. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface SpotOrderFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly status: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface SpotTradeFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Durable outcomes from any position on, however far back: what the projector reads. */
export interface OutcomeLog {
  /** The outcomes right after the position, at least one; waits where there are none yet. */
  read(after: Sequence, limitMax: number, signal: AbortSignal): Promise<readonly AppliedCommand[]>;
  /** Says that everything up to the position is safe in the database. */
  release(upTo: Sequence): void;
}

/** Finished and running orders, trades and market statistics, as the database holds them. */
export interface SpotHistory {
  listOrders(filter: SpotOrderFilter): Promise<CursorPage<SpotOrderView>>;
  findOrder(orderNumber: OrderNumber): Promise<OwnedSpotOrder | null>;
  listTrades(filter: SpotTradeFilter): Promise<CursorPage<SpotTradeView>>;
  /** The newest trades of a market, newest first. */
  listRecentTrades(symbol: string, limit: number): Promise<readonly PublicSpotTradeView[]>;
  listKlines(filter: KlineFilter): Promise<readonly KlineView[]>;
  /** Statistics of the 24 hours before `now`; null before the market's first trade. */
  findTicker(symbol: string, now: TimestampMs): Promise<SpotTickerStatistics | null>;
}

export interface OwnedSpotOrder {
  readonly owner: Address;
  readonly order: SpotOrderView;
}

export interface KlineFilter {
  readonly symbol: string;
  readonly interval: KlineInterval;
  /** Milliseconds since 1970, both inclusive, of the candles' opening; null: unbounded. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

export interface ApiKey {
  readonly apiKey: string;
  readonly address: Address;
  readonly label: string;
  readonly ipWhitelist: readonly string[];
  readonly permissions: readonly ApiKeyPermission[];
  readonly isEnabled: boolean;
  readonly createdAt: Date;
}

/** `withdraw` asks for withdrawals of the perp wallet. */
export type ApiKeyPermission = 'read' | 'trade' | 'withdraw';

/** What signing needs: the key with its secret decrypted; kept in memory, never logged. */
export interface ApiKeyCredential extends ApiKey {
  readonly apiSecret: string;
}

export interface ApiKeyChange {
  readonly label?: string;
  readonly isEnabled?: boolean;
  readonly ipWhitelist?: readonly string[];
}

export interface ApiKeyStore {
  create(credential: ApiKeyCredential): Promise<void>;
  list(address: Address): Promise<readonly ApiKey[]>;
  /** The changed key, or null where the address has no such key. */
  change(address: Address, apiKey: string, change: ApiKeyChange): Promise<ApiKey | null>;
  remove(address: Address, apiKey: string): Promise<boolean>;
  /** From memory while it is known there, so that trading survives a lost database. */
  findCredential(apiKey: string): Promise<ApiKeyCredential | null>;
  /** What is known of the key at once and for certain; null: ask for it. */
  recallCredential(apiKey: string): ApiKeyCredential | null;
}

export interface LoginNonceStore {
  issue(entry: LoginNonce): Promise<void>;
  /** Takes the nonce away, so that it works once; null where it is unknown. */
  consume(nonce: string): Promise<LoginNonce | null>;
}

export interface LoginNonce {
  readonly nonce: string;
  readonly address: Address;
  readonly expiresAt: Date;
}

export interface Profile {
  readonly address: Address;
  readonly username: string | null;
  readonly createdAt: Date;
}

export interface ProfileStore {
  find(address: Address): Promise<Profile | null>;
  /** Taken where another account has the name in any letter case. */
  setUsername(address: Address, username: string): Promise<'changed' | 'taken'>;
}

/** What the administration knows of an account. */
export interface UserStore {
  /** With its line in the audit log, both or neither; false where the address has no account. */
  setMarketMaker(address: Address, isMarketMaker: boolean): Promise<boolean>;
}

/** Asks a wallet that is a contract whether a signature is its own (EIP-1271). */
export interface ContractSignatures {
  verify(claim: SignatureClaim): Promise<boolean>;
}

export interface SignatureClaim {
  readonly address: Address;
  /** The text that was signed, as a wallet signs texts (EIP-191). */
  readonly message: string;
  readonly signature: `0x${string}`;
}

/** One balance as the database holds it; amounts are decimal texts. */
export interface BalanceChange {
  /** The wallet: of the perp wallet, what is set aside for withdrawals is locked. */
  readonly market: 'spot' | 'futures';
  readonly address: Address;
  readonly token: string;
  readonly available: string;
  readonly locked: string;
  /** The command after which the balance is this one. */
  readonly sequence: Sequence;
}

/**
 * Balances as they change in the database, driven by its notifications. A change may be skipped
 * where a later one of the same balance follows; the last one always arrives, also after a lost
 * connection, and sequences of one balance only rise.
 */
export interface BalanceFeed {
  /** Calls the listener with the address's changes from now on; returns its end. */
  subscribe(address: Address, listener: (changes: readonly BalanceChange[]) => void): () => void;
}

/** An administrator's write that is no engine command; those are recorded by the projector. */
export interface AuditEntry {
  /** Verb and noun, for example `set_vip_override`. */
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}

export interface DatabaseHealth {
  /**
   * Asks the database; many callers share one question. One that stays silent is asked again for
   * as long as the caller has patience: left out, a second.
   */
  isReachable(patienceMs?: number): Promise<boolean>;
}
