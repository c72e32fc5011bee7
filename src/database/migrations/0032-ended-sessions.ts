import { type Kysely, sql } from 'kysely';

// Sessions that were ended while one of their tokens could still be valid.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ended_sessions (
      id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 1024),
      address text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX ended_sessions_by_end ON ended_sessions (expires_at)`.execute(db);
}
