import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { createTestDatabase, runOn } from '../support/database-url.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { ServiceProcess } from '../support/service-process.ts';

// The commands of docs/maintenance.md as they are there, on a service with its own database:
// backup, restore, the two parts from different times, and another SECRETS_KEY.

const blocks = readNamedBlocks('docs/maintenance.md');
let folder: string;
const adminKey = 'admin key of the backup test, long enough';
let trader: Trader | null = null;
let url = '';
let secretsKey = '5e'.repeat(32);
/** What the account sees at the time of the backup, and at the end. */
let atBackup: unknown;
let atEnd: unknown;

/** Runs a block of the document; its last lines may print variables that it has set. */
async function run(name: string, variables: Record<string, string>, after = ''): Promise<string> {
  const script = blocks.get(name);
  expect(script, `docs/maintenance.md has a block ${name}`).toBeDefined();
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${script}${after}`], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...variables },
  });
  return stdout;
}

async function command(program: string, given: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, [...given], { cwd: projectRoot })).stdout;
}

/** What the exchange has now, with one part of the backup. */
async function mix(target: string, part: 'postgres' | 'journal'): Promise<void> {
  await command('cp', ['-a', join(folder, 'data'), target]);
  await rm(join(target, part), { recursive: true });
  await command('cp', ['-a', join(folder, 'backup', part), join(target, part)]);
}

function settings(dataDir: string): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    PORT: '0',
    TESTNET_ONLY: 'true',
    SECRETS_KEY: secretsKey,
    JWT_SECRET: 'a secret of the backup test, long enough',
    ADMIN_API_KEY: adminKey,
  };
}

/** Starts the service there, does the work, and stops it properly. */
async function whileRunning<T>(
  dataDir: string,
  work: (as: Trader) => Promise<T>,
  databaseUrl?: string,
): Promise<T> {
  const own = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const service = await ServiceProcess.start({ ...settings(dataDir), ...own });
  ({ url } = service);
  const connection = new HttpConnection(url, 4);
  try {
    trader ??= await Trader.register(connection, 'first');
    return await work(trader.over(connection));
  } finally {
    connection.close();
    expect(await service.stop('SIGTERM')).toBe(0);
  }
}

async function credit({ address }: Trader): Promise<void> {
  const reply = await fetch(`${url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: address, token: 'USDT', amount: '10000' }),
  });
  expect(await reply.json()).toEqual({ ok: true });
}

