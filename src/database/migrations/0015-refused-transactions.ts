import { type Kysely, sql } from 'kysely';

// How nodes took each version of a transaction. A version counts as tried before it is first sent,
// so that one which every node refuses is late in time like any other.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE chain_transaction_versions
      ADD COLUMN refusal text,
      ADD COLUMN refusal_count integer NOT NULL DEFAULT 0 CHECK (refusal_count >= 0),
      ADD COLUMN is_taken boolean NOT NULL DEFAULT false`.execute(db);
  await sql`
    UPDATE chain_transaction_versions SET is_taken = sent_at IS NOT NULL`.execute(db);
  // Deposits that cannot be credited come after all others the next time.
  await sql`ALTER TABLE spot_deposits ADD COLUMN stuck_at timestamptz`.execute(db);
}
