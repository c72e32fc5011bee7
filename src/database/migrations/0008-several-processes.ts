import { type Kysely, sql } from 'kysely';

// What several processes of one exchange share with each other through their database.

export async function up(db: Kysely<unknown>): Promise<void> {
  // The identity of the journals: a process with a different one belongs to another exchange.
  await sql`
    CREATE TABLE exchange_identity (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      journal_id text NOT NULL CHECK (journal_id ~ '^[0-9a-f]{16}$')
    )`.execute(db);
  // A key is made of its seed and of a secret of the processes; found by its hash.
  await sql`
    CREATE TABLE listen_keys (
      address text PRIMARY KEY,
      key_hash bytea NOT NULL UNIQUE,
      seed bytea NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX ON listen_keys (expires_at)`.execute(db);
}
