import { sql } from 'kysely';
import type { Database } from './open-database.ts';

// An answer that took longer tells too little of now.
const answerMs = 1_000;

/** What the server's clock says, milliseconds since 1970; null where it does not answer soon. */
export async function readDatabaseClock({ leases }: Database): Promise<number | null> {
  const asked = performance.now();
  try {
    const { rows } = await leases.query((db) =>
      sql<{ now: string }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`.execute(db),
    );
    const isFresh = performance.now() - asked <= answerMs;
    return isFresh && rows[0] !== undefined ? Number(rows[0].now) : null;
  } catch {
    // Whoever asks does without; that the database is away, others say.
    return null;
  }
}
