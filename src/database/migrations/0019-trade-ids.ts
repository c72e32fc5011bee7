import { type Kysely, sql } from 'kysely';

// A trade's number rises over all markets, its id by one within its market. Trades that were
// numbered before there were ids keep their number as their id; the engine goes on from there.

const statements = ['spot_trades', 'futures_trades'].flatMap((table) => [
  `ALTER TABLE ${table} ADD COLUMN trade_id bigint`,
  `UPDATE ${table} SET trade_id = trade_number`,
  `ALTER TABLE ${table} ALTER COLUMN trade_id SET NOT NULL`,
  `ALTER TABLE ${table} ADD CONSTRAINT ${table}_id_is_positive CHECK (trade_id > 0)`,
  `CREATE UNIQUE INDEX ${table}_by_id ON ${table} (market_id, trade_id)`,
]);

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
