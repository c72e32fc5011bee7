import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { DatabaseProxy } from '../../../test/support/database-proxy.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import type { ApiKeyCredential } from '../../application/ports/accounts.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { createDatabaseServices, type DatabaseServices } from '../database-services.ts';
import { connectDatabase, type Database } from '../open-database.ts';
import { DatabaseApiKeyStore } from './api-key-store.ts';
import { SecretBox } from './secret-box.ts';

const secretsKey = 'ab'.repeat(32);
const address = flowAddress(1);

let test: TestDatabase;
const opened: { readonly services: DatabaseServices; readonly database: Database }[] = [];

beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(async () => {
  for (const { services, database } of opened.splice(0)) {
    await services.stop();
    if (database !== test.database) await database.stop();
  }
  await test.close();
});

async function startServices(database: Database = test.database): Promise<DatabaseServices> {
  const flow = new SpotFlow({ seed: 1 });
  const outcomes = new MemoryOutcomeLog();
  outcomes.append(...flow.open());
  const services = createDatabaseServices({
    database,
    outcomes,
    journalEnd: () => outcomes.last,
    secretsKey,
  });
  opened.push({ services, database });
  services.start();
  await services.barrier.waitFor(outcomes.last);
  return services;
}

function credential(apiKey: string, apiSecret = 's'.repeat(64)): ApiKeyCredential {
  return {
    apiKey,
    apiSecret,
    address,
    label: 'a "label", {with} marks',
    ipWhitelist: ['10.0.0.0/8', '::1'],
    permissions: ['read', 'trade'],
    isEnabled: true,
    createdAt: new Date('2024-05-01T10:00:00.123Z'),
  };
}

