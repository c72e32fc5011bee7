import { Migrator, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { expectDatabaseToHold } from '../../test/support/database-contents.ts';
import { MemoryOutcomeLog } from '../../test/support/outcomes.ts';
import { SpotFlow } from '../../test/support/spot-flow.ts';
import { createDatabaseServices } from './database-services.ts';
import { migrations } from './migrations/registry.ts';
import type { Database } from './open-database.ts';

async function remakeTables({ reads: { db } }: Database, through: string | null): Promise<void> {
  await sql`DROP SCHEMA public CASCADE`.execute(db);
  await sql`CREATE SCHEMA public`.execute(db);
  if (through === null) return;
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateTo(through);
  expect(error).toBeUndefined();
}

it.each([
  ['without tables', null],
  ['with the tables of an older version', '0018-register-shown'],
])(
  'services: a database %s that takes the place of the one in use is migrated and written',
  async (_name, through) => {
    const opened = await openTestDatabase();
    onTestFinished(() => opened.close());
    const { database } = opened;
    const flow = new SpotFlow({ seed: 7 });
    const log = new MemoryOutcomeLog();
    const outcomes = [...flow.open(), ...flow.trade(50)];
    const services = createDatabaseServices({
      database,
      outcomes: log,
      journalEnd: () => log.last,
      secretsKey: '0'.repeat(64),
      barrierTimeoutMs: 20_000,
    });
    onTestFinished(() => services.stop());
    services.start();
    log.append(...outcomes);
    await services.barrier.waitFor(log.last);
    await remakeTables(database, through);
    const more = flow.trade(50);
    log.append(...more);
    await services.barrier.waitFor(log.last);
    await expectDatabaseToHold(database.reads, [...outcomes, ...more]);
  },
);
