import type { Sequence } from '../../domain/identifiers.ts';
import type { RequestDigest } from '../../domain/request-digest.ts';
import type { Command } from '../../engine/commands.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import type { AppliedCommand } from '../../engine/events.ts';

export type { RequestDigest } from '../../domain/request-digest.ts';
export type { BookDepth, BookLevel } from '../../engine/book-depth.ts';
export type { Command } from '../../engine/commands.ts';
export type { EngineView, TokenBalance } from '../../engine/engine-view.ts';
export type { AppliedCommand, BookLevelChanged, EngineEvent } from '../../engine/events.ts';
export type {
  FuturesBookLevelChanged,
  FuturesOrderEnd,
  FuturesOrderUpdated,
  MarkPriceChanged,
  PerpBalanceChanged,
} from '../../engine/futures-events.ts';
export type { EffectiveFees, FuturesView, OpenNotional } from '../../engine/futures-view.ts';

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

/** Durable outcomes from any position on, however old; the projector reads it. */
export interface OutcomeLog {
  /** Returns the outcomes right after the position, at least one; waits until there are some. */
  read(after: Sequence, limitMax: number, signal: AbortSignal): Promise<readonly AppliedCommand[]>;
  /** Reports that everything up to the position is stored in the database. */
  release(upTo: Sequence): void;
}
