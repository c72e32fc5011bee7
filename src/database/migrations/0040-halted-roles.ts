import { type Kysely, sql } from 'kysely';

// A halt can concern one signer only: then the others go on.

const statements = [
  `ALTER TABLE chain_halts
    ADD COLUMN role text CHECK (role IN ('settler', 'reward', 'vault'))`,
  'DROP INDEX chain_halts_open',
  `CREATE UNIQUE INDEX chain_halts_open ON chain_halts (kind, coalesce(role, ''))
    WHERE cleared_at IS NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
