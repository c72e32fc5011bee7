import { type Kysely, sql } from 'kysely';

// What most orders have is the default, so that their rows are written without saying it.

const defaults = [
  ['trigger_price_kind', "'contract'"],
  ['is_reduce_only', 'false'],
  ['is_close_position', 'false'],
  ['is_price_protected', 'false'],
  ['self_trade_mode', "'expire_taker'"],
  ['is_algo', 'false'],
  ['origin', "'user'"],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  const changes = defaults.map(([column, value]) => `ALTER COLUMN ${column} SET DEFAULT ${value}`);
  await sql.raw(`ALTER TABLE futures_orders ${changes.join(', ')}`).execute(db);
}
