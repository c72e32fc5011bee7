import type { Sequence } from '../../domain/identifiers.ts';

/** The database did not respond; the cause has the details. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** A cursor that this exchange never issued, or a cursor of another list. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';
}

/** A page of history, newest first. nextCursor is opaque, and null on the last page. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Waits until the database has caught up. */
export interface ReadBarrier {
  /**
   * Resolves once the database holds everything up to the sequence.
   * @throws DatabaseError if that does not happen in time.
   */
  waitFor(sequence: Sequence): Promise<void>;
}

/** Checks whether the database responds. */
export interface DatabaseHealth {
  /**
   * Queries the database; concurrent callers share one query. A silent database is queried again
   * for timeoutMs milliseconds, by default 1000.
   */
  isReachable(timeoutMs?: number): Promise<boolean>;
}
