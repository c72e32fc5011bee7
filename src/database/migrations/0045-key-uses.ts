import { type Kysely, sql } from 'kysely';

// When an API key was last used; null: never since this was first recorded.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz`.execute(db);
}
