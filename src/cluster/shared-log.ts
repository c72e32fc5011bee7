import type { Sequence } from '../domain/identifiers.ts';
import { LogDamageError, type LogEntry, type LogPosition, type PlacedEntry } from './log-entry.ts';

/** Another process has appended since: this process is no longer the owner. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The log's server has forgotten the last entry's id: an append can only compare its position. */
export class IdForgottenError extends FencedError {
  override readonly name = 'FencedError';
}

/**
 * The log's server has restarted, so stored entries may be gone. The entry was not stored, or is
 * gone with them.
 */
export class LogRestartedError extends Error {
  override readonly name = 'LogRestartedError';
}

/**
 * The leader of the log's servers lacks the entry that the append follows. Others may hold it, and
 * even the entry that this leader refuses.
 */
export class LogBehindError extends Error {
  override readonly name = 'LogBehindError';
}

/** The log lacks what this process needs next. */
export function trimmedLogError(beginning: number): LogDamageError {
  return new LogDamageError(
    `the shared log begins with entry ${beginning}, which is after what this process needs: with ` +
      'SNAPSHOT_STORE it begins with a proven snapshot when it is started again',
  );
}

/** What the server compares of the entry that an append follows; usually both. */
export type AppendCheck = 'id' | 'position';

/** An entry that names the start of the server to which it may be sent. */
export type AppendableEntry = LogEntry & { readonly logStart: string };

export interface LogEnd {
  /** The last entry's position; 0 if there is none. */
  readonly end: number;
  /** Identifies this run of the log's server: if it changes, stored entries may be gone. */
  readonly start: string;
  /** False with several servers: other processes may then see another start. */
  readonly isOneServer: boolean;
}

/** The log shared by all processes of one exchange: entries at positions from 1 on. */
export interface SharedLog {
  /** The last entry's position; 0 if there is none. @throws LogUnreachableError */
  loadEnd(): Promise<number>;
  /** Null if the log has no such position. @throws LogUnreachableError */
  load(position: number): Promise<PlacedEntry | null>;
  /** The end and the start at the same moment. @throws LogUnreachableError */
  loadEndAndStart(): Promise<LogEnd>;
  /** Whether an append waits because the server has no space for it. */
  readonly isFull: boolean;
  /** The part of its space that is used, as last seen; absent or null if that is unknown. */
  readonly usedRatio?: number | null;
  /** Discards the known end, because it came from entries that are gone. */
  forgetEnd(): void;
  /** The first position that may still exist; older ones are removed. */
  loadBeginning(): Promise<number>;
  /** When the entry was stored, in milliseconds since 1970; null if there is none. */
  loadTime(position: number): Promise<number | null>;
  /** Removes the entries before the position permanently. */
  trimBelow(position: number): Promise<void>;
  /**
   * Makes the entry durable directly after that one, retrying as often as needed; resolves to where
   * it stands. Nothing of it reaches a later start of the server than the entry names. With
   * 'position' the server does not compare ids.
   * @throws FencedError if another entry is stored there, LogRestartedError, or LogBehindError,
   * after which the entry may be stored
   */
  append(entry: AppendableEntry, after: LogPosition, by?: AppendCheck): Promise<LogPosition>;
  /**
   * Visits the entries from the position on, in order and without gaps, until the signal; each
   * visit waits for the one before it. Rejects with the error of a visit.
   */
  follow(
    from: number,
    visit: (entry: PlacedEntry) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}

/** The part of the log's interface that a process can use before it has joined. */
export type LogReader = Pick<SharedLog, 'load' | 'loadBeginning' | 'loadEnd'>;

/**
 * The first position that holds a command after the given one, or the position of the next entry.
 * Entries are not indexed by command, but both rise together.
 */
export async function findPositionAfter(log: LogReader, sequence: Sequence): Promise<number> {
  let low = await log.loadBeginning();
  let high = (await log.loadEnd()) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await log.load(middle);
    if (entry === null || entry.lastSequence > sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Whether the log begins after what a journal with that last command needs: the entry that its end
 * is compared with is removed.
 */
export async function isTrimmedAfter(log: LogReader, sequence: Sequence): Promise<boolean> {
  const beginning = await log.loadBeginning();
  if (beginning <= 1) return false;
  const next = await findPositionAfter(log, sequence);
  return next <= beginning && (await log.load(next - 1)) === null;
}