async function trade(as: Trader, price: string): Promise<void> {
  await as.requestJson({
    method: 'POST',
    path: '/api/v1/spot/orders',
    body: { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' },
  });
}

async function readAccount(as: Trader): Promise<unknown> {
  const paths = ['balances', 'orders', 'orders/open', 'trades'];
  const read = (path: string) => as.requestJson({ method: 'GET', path: `/api/v1/spot/${path}` });
  return Promise.all(paths.map(read));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openbourse-backup-'));
  // The embedded server runs as another account if the tests run as root.
  await chmod(folder, 0o755);
  atBackup = await whileRunning(join(folder, 'data'), async (as) => {
    await credit(as);
    for (const price of ['20000', '21000', '22000']) await trade(as, price);
    return readAccount(as);
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('backup: the documented commands copy a sound journal with its database', async () => {
  const data = join(folder, 'data');
  const printed = await run('backup', { DATA_DIR: data, BACKUP: join(folder, 'backup') });
  expect(printed.trim().split('\n').at(-1)).toBe('sound');
  // What the exchange does afterwards is in no backup. Each stop writes a snapshot.
  for (const price of ['23000', '24000']) {
    atEnd = await whileRunning(data, async (as) => {
      await trade(as, price);
      return readAccount(as);
    });
  }
  expect(atEnd).not.toEqual(atBackup);
});

test('docs/journal.md: the journal is printed and verified', async () => {
  const script = readNamedBlocks('docs/journal.md')
    .get('look')
    ?.replaceAll('data/', `${folder}/data/`);
  const printed = await command('sh', ['-euc', script ?? 'false']);
  const lines = printed.trim().split('\n');
  const first = lines.find((line) => line.startsWith('{')) ?? '';
  expect(JSON.parse(first)).toMatchObject({ sequence: 1 });
  expect(lines.at(-1)).toBe('sound');
});

test('docs/database.md: psql looks into the embedded database', async (context) => {
  const found = await command('sh', ['-c', 'command -v psql || true']);
  if (found === '') return context.skip('there is no psql on this machine');
  const line = readNamedBlocks('docs/database.md')
    .get('psql')
    ?.replaceAll('data/', `${folder}/data/`);
  const script = `echo 'SELECT count(*) FROM accounts' | ${line ?? 'false'}`;
  const printed = await whileRunning(join(folder, 'data'), () => command('bash', ['-euc', script]));
  expect(printed).toMatch(/^ +1$/m);
});

test('restore: balances, orders and history are those of the backup, and keys still sign', async () => {
  const restored = join(folder, 'restored');
  const printed = await run('restore', { BACKUP: join(folder, 'backup'), RESTORED: restored });
  expect(printed.trim().split('\n').at(-1)).toBe('sound');
  expect(await whileRunning(restored, readAccount)).toEqual(atBackup);
});

test('restore: a database older than the journal catches up automatically', async () => {
  const mixed = join(folder, 'older-database');
  await mix(mixed, 'postgres');
  expect(await whileRunning(mixed, readAccount)).toEqual(atEnd);
});

test('restore: a database newer than the journal is refused with the reason', async () => {
  const mixed = join(folder, 'newer-database');
  await mix(mixed, 'journal');
  const service = ServiceProcess.spawn(settings(mixed));
  expect(await service.exited()).toBe(1);
  const refusal = service.lines.find(({ level }) => level === 'fatal');
  expect(refusal?.msg).toBe('the journal and the database are from different points in time');
  expect(JSON.stringify(refusal)).toMatch(
    /the database holds everything up to \d+, but the journal ends at \d+/,
  );
  // Nothing was appended, so the next start is refused as this one was.
  const records = async (journal: string): Promise<string> => {
    const text = await command('npm', ['run', '--silent', 'journal', '--', 'verify', journal]);
    return text.split('\n')[0] ?? '';
  };
  expect(await records(join(mixed, 'journal'))).toBe(await records(join(folder, 'backup/journal')));
});

test('restore: the database of another exchange is refused with the reason', async () => {
  const other = join(folder, 'other');
  const service = await ServiceProcess.start(settings(other));
  ({ url } = service);
  // More commands than the database of the backup holds: their numbers alone look sound.
  for (let count = 0; count < 200; count += 1) await credit(trader!);
  expect(await service.stop('SIGTERM')).toBe(0);
  await rm(join(other, 'postgres'), { recursive: true });
  await command('cp', ['-a', join(folder, 'backup', 'postgres'), join(other, 'postgres')]);
  const mixed = ServiceProcess.spawn(settings(other));
  expect(await mixed.exited()).toBe(1);
  const refusal = mixed.lines.find(({ level }) => level === 'fatal');
  expect(JSON.stringify(refusal)).toMatch(
    /the database belongs to the exchange \w+, but the journal in DATA_DIR to \w+/,
  );
});

test('another SECRETS_KEY: the documented commands reseal the keys, which still sign', async () => {
  const dataDir = join(folder, 'restored');
  const printed = await run(
    'rotate-secrets',
    { DATA_DIR: dataDir, SECRETS_KEY: secretsKey },
    'echo "key $SECRETS_KEY"',
  );
  expect(printed).toContain('1 secrets sealed under the next key, 0 already were');
  secretsKey = /^key ([0-9a-f]{64})$/m.exec(printed)?.[1] ?? '';
  expect(await whileRunning(dataDir, readAccount)).toEqual(atBackup);
});

test('backup and restore: the documented commands on a separate server', async (context) => {
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) return context.skip('DATABASE_URL names no server');
  const isOld = await isDumpOlder(serverUrl);
  if (isOld !== null) return context.skip(isOld);
  const database = await createTestDatabase({ serverUrl, name: 'openbourse_backup', from: null });
  const restoredName = 'openbourse_restored';
  const restoredUrl = new URL(serverUrl);
  restoredUrl.pathname = `/${restoredName}`;
  await runOn(serverUrl, `DROP DATABASE IF EXISTS ${restoredName} WITH (FORCE)`);
  const data = join(folder, 'served');
  const backup = { DATA_DIR: data, BACKUP: join(folder, 'served-backup') };
  const restored = join(folder, 'served-restored');
  secretsKey = '7c'.repeat(32);
  trader = null;
  const before = await whileRunning(
    data,
    async (as) => {
      await credit(as);
      await trade(as, '20000');
      return readAccount(as);
    },
    database.url,
  );
  // So the restored service needs the chain whose blocks they are.
  const counted = await runOn(database.url, 'SELECT count(*)::int AS blocks FROM chain_blocks');
  expect(counted.rows[0]?.['blocks']).toBeGreaterThan(1);
  await run('backup-server', { ...backup, DATABASE_URL: database.url });
  await run('restore-server', {
    BACKUP: backup.BACKUP,
    RESTORED: restored,
    SERVER_URL: serverUrl,
    RESTORED_NAME: restoredName,
    RESTORED_URL: restoredUrl.href,
  });
  expect(await whileRunning(restored, readAccount, restoredUrl.href)).toEqual(before);
  await database.drop();
  await runOn(serverUrl, `DROP DATABASE ${restoredName} WITH (FORCE)`);
});

/** Why pg_dump cannot dump the server; null if it can. */
async function isDumpOlder(serverUrl: string): Promise<string | null> {
  const version = await command('pg_dump', ['--version']).catch(() => null);
  if (version === null) return 'there is no pg_dump on this machine';
  const { rows } = await runOn(serverUrl, 'SHOW server_version');
  const server = Number.parseInt(String(rows[0]?.['server_version']), 10);
  const dump = Number(/ (\d+)/.exec(version)?.[1]);
  return dump < server ? `pg_dump ${dump} is older than the server, ${server}` : null;
}
