import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { DatabaseProxy } from '../../test/support/database-proxy.ts';
import { silentLog } from '../../test/support/database-url.ts';
import { DatabaseError } from '../application/ports/database.ts';
import { DatabasePool, type PoolLimits } from './database-pool.ts';

const limits: PoolLimits = {
  name: 'test',
  connectionsMax: 2,
  statementTimeoutMs: 2_000,
  lockTimeoutMs: 100,
  waitMs: 20_000,
};

let test: TestDatabase;
let proxy: DatabaseProxy;
let pool: DatabasePool;

beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(async () => {
  await test.close();
});
beforeEach(async () => {
  proxy = await DatabaseProxy.open(test.url);
  pool = new DatabasePool(proxy.target, limits, silentLog);
});
afterEach(async () => {
  await pool.close();
  await proxy.close();
});

async function answer(): Promise<unknown> {
  const { rows } = await pool.query((db) => sql<{ one: number }>`SELECT 1 AS one`.execute(db));
  return rows[0]?.one;
}

/** For what must fail soon; what should succeed is tried again, as the machine may be busy. */
async function shortenTimeouts(): Promise<void> {
  await pool.close();
  pool = new DatabasePool(proxy.target, { ...limits, waitMs: 500 }, silentLog);
}

describe('DatabasePool', () => {
  it('pool: decimals and large integers stay texts', async () => {
    const { rows } = await pool.query((db) =>
      sql`SELECT 0.10::numeric AS amount, 9007199254740993::bigint AS number`.execute(db),
    );
    expect(rows).toEqual([{ amount: '0.10', number: '9007199254740993' }]);
  });

  it('pool: a statement that runs too long, or waits for a lock, is a DatabaseError', async () => {
    const slow = pool.query((db) => sql`SELECT pg_sleep(10)`.execute(db));
    await expect(slow).rejects.toBeInstanceOf(DatabaseError);
    await test.database.reads.withClient(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE accounts');
      const locked = pool.query((db) => db.selectFrom('accounts').selectAll().execute());
      await expect(locked).rejects.toThrow('lock timeout');
      await client.query('ROLLBACK');
    });
    expect(await answer()).toBe(1);
  });

  it('pool: a caller does not wait for a connection longer than its time', async () => {
    await shortenTimeouts();
    const held = [await vi.waitFor(() => pool.connect()), await vi.waitFor(() => pool.connect())];
    await expect(answer()).rejects.toBeInstanceOf(DatabaseError);
    for (const client of held) client.release();
    expect(await answer()).toBe(1);
  });

  it('pool: a server that hangs is a DatabaseError, and its late answer is discarded', async () => {
    await shortenTimeouts();
    await vi.waitFor(async () => expect(await answer()).toBe(1));
    proxy.isMute = true;
    const hung = await Promise.allSettled([answer(), answer()]);
    for (const each of hung) expect(each).toMatchObject({ reason: { name: 'DatabaseError' } });
    proxy.isMute = false;
    await vi.waitFor(async () => expect(await answer()).toBe(1));
  });

  it('pool: idle connections may be lost without harm', async () => {
    expect(await answer()).toBe(1);
    proxy.cutAll();
    await vi.waitFor(async () => expect(await answer()).toBe(1));
  });

  it('pool: connections that are in use may be lost without harm', async () => {
    const client = await pool.connect();
    proxy.cutAll();
    await vi.waitFor(() => expect(client.query('SELECT 1')).rejects.toThrow());
    client.release(true);
    expect(await answer()).toBe(1);
  });

  it('pool: a refused statement does not cost the connection', async () => {
    const pid = async () =>
      pool.withClient(async (client) => {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        return rows[0]?.pid;
      });
    const before = await pid();
    const refused = pool.query((db) => sql`SELECT 1/0`.execute(db));
    await expect(refused).rejects.toThrow('division by zero');
    expect(await pid()).toBe(before);
  });
});
