import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openEmptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../test/support/database.ts';
import { MemoryOutcomeLog } from '../../test/support/outcomes.ts';
import { SpotFlow } from '../../test/support/spot-flow.ts';
import { DatabaseError } from '../application/ports.ts';
import { createDatabaseServices } from './database-services.ts';
import { migrateDatabase } from './migrate-database.ts';
import { migrations } from './migrations/registry.ts';

let test: TestDatabase;
afterEach(async () => {
  await test.close();
});

async function listMigrated(): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string;
  }>`SELECT name FROM kysely_migration ORDER BY name`.execute(test.database.reads.db);
  return rows.map((row) => row.name);
}

describe('migrateDatabase', () => {
  it('migrateDatabase: an empty database gets every table, a second time nothing', async () => {
    test = await openEmptyTestDatabase();
    await migrateDatabase(test.database);
    expect(await listMigrated()).toEqual(Object.keys(migrations));
    await migrateDatabase(test.database);
    expect(await listMigrated()).toEqual(Object.keys(migrations));
    const rows = await test.database.reads.db.selectFrom('spot_orders').selectAll().execute();
    expect(rows).toEqual([]);
  });

  it('migrateDatabase: processes that start together migrate once', async () => {
    test = await openEmptyTestDatabase();
    await Promise.all([1, 2, 3].map(() => migrateDatabase(test.database)));
    expect(await listMigrated()).toEqual(Object.keys(migrations));
  });

  it('migrateDatabase: a table that somebody holds is not waited for without end', async () => {
    test = await openEmptyTestDatabase();
    await migrateDatabase(test.database);
    await test.database.reads.withClient(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE kysely_migration IN ACCESS EXCLUSIVE MODE');
      const migrating = migrateDatabase(test.database, 100);
      await expect(migrating).rejects.toThrow(/lock timeout/);
      await client.query('ROLLBACK');
    });
    await migrateDatabase(test.database, 100);
    expect(await listMigrated()).toEqual(Object.keys(migrations));
  });

  it('migrateDatabase: a server that is away is a DatabaseError', async () => {
    test = await openEmptyTestDatabase();
    const target = { host: '127.0.0.1', port: 9, user: 'nobody', database: 'none' };
    const migrating = migrateDatabase({ target, log: test.database.log });
    await expect(migrating).rejects.toBeInstanceOf(DatabaseError);
  });
});

describe('migrations', () => {
  it('migrations: the order of their names is the order in which they run', async () => {
    test = await openTestDatabase();
    expect([...(await listMigrated())].sort()).toEqual(Object.keys(migrations));
  });
});

describe('tables', () => {
  it('tables: no decimal column takes NaN, Infinity or a negative number', async () => {
    test = await openTestDatabase();
    const flow = new SpotFlow({ seed: 3 });
    const outcomes = new MemoryOutcomeLog();
    outcomes.append(...flow.open(), ...flow.trade(200));
    const { database } = test;
    const services = createDatabaseServices({
      database,
      outcomes,
      journalEnd: () => outcomes.last,
      secretsKey: '0'.repeat(64),
    });
    services.start();
    await services.barrier.waitFor(outcomes.last);
    await services.stop();

    // Of the tables that this flow fills; an update of no row breaks no constraint.
    await sql`ANALYZE`.execute(database.reads.db);
    const { rows } = await sql<{ table_name: string; column_name: string }>`
      SELECT table_name, column_name FROM information_schema.columns
      JOIN pg_class ON relname = table_name AND relnamespace = 'public'::regnamespace
      WHERE table_schema = 'public' AND data_type = 'numeric' AND reltuples > 0`.execute(
      database.reads.db,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { table_name, column_name } of rows) {
      for (const bad of ['NaN', 'Infinity', '-Infinity', '-0.00000001']) {
        const update = sql`UPDATE ${sql.table(table_name)} SET ${sql.ref(column_name)} = ${bad}`;
        const label = `${table_name}.${column_name} = ${bad}`;
        await expect(update.execute(database.reads.db), label).rejects.toThrow(/check constraint/);
      }
    }
  });
});
