import { type Kysely, sql } from 'kysely';

// An event that people have looked at and ignore holds back nothing any more. Its row stays: the
// chain has done it, so the books count it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE chain_parked_events
      ADD COLUMN ignored_at timestamptz,
      ADD COLUMN ignored_by text,
      ADD COLUMN reason text,
      ADD CHECK ((ignored_at IS NULL) = (ignored_by IS NULL)),
      ADD CHECK ((ignored_at IS NULL) = (reason IS NULL)),
      DROP CONSTRAINT chain_parked_events_block_hash_log_index_key`.execute(db);
  // One log may end several queued releases.
  await sql`
    CREATE UNIQUE INDEX chain_parked_events_by_log ON chain_parked_events
      (block_hash, log_index, account, coalesce(event->>'queueId', ''))`.execute(db);
}
