import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openEmptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../test/support/database.ts';
import { DatabaseError } from '../application/ports/database.ts';
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

  it('migrateDatabase: waiting for a locked table is bounded', async () => {
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

const endless = ['NaN', 'Infinity', '-Infinity'];

// Profits, losses and what they leave; positions short of nothing.
const signedColumns = new Set([
  'vault_moves.raw_amount',
  // What a contract had beyond or below what is counted when its books were opened.
  'contracts.opening_settled',
  'contracts.opening_claimed',
  'futures_funding_rates.funding_rate',
  'futures_income.amount',
  'futures_income.position_quantity',
  'futures_liquidation_steps.equity',
  'futures_positions.quantity',
  'futures_positions.realized_profit',
  'futures_trades.maker_profit',
  'futures_trades.taker_profit',
  'perp_balances.wallet_balance',
  // Written as they are when a broken rule has held withdrawals back.
  'spot_balances.available',
  'spot_balances.locked',
  'points_days.holding',
  'points_days.pnl',
  'points_days.realized_profit',
  'points_days.total',
  'points_epochs.holding',
  'points_epochs.pnl',
  'points_epochs.pnl_earned',
  'points_epochs.total',
  ...['open', 'high', 'low', 'close'].map((part) => `futures_price_candles.premium_${part}`),
]);

describe('tables', () => {
  it('tables: no decimal column accepts NaN or Infinity, and only profits, losses and premiums can be negative', async () => {
    test = await openTestDatabase();
    await test.database.reads.withClient(async (client) => {
      const { rows } = await client.query<{ table_name: string; column_name: string }>(
        `SELECT table_name, column_name FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'numeric' ORDER BY 1, 2`,
      );
      expect(rows.length).toBeGreaterThan(20);
      for (const table of new Set(rows.map((row) => row.table_name))) {
        await createProbe(client, table);
        for (const { column_name } of rows.filter((row) => row.table_name === table)) {
          const isSigned = signedColumns.has(`${table}.${column_name}`);
          for (const bad of isSigned ? endless : [...endless, '-0.00000001']) {
            const insert = client.query(`INSERT INTO probe (${column_name}) VALUES ('${bad}')`);
            const label = `${table}.${column_name} = ${bad}`;
            await expect(insert, label).rejects.toThrow(/check constraint/);
          }
        }
      }
    });
  });
});

describe('keys', () => {
  it('keys: numbers, nonces and slots are unique by contract, and by account over all contracts', async () => {
    test = await openTestDatabase();
    const { rows } = await sql<{ key: string }>`
      SELECT DISTINCT indrelid::regclass || ' ' || (
        SELECT string_agg(attname, ' ' ORDER BY place)
        FROM unnest(indkey) WITH ORDINALITY AS column_of (attnum, place)
        JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = column_of.attnum
      ) AS key FROM pg_index WHERE indisunique`.execute(test.database.reads.db);
    expect(rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'spot_deposits contract_id account number',
        'spot_deposits account number',
        'withdrawals contract_id account nonce',
        'withdrawals account chain_id nonce',
        'reward_redemptions contract_id account_id nonce',
        'reward_redemptions account_id nonce',
        'chain_transactions sender nonce',
      ]),
    );
  });
});

/** A table with the checks of another, but without any column that must be given. */
async function createProbe(client: pg.ClientBase, table: string): Promise<void> {
  await client.query('DROP TABLE IF EXISTS probe');
  await client.query(`CREATE TEMPORARY TABLE probe (LIKE ${table} INCLUDING CONSTRAINTS)`);
  const { rows } = await client.query<{ attname: string }>(
    `SELECT attname FROM pg_attribute
     WHERE attrelid = 'probe'::regclass AND attnum > 0 AND attnotnull`,
  );
  for (const { attname } of rows) {
    await client.query(`ALTER TABLE probe ALTER COLUMN ${attname} DROP NOT NULL`);
  }
}
