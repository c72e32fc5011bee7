import type { Sequence } from '../domain/identifiers.ts';
import type { LogEntry, PlacedEntry } from './log-entry.ts';

/** Somebody else has appended since: this process is no longer the owner. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** The log does not answer; nothing is known of what was under way. */
export class LogUnreachableError extends Error {
  override readonly name = 'LogUnreachableError';
}

export interface LogEnd {
  /** The last entry's position; 0 where there is none. */
  readonly end: number;
  /** Null where it is not the same for all processes, as with several servers. */
  readonly start: string | null;
}

/** The log that all processes of one exchange share: entries in places from 1 on. */
export interface SharedLog {
  /** The last entry's position; 0 where there is none. @throws LogUnreachableError */
  loadEnd(): Promise<number>;
  /** @throws LogUnreachableError; null where the log has no such position. */
  load(position: number): Promise<PlacedEntry | null>;
  /**
   * Names this run of the log's server: where it is another than before, entries that were stored
   * may be gone. @throws LogUnreachableError
   */
  loadStart(): Promise<string>;
  /** The end and the start, as they are at the same time. @throws LogUnreachableError */
  loadEndAndStart(): Promise<LogEnd>;
  /** What is known of the end came from entries that are gone. */
  forgetEnd(): void;
  /** The first position that may still be there; older ones were removed by an operator. */
  loadBeginning(): Promise<number>;
  /**
   * Makes the entry durable right behind that position, however often it has to ask; resolves
   * with the entry's position. @throws FencedError where another entry stands there.
   */
  append(entry: LogEntry, after: number): Promise<number>;
  /**
   * Shows the entries from the position on, one after the other without gaps, until the signal;
   * the next one waits for the visit of the one before. Rejects with what a visit throws.
   */
  follow(
    from: number,
    visit: (entry: PlacedEntry) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}

/**
 * The first position with a command after that one, or the one that the next entry will have.
 * Entries are not indexed by commands, but they rise together.
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
