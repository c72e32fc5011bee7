import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

// Held while blocks are counted or rolled back and while people end events that wait, so that two
// processes cannot do so at the same time.
const ledgerLock = 0x636861696e;

/** Waits for the lock, which the transaction holds to its end. */
export async function lockLedger(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ledgerLock}::bigint)`.execute(transaction);
}
