import { type Kysely, sql } from 'kysely';

// A balance below zero breaks a rule of the engine, which then holds withdrawals back and goes on.
// What it tells is still written, so that the history of everybody else goes on too.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['available', 'locked']) {
    const name = sql.ref(`spot_balances_${column}_check`);
    await sql`ALTER TABLE spot_balances DROP CONSTRAINT ${name}`.execute(db);
    await sql`
      ALTER TABLE spot_balances ADD CONSTRAINT ${name}
        CHECK (${sql.ref(column)} > '-Infinity' AND ${sql.ref(column)} < 'Infinity')`.execute(db);
  }
}