describe('DatabaseApiKeyStore', () => {
  it('api keys: a key is read back completely, its secret only with the credential', async () => {
    const { apiKeys } = await startServices();
    const { apiSecret, ...key } = credential('k1');
    await apiKeys.create(credential('k1'));
    expect(await apiKeys.findCredential('k1')).toEqual({ ...key, apiSecret });
    expect(await apiKeys.list(address)).toEqual([{ ...key, lastUsedAt: null }]);
    expect(await apiKeys.list(flowAddress(2))).toEqual([]);
    expect(await apiKeys.findCredential('unknown')).toBeNull();
  });

  it('api keys: an account has 100 at most, however many are created at once', async () => {
    const { apiKeys } = await startServices();
    const names = Array.from({ length: 105 }, (_, index) => `k${index}`);
    const created = await Promise.all(names.map((name) => apiKeys.create(credential(name))));
    expect(created.filter(Boolean)).toHaveLength(100);
    expect(await apiKeys.list(address)).toHaveLength(100);
    const elsewhere = { ...credential('other'), address: flowAddress(2) };
    expect(await apiKeys.create(elsewhere)).toBe(true);
  });

  it('api keys: the secret is stored encrypted, never twice with the same text', async () => {
    const { apiKeys } = await startServices();
    await apiKeys.create(credential('k1'));
    await apiKeys.create(credential('k2'));
    const rows = await test.database.reads.db.selectFrom('api_keys').selectAll().execute();
    const [first, second] = rows;
    for (const row of rows) {
      expect(JSON.stringify(row)).not.toContain('ssss');
      expect(row.secret_ciphertext.toString('latin1')).not.toContain('ssss');
    }
    expect(first?.secret_ciphertext.equals(second?.secret_ciphertext ?? Buffer.of())).toBe(false);
    expect(first?.secret_iv.equals(second?.secret_iv ?? Buffer.of())).toBe(false);
  });

  it('api keys: a change is seen at once, a removed key is gone', async () => {
    const { apiKeys } = await startServices();
    await apiKeys.create(credential('k1'));
    const changed = await apiKeys.change(address, 'k1', { isEnabled: false, label: 'x' });
    expect(changed).toMatchObject({
      isEnabled: false,
      label: 'x',
      ipWhitelist: ['10.0.0.0/8', '::1'],
    });
    expect((await apiKeys.findCredential('k1'))?.isEnabled).toBe(false);
    expect(await apiKeys.change(address, 'k1', {})).toMatchObject({ label: 'x' });
    expect(await apiKeys.change(address, 'k1', { ipWhitelist: [] })).toMatchObject({
      ipWhitelist: [],
    });
    expect(await apiKeys.remove(address, 'k1')).toBe(true);
    expect(await apiKeys.remove(address, 'k1')).toBe(false);
    expect(await apiKeys.findCredential('k1')).toBeNull();
  });

  it('api keys: many concurrent first uses of one key all find it', async () => {
    const { apiKeys } = await startServices();
    await apiKeys.create(credential('k1'));
    // A separate store knows no key yet and is notified of no changes.
    const fresh = new DatabaseApiKeyStore(
      test.database.accounts,
      new SecretBox(secretsKey),
      silentLog,
    );
    const found = await Promise.all(Array.from({ length: 8 }, () => fresh.findCredential('k1')));
    expect(found.map((key) => key?.apiKey)).toEqual(Array.from({ length: 8 }, () => 'k1'));
  });

  it('api keys: the last use is written to the minute, and the latest one counts', async () => {
    const { apiKeys } = await startServices();
    await apiKeys.create(credential('k1'));
    await apiKeys.create(credential('k2'));
    const lastUses = async () => {
      const keys = await apiKeys.list(address);
      const uses = keys.map(({ apiKey, lastUsedAt }) => [apiKey, lastUsedAt?.getTime() ?? null]);
      return uses.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    };
    const time = Date.parse('2024-05-02T10:00:00Z');
    apiKeys.noteUse('k1', time);
    apiKeys.noteUse('unknown', time);
    const first = [
      ['k1', time],
      ['k2', null],
    ];
    await vi.waitFor(async () => expect(await lastUses()).toEqual(first));
    apiKeys.noteUse('k1', time + 59_999);
    apiKeys.noteUse('k2', time);
    const second = [
      ['k1', time],
      ['k2', time],
    ];
    await vi.waitFor(async () => expect(await lastUses()).toEqual(second));
    // Another process whose clock is behind.
    const other = new DatabaseApiKeyStore(
      test.database.accounts,
      new SecretBox(secretsKey),
      silentLog,
    );
    other.noteUse('k1', time - 1_000);
    other.noteUse('k2', time + 60_000);
    const third = [
      ['k1', time],
      ['k2', time + 60_000],
    ];
    await vi.waitFor(async () => expect(await lastUses()).toEqual(third));
  });

  it("api keys: another address's key can be neither changed nor removed", async () => {
    const { apiKeys } = await startServices();
    await apiKeys.create(credential('k1'));
    expect(await apiKeys.change(flowAddress(2), 'k1', { isEnabled: false })).toBeNull();
    expect(await apiKeys.remove(flowAddress(2), 'k1')).toBe(false);
    expect((await apiKeys.findCredential('k1'))?.isEnabled).toBe(true);
  });

  it('api keys: a change of no key of the account occupies no other process', async () => {
    const confirmed: string[] = [];
    const changes = {
      use: () => undefined,
      confirm: async (name: string) => void confirmed.push(name),
    };
    const box = new SecretBox(secretsKey);
    const store = new DatabaseApiKeyStore(test.database.accounts, box, silentLog, changes);
    await store.create(credential('k1'));
    for (const [owner, name] of [
      [address, 'made up'],
      [flowAddress(2), 'k1'],
    ] as const) {
      expect(await store.change(owner, name, { label: 'x' })).toBeNull();
      expect(await store.remove(owner, name)).toBe(false);
    }
    expect(confirmed).toEqual([]);
    await store.change(address, 'k1', { label: 'x' });
    await store.remove(address, 'k1');
    expect(confirmed).toEqual(['k1', 'k1']);
  });

  it('api keys: changes by another process arrive', async () => {
    const here = (await startServices()).apiKeys;
    const there = (await startServices(connectDatabase({ connectionString: test.url }, silentLog)))
      .apiKeys;
    await there.create(credential('k1'));
    await vi.waitFor(async () => expect((await here.findCredential('k1'))?.isEnabled).toBe(true));
    await there.change(address, 'k1', { isEnabled: false });
    await vi.waitFor(async () => expect((await here.findCredential('k1'))?.isEnabled).toBe(false));
    await there.remove(address, 'k1');
    await vi.waitFor(async () => expect(await here.findCredential('k1')).toBeNull());
  });

  it('api keys: known keys keep working while the database is down, unknown ones are an error', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const before = (await startServices()).apiKeys;
    await before.create(credential('k1'));
    const { apiKeys } = await startServices(connectDatabase(proxy.target, silentLog));
    await vi.waitFor(async () => expect(await apiKeys.findCredential('k1')).not.toBeNull());
    proxy.judge = () => 'cut';
    proxy.cutAll();
    expect((await apiKeys.findCredential('k1'))?.apiSecret).toBe('s'.repeat(64));
    await vi.waitFor(() =>
      expect(apiKeys.findCredential('unknown')).rejects.toBeInstanceOf(DatabaseError),
    );
    await expect(apiKeys.list(address)).rejects.toBeInstanceOf(DatabaseError);
    // Changes made in the meantime are known once the connection is back.
    await before.change(address, 'k1', { isEnabled: false });
    proxy.judge = () => 'forward';
    await vi.waitFor(async () =>
      expect((await apiKeys.findCredential('k1'))?.isEnabled).toBe(false),
    );
    await opened.at(-1)?.services.stop();
    await proxy.close();
  });

  it('api keys: a row that was tampered with, or sealed under another key, does not open', async () => {
    const { apiKeys } = await startServices();
    for (const apiKey of ['k1', 'k2', 'k3', 'k4']) await apiKeys.create(credential(apiKey));
    const { db } = test.database.reads;
    await sql`UPDATE api_keys SET secret_ciphertext = set_byte(secret_ciphertext, 0,
      get_byte(secret_ciphertext, 0) # 1) WHERE api_key = 'k1'`.execute(db);
    await sql`UPDATE api_keys SET address = ${flowAddress(2)} WHERE api_key = 'k2'`.execute(db);
    await sql`UPDATE api_keys AS own SET secret_iv = other.secret_iv, secret_tag = other.secret_tag,
      secret_ciphertext = other.secret_ciphertext FROM api_keys AS other
      WHERE own.api_key = 'k3' AND other.api_key = 'k4'`.execute(db);
    const fresh = (await startServices(connectDatabase({ connectionString: test.url }, silentLog)))
      .apiKeys;
    for (const apiKey of ['k1', 'k2', 'k3']) {
      await expect(fresh.findCredential(apiKey)).rejects.toThrow('cannot be decrypted');
    }
    expect((await fresh.findCredential('k4'))?.apiSecret).toBe('s'.repeat(64));
  });
});

