import { type Kysely, sql } from 'kysely';

// How many withdrawals of an account wait is counted whenever it requests another.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX withdrawals_waiting ON withdrawals (account, wallet)
      WHERE status IN ('opening', 'pending', 'review', 'approved')`.execute(db);
}
