import { sql } from 'kysely';
import type { Database } from './open-database.ts';

// A slower response says too little about the current time.
const answerMs = 1_000;

/** The server's clock in milliseconds since 1970; null if it does not respond soon. */
export async function readDatabaseClock({ leases }: Database): Promise<number | null> {
  const asked = performance.now();
  try {
    const { rows } = await leases.query((db) =>
      sql<{ now: string }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`.execute(db),
    );
    const isFresh = performance.now() - asked <= answerMs;
    return isFresh && rows[0] !== undefined ? Number(rows[0].now) : null;
  } catch {
    // The caller does without; other parts report that the database is unreachable.
    return null;
  }
}
