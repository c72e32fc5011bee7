import { Migrator, sql } from 'kysely';
import { asDatabaseError, DatabasePool } from './database-pool.ts';
import { migrations } from './migrations/registry.ts';
import type { Database } from './open-database.ts';
import { isTableMissing } from './projector/journal-end.ts';

// A migration only waits briefly for a lock, because everything behind it waits too.
const defaultLockTimeoutMs = 5_000;

/**
 * Brings the tables up to date; concurrent starts take turns.
 * @throws DatabaseError if the database is unreachable or rejects a migration
 */
export async function migrateDatabase(
  database: Pick<Database, 'target' | 'log'>,
  lockTimeoutMs = defaultLockTimeoutMs,
): Promise<void> {
  const limits = {
    name: 'migration',
    connectionsMax: 1,
    statementTimeoutMs: 0,
    lockTimeoutMs,
    waitMs: 5_000,
  };
  const pool = new DatabasePool(database.target, limits, database.log);
  try {
    await asDatabaseError(async () => {
      await sql`SELECT 1`.execute(pool.db);
      const migrator = new Migrator({
        db: pool.db,
        provider: { getMigrations: async () => ({ ...migrations }) },
      });
      const { error, results } = await migrator.migrateToLatest();
      for (const { migrationName, status } of results ?? []) {
        if (status === 'Success') database.log.info({ migrationName }, 'database migrated');
      }
      if (error instanceof Error) throw error;
      if (error !== undefined) throw new Error('a migration failed', { cause: error });
    });
  } finally {
    await pool.close();
  }
}

/**
 * Whether every migration of this version has run; those of a later version may have as well.
 * @throws DatabaseError if the database does not respond now
 */
export async function isMigrated({ projector }: Pick<Database, 'projector'>): Promise<boolean> {
  const names = Object.keys(migrations);
  try {
    return await projector.withClient(async (client) => {
      const text = 'SELECT count(*)::int AS count FROM kysely_migration WHERE name = ANY($1)';
      const { rows } = await client.query<{ count: number }>(text, [names]);
      return rows[0]?.count === names.length;
    });
  } catch (error) {
    if (isTableMissing(error)) return false;
    throw error;
  }
}
