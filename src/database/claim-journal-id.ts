import { migrateDatabase } from './migrate-database.ts';
import type { Database } from './open-database.ts';

/**
 * The journal id of this database's exchange; stores the given one if there is none yet. @throws
 * DatabaseError
 */
export async function claimJournalId(database: Database, own: string): Promise<string> {
  await migrateDatabase(database);
  return database.accounts.withClient(async (client) => {
    await client.query(
      'INSERT INTO exchange_identity (journal_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [own],
    );
    const { rows } = await client.query<{ journal_id: string }>(
      'SELECT journal_id FROM exchange_identity',
    );
    return rows[0]?.journal_id ?? own;
  });
}

/** The journal id of this database's exchange; null if it has none yet. @throws DatabaseError */
export function loadJournalId(database: Database): Promise<string | null> {
  return database.accounts.withClient(async (client) => {
    const { rows } = await client.query<{ journal_id: string }>(
      'SELECT journal_id FROM exchange_identity',
    );
    return rows[0]?.journal_id ?? null;
  });
}
