import { type Kysely, sql } from 'kysely';

// History as files. A file is written in one statement, so a row has the whole of it or none;
// what opens it is made of the seed and of a key that only the processes have.

const statements = [
  `CREATE TABLE downloads (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('order', 'trade', 'income')),
    start_time timestamptz NOT NULL,
    end_time timestamptz NOT NULL,
    seed bytea NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    made_at timestamptz,
    content bytea,
    CHECK ((made_at IS NULL) = (content IS NULL))
  )`,
  'CREATE INDEX downloads_by_address ON downloads (address)',
  'CREATE INDEX downloads_pending ON downloads (id) WHERE content IS NULL',
  'CREATE INDEX downloads_by_end ON downloads (expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
