import type { Address, OrderNumber, Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { KlineInterval } from '../domain/kline-interval.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import type { EngineView } from '../engine/engine-view.ts';
import type { AppliedCommand } from '../engine/events.ts';
import type {
  KlineView,
  PublicSpotTradeView,
  SpotTickerStatistics,
} from './market-data/market-views.ts';
import type { SpotOrderView, SpotTradeView } from './trading/spot-views.ts';

export type { RequestDigest } from '../domain/request-digest.ts';
export type { BookDepth, BookLevel } from '../engine/book-depth.ts';
export type { Command } from '../engine/commands.ts';
export type { EngineView, TokenBalance } from '../engine/engine-view.ts';
export type { AppliedCommand, BookLevelChanged, EngineEvent } from '../engine/events.ts';
export type {
  FuturesBookLevelChanged,
  FuturesOrderEnd,
  FuturesOrderUpdated,
  MarkPriceChanged,
  PerpBalanceChanged,
} from '../engine/futures-events.ts';
export type { EffectiveFees, FuturesView, OpenNotional } from '../engine/futures-view.ts';

/** The engine's queue is full. Nothing was done; the caller can retry. */
export class EngineBusyError extends Error {
  override readonly name = 'EngineBusyError';
}

/** The journal is being replayed or the process is stopping. Nothing was done. */
export class EngineRestartingError extends Error {
  override readonly name = 'EngineRestartingError';
}

/** The exchange has accepted a request with the same digest before. Nothing was done. */
export class RequestRepeatedError extends Error {
  override readonly name = 'RequestRepeatedError';
}

/** The request is so old that it could be a forgotten one again. Nothing was done. */
export class RequestExpiredError extends Error {
  override readonly name = 'RequestExpiredError';
}

/** The database did not respond; the cause has the details. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** A cursor that this exchange never issued, or a cursor of another list. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';
}

/** Whether the exchange accepts commands; only `ready` does. */
export type ExchangeState = 'restarting' | 'ready' | 'stopping' | 'failed';

/** The only way to the engine: commands go in, durable outcomes come out. */
export interface Exchange {
  readonly state: ExchangeState;
  /**
   * Journals and applies the command; resolves once both are durable. The command of a signed
   * request has the request's digest, and a step of a withdrawal one of its own; each digest is
   * accepted once.
   * @throws EngineBusyError, EngineRestartingError: the command was not accepted.
   * @throws RequestRepeatedError, RequestExpiredError
   */
  submit(command: Command, digest?: RequestDigest | null): Promise<AppliedCommand>;
  /**
   * Reads the live state; resolves once all that was read is durable.
   * @throws EngineBusyError, EngineRestartingError
   */
  read<T>(query: (view: EngineView) => T): Promise<T>;
  /**
   * Reads the live state immediately, durable or not. Only for building a command whose own outcome
   * then waits for durability.
   * @throws EngineRestartingError
   */
  peek<T>(query: (view: EngineView) => T): T;
  /**
   * Calls the listener with every durable batch, in order, from now on; returns the unsubscribe
   * function.
   */
  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void;
  /** The last durable sequence, which a read of history has to wait for. */
  readonly durableSequence: Sequence;
}

/** Waits until the database has caught up. */
export interface ReadBarrier {
  /**
   * Resolves once the database holds everything up to the sequence.
   * @throws DatabaseError if that does not happen in time.
   */
  waitFor(sequence: Sequence): Promise<void>;
}

/** Warnings for operators about details that callers do not get; a pino logger implements it. */
export interface OperatorLog {
  /** Logs a warning; `details` hold no secret. */
  warn(details: object, message: string): void;
}

/** The response to a signed order, as it was sent. */
export interface OrderReply {
  readonly status: number;
  readonly body: string;
}

/** Returns this process's reply to a signed order once it has one; null without such an order. */
export type FindOwnReply = (signature: string) => Promise<OrderReply | null>;

/** What the exchange as a whole remembers of signed orders. */
export interface OrderMemory {
  /**
   * Whether the exchange recognizes the digest of every order that it has accepted. Otherwise each
   * process recognizes only the orders that it has received itself.
   */
  isComplete(): boolean;
  /** The reply that another process gave to the order; null if none has it. */
  findReply(signature: string): Promise<OrderReply | null>;
  /** Makes the replies of this process known to the others. */
  shareReplies(find: FindOwnReply): void;
}

/** A page of history, newest first. nextCursor is opaque, and null on the last page. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Which of an account's orders to list; null matches all. */
export interface SpotOrderFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly status: string | null;
  readonly clientOrderId: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Which of an account's trades to list; null matches all. */
export interface SpotTradeFilter {
  readonly address: Address;
  readonly symbol: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Durable outcomes from any position on, however old; the projector reads it. */
export interface OutcomeLog {
  /** Returns the outcomes right after the position, at least one; waits until there are some. */
  read(after: Sequence, limitMax: number, signal: AbortSignal): Promise<readonly AppliedCommand[]>;
  /** Reports that everything up to the position is stored in the database. */
  release(upTo: Sequence): void;
}

/** Spot orders, trades and market statistics, as stored in the database. */
export interface SpotHistory {
  /** Newest first. */
  listOrders(filter: SpotOrderFilter): Promise<CursorPage<SpotOrderView>>;
  /** Null if there is no such order. */
  findOrder(orderNumber: OrderNumber): Promise<OwnedSpotOrder | null>;
  /** Newest first. */
  listTrades(filter: SpotTradeFilter): Promise<CursorPage<SpotTradeView>>;
  /** A market's newest trades, newest first. */
  listRecentTrades(symbol: string, limit: number): Promise<readonly PublicSpotTradeView[]>;
  /** Oldest first. */
  listKlines(filter: KlineFilter): Promise<readonly KlineView[]>;
  /** Statistics of the 24 hours before `now`; null before the market's first trade. */
  findTicker(symbol: string, now: TimestampMs): Promise<SpotTickerStatistics | null>;
}

/** An order with its owner. */
export interface OwnedSpotOrder {
  readonly owner: Address;
  readonly order: SpotOrderView;
}

/** Which candles to list. */
export interface KlineFilter {
  readonly symbol: string;
  readonly interval: KlineInterval;
  /** Milliseconds since 1970, both inclusive, of the candles' open time; null is unbounded. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/** An API key without its secret. */
export interface ApiKey {
  readonly apiKey: string;
  readonly address: Address;
  readonly label: string;
  readonly ipWhitelist: readonly string[];
  readonly permissions: readonly ApiKeyPermission[];
  readonly isEnabled: boolean;
  readonly createdAt: Date;
}

/** An API key as it is listed. */
export interface ListedApiKey extends ApiKey {
  /** To the minute; null: never, as far as recorded. */
  readonly lastUsedAt: Date | null;
}

/** What a key permits; `withdraw` is for withdrawals of the perp wallet. */
export type ApiKeyPermission = 'read' | 'trade' | 'withdraw';

/**
 * A key with its decrypted secret, as needed to verify signatures; kept in memory, never logged.
 */
export interface ApiKeyCredential extends ApiKey {
  readonly apiSecret: string;
}

/** The changes to make to a key; missing fields are kept. */
export interface ApiKeyChange {
  readonly label?: string;
  readonly isEnabled?: boolean;
  readonly ipWhitelist?: readonly string[];
}

/** Stores API keys; all methods but recallCredential and noteUse throw DatabaseError. */
export interface ApiKeyStore {
  /** Stores a new key with its sealed secret; false if its account has `apiKeysMax` already. */
  create(credential: ApiKeyCredential): Promise<boolean>;
  /** The account's keys without their secrets. */
  list(address: Address): Promise<readonly ListedApiKey[]>;
  /** The changed key, or null if the address has no such key. */
  change(address: Address, apiKey: string, change: ApiKeyChange): Promise<ListedApiKey | null>;
  /** False if the address has no such key. */
  remove(address: Address, apiKey: string): Promise<boolean>;
  /** From memory if cached there, so that trading survives the loss of the database. */
  findCredential(apiKey: string): Promise<ApiKeyCredential | null>;
  /** The key if it is cached and certain to be current; null: call findCredential. */
  recallCredential(apiKey: string): ApiKeyCredential | null;
  /** Records that the key was used at a time in milliseconds since 1970, without waiting. */
  noteUse(apiKey: string, at: number): void;
}

/** Stores the nonces of sign-in messages. */
export interface LoginNonceStore {
  /** Stores a nonce until it is used or expires. */
  issue(entry: LoginNonce): Promise<void>;
  /** Deletes and returns the nonce, so that it works only once; null if it is unknown. */
  consume(nonce: string): Promise<LoginNonce | null>;
}

/** Stores which sessions were ended before their tokens expired. */
export interface EndedSessions {
  /**
   * Ends a session for every process; harmless if it has ended.
   * @throws DatabaseError
   */
  end(session: EndedSession): Promise<void>;
  /** From memory; null while it is unknown which sessions have ended. */
  recall(id: string): boolean | null;
  /** @throws DatabaseError */
  has(id: string): Promise<boolean>;
}

/** A session that its account or an operator has ended. */
export interface EndedSession {
  readonly id: string;
  readonly address: Address;
  /** When the last token that the session could have expires. */
  readonly expiresAt: Date;
}

/** A nonce that one address can sign in with until it expires. */
export interface LoginNonce {
  readonly nonce: string;
  readonly address: Address;
  readonly expiresAt: Date;
}

/** An account's public profile. */
export interface Profile {
  readonly address: Address;
  readonly username: string | null;
  readonly createdAt: Date;
}

/** Stores profiles. */
export interface ProfileStore {
  /** Null for an address without an account. */
  find(address: Address): Promise<Profile | null>;
  /** Returns 'taken' if another account has the name in any letter case. */
  setUsername(address: Address, username: string): Promise<'changed' | 'taken'>;
}

/** Account data that administrators change. */
export interface UserStore {
  /** Also writes the audit log, in the same transaction; false if the address has no account. */
  setMarketMaker(address: Address, isMarketMaker: boolean): Promise<boolean>;
}

/** Asks a contract wallet whether a signature is its own (EIP-1271). */
export interface ContractSignatures {
  /** Whether the account's contract accepts the signature, by ERC-1271. */
  verify(claim: SignatureClaim): Promise<boolean>;
}

/** A signature to verify. */
export interface SignatureClaim {
  readonly address: Address;
  /** The signed text; wallets sign texts as in EIP-191. */
  readonly message: string;
  readonly signature: `0x${string}`;
}

/** A balance as stored in the database; amounts are decimal texts. */
export interface BalanceChange {
  /** The wallet. In the perp wallet, `locked` is what is set aside for withdrawals. */
  readonly market: 'spot' | 'futures';
  readonly address: Address;
  readonly token: string;
  readonly available: string;
  readonly locked: string;
  /** The command that led to this balance. */
  readonly sequence: Sequence;
}

/**
 * Balances as they change in the database, driven by its notifications. A change can be skipped if
 * a later one of the same balance follows. The last one always arrives, even after a lost
 * connection, and the sequences of one balance only increase.
 */
export interface BalanceFeed {
  /**
   * Calls the listener with the address's changes from now on; returns the unsubscribe function.
   */
  subscribe(address: Address, listener: (changes: readonly BalanceChange[]) => void): () => void;
}

/** An administrator's write that is not an engine command; the projector records those. */
export interface AuditEntry {
  /** Verb and noun, for example `set_vip_override`. */
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Records administrators' writes. */
export interface AuditLog {
  /** Stores who did what. */
  record(entry: AuditEntry): Promise<void>;
}

/** Checks whether the database responds. */
export interface DatabaseHealth {
  /**
   * Queries the database; concurrent callers share one query. A silent database is queried again
   * for timeoutMs milliseconds, by default 1000.
   */
  isReachable(timeoutMs?: number): Promise<boolean>;
}
