import { type Kysely, sql } from 'kysely';

// The newest epoch that a process has claimed, where it does not get lost with the shared log.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE exchange_epoch (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      epoch bigint NOT NULL CHECK (epoch > 0)
    )`.execute(db);
}
