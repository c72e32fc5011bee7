import { type Kysely, sql } from 'kysely';

// The newest stamp of each member's data folder: a folder with an older one is a copy.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE member_stamps (
      member text PRIMARY KEY,
      count bigint NOT NULL CHECK (count > 0),
      token text NOT NULL
    )`.execute(db);
}
