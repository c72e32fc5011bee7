import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { DatabaseProxy } from '../../../test/support/database-proxy.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import { flowAddress } from '../../../test/support/spot-flow.ts';
import { connectDatabase } from '../open-database.ts';
import { DatabaseApiKeyStore } from './api-key-store.ts';
import { DatabaseListenKeyStore } from './listen-key-store.ts';
import { SecretBox } from './secret-box.ts';

const secretsKey = 'cd'.repeat(32);
const address = flowAddress(1);
const hourMs = 3_600_000;

let test: TestDatabase;
let time: number;

beforeEach(async () => {
  test = await openTestDatabase();
  time = Date.parse('2026-01-05T12:00:00Z');
});
afterEach(() => test.close());

/** Stands for the store of another process. */
function openStore(pool = test.database.accounts): DatabaseListenKeyStore {
  return new DatabaseListenKeyStore({
    pool,
    secretsKey,
    now: () => new Date(time),
    log: silentLog,
  });
}

describe('DatabaseListenKeyStore', () => {
  it('listen keys: the live key is issued again, by any process and after a restart', async () => {
    const [here, there] = [openStore(), openStore()];
    const { listenKey, expiresAt } = await here.issue(address);
    expect(listenKey).toMatch(/^[0-9a-f]{64}$/);
    expect(expiresAt).toBe(time + hourMs);
    expect((await there.issue(address)).listenKey).toBe(listenKey);
    expect(await there.find(listenKey)).toBe(address);
    expect(await there.find('0'.repeat(64))).toBeNull();
  });

  it('listen keys: concurrent requests get one key', async () => {
    const stores = [openStore(), openStore()];
    const keys = await Promise.all(
      Array.from({ length: 12 }, (_, index) => stores[index % 2]!.issue(address)),
    );
    expect(new Set(keys.map(({ listenKey }) => listenKey)).size).toBe(1);
  });

  it('listen keys: a key lives for 3600 seconds after its last use', async () => {
    const store = openStore();
    const { listenKey } = await store.issue(address);
    time += hourMs - 1;
    expect(await store.find(listenKey)).toBe(address);
    time += hourMs - 1;
    expect((await store.renew(address))?.listenKey).toBe(listenKey);
    time += hourMs;
    expect(await store.find(listenKey)).toBeNull();
    expect(await store.renew(address)).toBeNull();
    expect((await store.issue(address)).listenKey).not.toBe(listenKey);
  });

  it('listen keys: a revoked key is invalid everywhere, and is revoked once', async () => {
    const [here, there] = [openStore(), openStore()];
    const { listenKey } = await here.issue(address);
    expect(await there.revoke(address)).toBe(true);
    expect(await here.revoke(address)).toBe(false);
    expect(await here.find(listenKey)).toBeNull();
  });

  it('listen keys: the table does not contain the keys themselves', async () => {
    const { listenKey } = await openStore().issue(address);
    const rows = await test.database.accounts.withClient((client) =>
      client.query('SELECT address, encode(key_hash, $1) h, encode(seed, $1) s FROM listen_keys', [
        'hex',
      ]),
    );
    expect(rows.rows).toHaveLength(1);
    expect(JSON.stringify(rows.rows)).not.toContain(listenKey);
  });

  it('listen keys: a key that is known here stays valid while the database is down', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const database = connectDatabase(proxy.target, silentLog);
    const store = openStore(database.accounts);
    const { listenKey } = await store.issue(address);
    proxy.judge = () => 'cut';
    expect(await store.find(listenKey)).toBe(address);
    await expect(store.find('1'.repeat(64))).rejects.toMatchObject({ name: 'DatabaseError' });
    time += hourMs;
    expect(await store.find(listenKey)).toBeNull();
    await database.stop();
    await proxy.close();
  });

  it('listen keys: a key is revoked with an API key of its account, but not by a new label', async () => {
    const { accounts } = test.database;
    const apiKeys = new DatabaseApiKeyStore(accounts, new SecretBox(secretsKey), silentLog);
    const store = openStore();
    const changes: readonly (readonly [(apiKey: string) => Promise<unknown>, boolean])[] = [
      [(apiKey) => apiKeys.change(address, apiKey, { label: 'other' }), true],
      [(apiKey) => apiKeys.change(address, apiKey, { isEnabled: true }), true],
      [(apiKey) => apiKeys.change(flowAddress(2), apiKey, { isEnabled: false }), true],
      [(apiKey) => apiKeys.remove(flowAddress(2), apiKey), true],
      [(apiKey) => apiKeys.change(address, apiKey, { isEnabled: false }), false],
      [(apiKey) => apiKeys.change(address, apiKey, { ipWhitelist: ['10.0.0.1'] }), false],
      [(apiKey) => apiKeys.remove(address, apiKey), false],
    ];
    for (const [number, [change, isAlive]] of changes.entries()) {
      const apiKey = String(number).padStart(64, 'k');
      await apiKeys.create({
        apiKey,
        apiSecret: 's'.repeat(64),
        address,
        label: '',
        ipWhitelist: [],
        permissions: ['read'],
        isEnabled: true,
        createdAt: new Date(time),
      });
      const { listenKey } = await store.issue(address);
      await change(apiKey);
      expect(await store.find(listenKey)).toBe(isAlive ? address : null);
    }
  });
});
