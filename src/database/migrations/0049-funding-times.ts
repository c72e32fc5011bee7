import { type Kysely, sql } from 'kysely';

// Funding rates of all markets are listed by time.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX futures_funding_rates_by_time
    ON futures_funding_rates (funding_time, market_id)`.execute(db);
}
