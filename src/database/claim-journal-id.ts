import { migrateDatabase } from './migrate-database.ts';
import type { Database } from './open-database.ts';

/**
 * The identity that the journals of this database's exchange have: the given one where none is
 * known yet. @throws DatabaseError
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
