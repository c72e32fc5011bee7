import { type Kysely, sql } from 'kysely';

// An account's trigger orders are listed from among any number of its other orders.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX futures_orders_triggers
    ON futures_orders (account_id, market_id, order_number)
    WHERE type NOT IN ('limit', 'market')`.execute(db);
}
