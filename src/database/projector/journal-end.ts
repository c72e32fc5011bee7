import { sql } from 'kysely';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { Database } from '../open-database.ts';

/**
 * The database holds outcomes that the journal never had: one of them was wiped, or restored from
 * another time. Continuing would mix two histories, so nothing is projected until this is fixed.
 */
export class DatabaseAheadError extends Error {
  override readonly name = 'DatabaseAheadError';
}

/** @throws DatabaseAheadError if the database holds more than the journal. */
export function requireJournalBeyond(position: Sequence, journalEnd: Sequence): void {
  if (journalEnd >= position) return;
  throw new DatabaseAheadError(
    `the database holds everything up to ${position}, but the journal ends at ${journalEnd}`,
  );
}

const undefinedTable = '42P01';

/** The command up to which the database is written; null if it is new or does not respond now. */
export async function findHeldPosition(database: Database): Promise<Sequence | null> {
  try {
    return await findProjectedPosition(database);
  } catch (error) {
    // Trading needs no database; the projector checks again once it responds.
    if (error instanceof DatabaseError) return null;
    throw error;
  }
}

/**
 * The command up to which the database is written; null if it is new.
 * @throws DatabaseError if it does not respond now
 */
export async function findProjectedPosition({ reads }: Database): Promise<Sequence | null> {
  try {
    const { rows } = await reads.query((db) =>
      sql<{ position: string }>`SELECT position FROM projector_position`.execute(db),
    );
    return rows[0] === undefined ? null : (Number(rows[0].position) as Sequence);
  } catch (error) {
    if (isTableMissing(error)) return null;
    throw error;
  }
}

/** Whether the database has answered, and lacks a table that the query names. */
export function isTableMissing(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === undefinedTable;
}
