import { type Kysely, sql } from 'kysely';

// An amount can be set aside after its withdrawal was given up; these indexes find it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX withdrawals_abandoned ON withdrawals ((id::text))
      WHERE status = 'abandoned'`.execute(db);
  await sql`
    CREATE INDEX withdrawal_funds_reserved ON withdrawal_funds (withdrawal_id)
      WHERE state = 'reserved'`.execute(db);
}
