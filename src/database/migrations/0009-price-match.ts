import { type Kysely, sql } from 'kysely';

// Where the book gives an order its price; orders from before name their own.

const statements = [
  "ALTER TABLE futures_orders ADD COLUMN price_match text NOT NULL DEFAULT 'none'",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
