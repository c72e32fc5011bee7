import { type Kysely, sql } from 'kysely';

// A client may call an amendment by a number of its own. Amendments without one have null.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE futures_order_amendments
      ADD COLUMN modify_id bigint CHECK (modify_id >= 0)`.execute(db);
}
