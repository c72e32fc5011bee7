import { type Kysely, sql } from 'kysely';

// A transaction of a key that the contract names no more can do nothing: it is void, and what it
// was to do is planned anew under the present key.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE chain_transactions DROP CONSTRAINT chain_transactions_outcome_check,
      ADD CONSTRAINT chain_transactions_outcome_check
        CHECK (outcome IN ('succeeded', 'reverted', 'cancelled', 'displaced', 'void'))`.execute(db);
}
