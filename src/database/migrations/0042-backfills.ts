import { type Kysely, sql } from 'kysely';

// How far the blocks before the first counted one are read for deposits into the vault.

const statements = [
  `CREATE TABLE backfills (
    contract_id bigint PRIMARY KEY REFERENCES contracts,
    from_block bigint NOT NULL CHECK (from_block >= 0),
    next_block bigint NOT NULL CHECK (next_block >= from_block),
    through_block bigint NOT NULL,
    done_at timestamptz
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