describe('DatabaseLoginNonceStore', () => {
  const expiresAt = new Date(Date.now() + 300_000);

  it('login nonces: each works once, also under concurrent use', async () => {
    const { loginNonces } = await startServices();
    await loginNonces.issue({ nonce: 'n1', address, expiresAt });
    const taken = await Promise.all([1, 2, 3, 4].map(() => loginNonces.consume('n1')));
    expect(taken.filter((nonce) => nonce !== null)).toEqual([{ nonce: 'n1', address, expiresAt }]);
    expect(await loginNonces.consume('n1')).toBeNull();
    expect(await loginNonces.consume('never')).toBeNull();
  });

  it('login nonces: the newest 100 per address are kept; expired ones are deleted', async () => {
    const { loginNonces } = await startServices();
    const past = new Date(Date.now() - 1_000);
    await loginNonces.issue({ nonce: 'other', address: flowAddress(2), expiresAt });
    await loginNonces.issue({ nonce: 'expired', address: flowAddress(3), expiresAt: past });
    for (let number = 0; number < 103; number += 1) {
      const later = new Date(expiresAt.getTime() + number);
      await loginNonces.issue({ nonce: `n${number}`, address, expiresAt: later });
    }
    expect(await loginNonces.consume('n2')).toBeNull();
    expect(await loginNonces.consume('n3')).not.toBeNull();
    expect(await loginNonces.consume('n102')).not.toBeNull();
    expect(await loginNonces.consume('other')).not.toBeNull();
    expect(await loginNonces.consume('expired')).toBeNull();
  });
});

