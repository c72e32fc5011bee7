import type { Sequence } from '../domain/identifiers.ts';
import type { LogEntry, PlacedEntry } from './log-entry.ts';

/** Another process has appended since: this process is no longer the owner. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The log does not answer; the outcome of pending calls is unknown. */
export class LogUnreachableError extends Error {
  override readonly name = 'LogUnreachableError';
}

export interface LogEnd {
  /** The last entry's position; 0 if there is none. */
  readonly end: number;
  /** Null if it differs between processes, as with several servers. */
  readonly start: string | null;
}

/** The log shared by all processes of one exchange: entries at positions from 1 on. */
export interface SharedLog {
  /** The last entry's position; 0 if there is none. @throws LogUnreachableError */
  loadEnd(): Promise<number>;
  /** Null if the log has no such position. @throws LogUnreachableError */
  load(position: number): Promise<PlacedEntry | null>;
  /**
   * Identifies this run of the log's server: if it changes, stored entries may be gone. @throws
   * LogUnreachableError
   */
  loadStart(): Promise<string>;
  /** The end and the start at the same moment. @throws LogUnreachableError */
  loadEndAndStart(): Promise<LogEnd>;
  /** Discards the known end, because it came from entries that are gone. */
  forgetEnd(): void;
  /** The first position that may still exist; older ones were removed by an operator. */
  loadBeginning(): Promise<number>;
  /**
   * Makes the entry durable directly after that position, retrying as often as needed; resolves to
   * the entry's position. @throws FencedError if another entry is stored there.
   */
  append(entry: LogEntry, after: number): Promise<number>;
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

/**
 * The first position that holds a command after the given one, or the position of the next entry.
 * Entries are not indexed by command, but both rise together.
 */
export async function findPositionAfter(log: SharedLog, sequence: Sequence): Promise<number> {
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
