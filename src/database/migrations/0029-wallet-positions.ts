import { type Kysely, sql } from 'kysely';

// Each closing of the books looks for the rows that are new since the last one.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX spot_deposits_by_position ON spot_deposits (position)`.execute(db);
  await sql`CREATE INDEX withdrawals_by_position ON withdrawals (position)`.execute(db);
}