describe('DatabaseProfileStore', () => {
  it('profiles: a username is unique in any letter case', async () => {
    const { profiles } = await startServices();
    expect(await profiles.find(flowAddress(99))).toBeNull();
    expect(await profiles.find(address)).toMatchObject({ address, username: null });
    expect(await profiles.setUsername(address, 'Satoshi_1')).toBe('changed');
    expect(await profiles.setUsername(flowAddress(2), 'sATOSHI_1')).toBe('taken');
    expect(await profiles.setUsername(address, 'SATOSHI_1')).toBe('changed');
    expect((await profiles.find(address))?.username).toBe('SATOSHI_1');
    expect((await profiles.find(flowAddress(2)))?.username).toBeNull();
    expect(await profiles.setUsername(flowAddress(2), 'other')).toBe('changed');
  });

  it('profiles: an account that does not exist yet is an error, not a lost name', async () => {
    const { profiles } = await startServices();
    const setting = profiles.setUsername(flowAddress(99), 'somebody');
    await expect(setting).rejects.toBeInstanceOf(DatabaseError);
  });
});

describe('DatabaseAuditLog', () => {
  it('audit: an entry is kept with its detail and actor', async () => {
    const { audit } = await startServices();
    await audit.record({ action: 'set_vip_override', detail: { user: address, level: 3 } });
    const rows = await test.database.reads.db
      .selectFrom('admin_audit')
      .select(['action', 'detail', 'admin_actor', 'sequence'])
      .where('sequence', 'is', null)
      .execute();
    const detail = { user: address, level: 3 };
    expect(rows).toEqual([
      { action: 'set_vip_override', detail, admin_actor: 'admin_api_key', sequence: null },
    ]);
  });
});

describe('DatabaseHealthCheck', () => {
  it('health: not reachable while the database is ahead of the journal', async () => {
    await startServices();
    await opened.pop()?.services.stop();
    const services = createDatabaseServices({
      database: test.database,
      outcomes: new MemoryOutcomeLog(),
      secretsKey,
      journalEnd: () => 0 as Sequence,
    });
    opened.push({ services, database: test.database });
    // A busy machine may take longer than the one second that an answer may take.
    await vi.waitFor(async () => expect(await services.health.isReachable()).toBe(true));
    services.start();
    await vi.waitFor(async () => expect(await services.health.isReachable()).toBe(false));
  });

  it('health: reachable while it answers, not while it is cut off or hangs', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const { health } = await startServices(connectDatabase(proxy.target, silentLog));
    await vi.waitFor(async () => expect(await health.isReachable()).toBe(true));
    proxy.judge = () => 'cut';
    proxy.cutAll();
    expect(await health.isReachable()).toBe(false);
    proxy.judge = () => 'forward';
    await vi.waitFor(async () => expect(await health.isReachable()).toBe(true));
    proxy.isMute = true;
    expect(await health.isReachable()).toBe(false);
    proxy.cutAll();
    proxy.isMute = false;
    await opened.at(-1)?.services.stop();
    await proxy.close();
  });
});
