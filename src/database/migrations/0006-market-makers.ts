import { type Kysely, sql } from 'kysely';

const statements = [
  'ALTER TABLE accounts ADD COLUMN is_market_maker boolean NOT NULL DEFAULT false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
