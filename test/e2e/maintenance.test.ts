import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { signIn } from '../../src/client/sign-in.ts';
import { Trader } from '../../src/client/trader.ts';
import { rulesVersion, rulesVersionMin } from '../../src/engine/rules.ts';
import { ageJournal } from '../support/age-journal.ts';
import { openEmptyTestDatabase, type TestDatabase } from '../support/database.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { addressOf } from '../support/sequencer-address.ts';
import { makeSequencer } from '../support/sequencer-fixture.ts';
import { ServiceProcess } from '../support/service-process.ts';

// What docs/maintenance.md says of upgrades and of changing JWT_SECRET and ADMIN_API_KEY, on its
// own service; test/e2e/backup.test.ts has the rest of the page.

const known = `${rulesVersionMin} to ${rulesVersion}`;
// The newest rules that this program does not have, and how far they are behind its own.
const old = rulesVersionMin - 1;
const behind = rulesVersion - old;
const blocks = readNamedBlocks('docs/maintenance.md');
const user = privateKeyToAccount(generatePrivateKey());
let folder: string;
let database: TestDatabase;
let trader: Trader;
let token: string;
let jwtSecret = 'a secret of the maintenance test, long enough';
let adminKey = 'admin key of the maintenance test, long enough';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openbourse-maintenance-'));
  database = await openEmptyTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function settings(): Record<string, string> {
  return {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    PORT: '0',
    TESTNET_ONLY: 'true',
    SECRETS_KEY: '4d'.repeat(32),
    JWT_SECRET: jwtSecret,
    ADMIN_API_KEY: adminKey,
  };
}

interface Running {
  readonly url: string;
  readonly connection: HttpConnection;
}

/** Starts the service, does the work, and ends it as the signal does. */
async function whileRunning<T>(
  work: (running: Running) => Promise<T>,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<T> {
  const service = await ServiceProcess.start(settings());
  const connection = new HttpConnection(service.url, 4);
  try {
    return await work({ url: service.url, connection });
  } finally {
    connection.close();
    expect(await service.stop(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
  }
}

/** The variable that a block of the document sets. */
async function valueFrom(name: string, variable: string): Promise<string> {
  const script = blocks.get(name);
  expect(script, `docs/maintenance.md has a block ${name}`).toBeDefined();
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${script}echo "$${variable}"`]);
  return stdout.trim();
}

async function credit(url: string, key: string): Promise<number> {
  const reply = await fetch(`${url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: trader.address, token: 'USDT', amount: '1000' }),
  });
  return reply.status;
}

async function order({ connection }: Running, price: string): Promise<void> {
  await trader.over(connection).requestJson({
    method: 'POST',
    path: '/api/v1/spot/orders',
    body: { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' },
  });
}

/** The prices of the open orders, and the balances. */
async function readAccount({ connection }: Running): Promise<unknown> {
  const read = (path: string) =>
    trader.over(connection).requestJson({ method: 'GET', path: `/api/v1/spot/${path}` });
  return Promise.all([read('orders/open'), read('orders'), read('balances')]);
}

async function statusWithToken(url: string, bearer: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  return (await fetch(`${url}/api/v1/spot/balances`, { headers })).status;
}

test('another JWT_SECRET: the old token is refused, API keys keep signing', async () => {
  await whileRunning(async ({ url, connection }) => {
    trader = await Trader.register(connection, 'kept');
    token = await signIn(connection, user);
    expect(await statusWithToken(url, token)).toBe(200);
    expect(await credit(url, adminKey)).toBe(200);
  });
  const [oldToken, oldKey] = [token, adminKey];
  jwtSecret = await valueFrom('change-jwt-secret', 'JWT_SECRET');
  adminKey = await valueFrom('change-admin-key', 'ADMIN_API_KEY');
  expect(adminKey.length).toBeGreaterThanOrEqual(32);
  await whileRunning(async (running) => {
    const { url, connection } = running;
    expect(await statusWithToken(url, oldToken)).toBe(401);
    await order(running, '20000');
    expect(await statusWithToken(url, await signIn(connection, user))).toBe(200);
    // Another ADMIN_API_KEY, changed by the same restart: the old one is refused.
    expect(await credit(url, oldKey)).toBe(401);
    expect(await credit(url, adminKey)).toBe(200);
  });
});

test('upgrade from rules that the program lacks: after a kill it is refused with the reason, and succeeds once the old version has stopped in order', async () => {
  const journal = join(folder, 'data/journal');
  const before = await whileRunning(async (running) => {
    await order(running, '21000');
    return readAccount(running);
  }, 'SIGKILL');
  // The files of a program with rules that this one does not have.
  await ageJournal(journal, -behind);
  const refused = ServiceProcess.spawn(settings());
  expect(await refused.exited()).toBe(1);
  const words = [...refused.lines.map((line) => JSON.stringify(line)), refused.errorText].join();
  expect(words).toMatch(
    new RegExp(
      `record \\d+ was applied by version ${old} of the rules and this program has versions ${known}`,
    ),
  );
  // Step 2: the old version starts once more, and stops properly.
  await ageJournal(journal, behind);
  await whileRunning(async (running) => expect(await readAccount(running)).toEqual(before));
  await ageJournal(journal, -behind);
  await whileRunning(async (running) => {
    expect(await readAccount(running)).toEqual(before);
    await order(running, '22000');
  });
});

/** Commands that the journal holds and the database does not, as after a stop without a database. */
async function runAhead(journal: string, count: number): Promise<void> {
  const limits = { segmentBytesFirst: 1 << 20, segmentBytesMax: 64 << 20, groupBytesMax: 1 << 18 };
  const { sequencer } = makeSequencer(journal, { limits, clock: { now: Date.now } });
  await sequencer.start();
  for (let number = 1; number <= count; number += 1) {
    await sequencer.submit({ type: 'openAccount', address: addressOf(number) });
  }
  await sequencer.stop();
}

test('upgrade from rules that the program lacks: with the database left behind it is refused with the steps to take, and succeeds after them', async () => {
  const journal = join(folder, 'data/journal');
  const before = await whileRunning(readAccount);
  await runAhead(journal, 100);
  await ageJournal(journal, -behind);
  const refused = ServiceProcess.spawn(settings());
  expect(await refused.exited()).toBe(1);
  expect(refused.errorText).toMatch(
    new RegExp(
      `^openbourse: the database holds everything up to \\d+, but commands up to \\d+ were applied ` +
        `by version ${old} of the rules and this program has versions ${known}: start a program ` +
        `that has version ${old} of the rules, wait until /readyz answers 200, stop it with SIGTERM, ` +
        'then start this one\n$',
    ),
  );
  // What it says: the old version starts once more, catches up, and stops.
  await ageJournal(journal, behind);
  await whileRunning(async (running) => expect(await readAccount(running)).toEqual(before));
  await ageJournal(journal, -behind);
  await whileRunning(async (running) => {
    expect(await readAccount(running)).toEqual(before);
    await order(running, '23000');
  });
});
