import { type Kysely, sql } from 'kysely';

// Trades by which the exchange closes positions against each other are no market data.

const statements = [
  'ALTER TABLE futures_trades ADD COLUMN is_off_book boolean NOT NULL DEFAULT false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
