import { type Kysely, sql } from 'kysely';

// Which close-out a step belongs to, and how far it had come. Steps without them have null.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE futures_liquidation_steps
      ADD COLUMN close_out_number bigint CHECK (close_out_number >= 1),
      ADD COLUMN stage text CHECK (stage IN ('orders', 'book', 'final'))`.execute(db);
}
