import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { mainManifest } from '../support/chain/main-manifest.ts';
import { startScriptedNode } from '../support/chain/scripted-node.ts';
import { createTestDatabase, type NamedDatabase } from '../support/database-url.ts';
import { ServiceProcess } from '../support/service-process.ts';

const adminKey = 'admin key of the process tests, long enough';
let dataDir: string;
let services: ServiceProcess[];
/** A separate one on the server that the environment names; null: the embedded server. */
let database: NamedDatabase | null = null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'openbourse-process-'));
  services = [];
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) return;
  database = await createTestDatabase({ serverUrl, name: 'openbourse_process', from: null });
});

afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database?.drop();
  // A database whose service was killed may still be writing its last files.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
});

function settings(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = database === null ? {} : { DATABASE_URL: database.url };
  return {
    DATA_DIR: dataDir,
    PORT: '0',
    TESTNET_ONLY: 'true',
    ADMIN_API_KEY: adminKey,
    ...own,
    ...extra,
  };
}

async function start(extra: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(settings(extra));
  services.push(service);
  return service;
}

async function fund(service: ServiceProcess, trader: Trader): Promise<void> {
  const reply = await fetch(`${service.url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: trader.address, token: 'USDT', amount: '100000' }),
  });
  expect(await reply.json()).toEqual({ ok: true });
}

test('process: an acknowledged order survives kill -9, with the database left behind', async () => {
  const first = await start();
  const connection = new HttpConnection(first.url, 8);
  const trader = await Trader.register(connection, 'test');
  await fund(first, trader);
  const orders = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      trader.requestJson({
        method: 'POST',
        path: '/api/v1/spot/orders',
        body: {
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'limit',
          price: String(1000 + index),
          quantity: '0.01',
        },
      }),
    ),
  );
  await first.stop('SIGKILL');
  connection.close();

  const second = await start();
  const again = new HttpConnection(second.url, 8);
  const reader = trader.over(again);
  const open = (await reader.requestJson({
    method: 'GET',
    path: '/api/v1/spot/orders/open',
  })) as { items: { order_id: string }[] };
  const acknowledged = orders.map((order) => (order as { order_id: string }).order_id);
  expect(open.items.map((item) => item.order_id).sort()).toEqual(acknowledged.sort());
  const history = (await reader.requestJson({
    method: 'GET',
    path: '/api/v1/spot/orders',
  })) as { items: { order_id: string }[] };
  expect(history.items.map((item) => item.order_id).sort()).toEqual(acknowledged.sort());
  again.close();
});

test('process: SIGTERM ends it with 0 within 10 seconds, and the next start continues', async () => {
  const first = await start();
  const begun = performance.now();
  expect(await first.stop('SIGTERM')).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  const second = await start();
  expect(await second.stop('SIGTERM')).toBe(0);
});

test('process: a taken port is one clear line and exit code 1', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const service = ServiceProcess.spawn(settings({ PORT: String(port) }));
  expect(await service.exited()).toBe(1);
  expect(service.errorText).toBe(
    `openbourse: port ${port} of 127.0.0.1 is taken by another process; set PORT to a free one\n`,
  );
  server.close();
});

test('process: a second process on the same data folder is refused and does no harm', async () => {
  const first = await start();
  const second = ServiceProcess.spawn(settings());
  expect(await second.exited()).toBe(1);
  // Journal and database start side by side, and the first to find its folder taken reports it.
  expect(second.errorText).toMatch(
    /the journal in \S+ is in use by another process|another process uses the database folder/,
  );
  const ready = await fetch(`${first.url}/readyz`);
  expect(await ready.json()).toMatchObject({ engine: { state: 'ready' } });
});

test('process: a database that is ahead of its journal is refused, and the service says so', async () => {
  const first = await start();
  const connection = new HttpConnection(first.url, 2);
  await fund(first, await Trader.register(connection, 'test'));
  connection.close();
  await first.stop();
  await rm(join(dataDir, 'journal'), { recursive: true });
  const second = ServiceProcess.spawn(settings());
  services.push(second);
  expect(await second.exited()).toBe(1);
  const refusal = second.lines.find(({ level }) => level === 'fatal');
  expect(refusal).toMatchObject({
    msg: 'the journal and the database are from different points in time',
    err: { message: expect.stringContaining('but the journal ends at') as string },
  });
});

test('fault 4: providers that refuse the block tag of the manifest prevent the start', async () => {
  const nodes = await Promise.all(
    [1, 2].map(() =>
      startScriptedNode(([tag]) =>
        tag === 'latest'
          ? { result: { number: '0x1' } }
          : { error: { code: -32_602, message: 'unknown block tag' } },
      ),
    ),
  );
  const manifest = join(dataDir, 'manifest.json');
  await writeFile(manifest, JSON.stringify(mainManifest({ chainId: 11_155_111, kind: 'test' })));
  const service = ServiceProcess.spawn(
    settings({ CHAIN_DEPLOYMENT: manifest, CHAIN_RPC_URLS: nodes.map(({ url }) => url).join() }),
  );
  expect(await service.exited()).toBe(1);
  expect(service.errorText).toBe(
    'openbourse: too few providers support the block tag finalized that the manifest requires: ' +
      'provider 1, provider 2 of 2 refused it, and 2 have to agree\n',
  );
  expect(existsSync(join(dataDir, 'journal'))).toBe(false);
  await Promise.all(nodes.map((node) => node.close()));
});

test('process: every bad setting is one clear line', async () => {
  const service = ServiceProcess.spawn(settings({ PORT: 'x', JWT_SECRET: 'short' }));
  expect(await service.exited()).toBe(1);
  expect(service.errorText).toBe(
    'openbourse: PORT must be a whole number from 0 to 65535\n' +
      'openbourse: JWT_SECRET must have at least 32 bytes\n',
  );
});

test.each([
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /^Usage: openbourse[\s\S]*--demo[\s\S]*TESTNET_ONLY/],
])('process: %s answers and starts nothing', async (option, expected) => {
  const { code, output } = await run([option]);
  expect({ code, isAsExpected: expected.test(output) }).toEqual({ code: 0, isAsExpected: true });
  expect(existsSync(join(dataDir, 'journal'))).toBe(false);
});

test('process: an unknown option prevents the start with one sentence', async () => {
  const service = ServiceProcess.spawn(settings(), ['--demmo']);
  expect(await service.exited()).toBe(1);
  expect(service.errorText).toMatch(/^openbourse: unknown option '--demmo'\n/);
  expect(existsSync(join(dataDir, 'journal'))).toBe(false);
});

test('process: on a terminal the log is lines for people, and ends with where to go', async () => {
  const service = run([], { LOG_FORMAT: 'pretty' });
  await vi.waitUntil(() => service.written().includes('Stop with Ctrl-C.'), { timeout: 120_000 });
  const text = service.written();
  expect(text).toMatch(
    /is ready for orders after \d+\.\d s\.\n\n {2}Page +http:\/\/127\.0\.0\.1:\d+\n/,
  );
  const url = /Page +(\S+)/.exec(text)?.[1] ?? '';
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  service.kill();
  expect((await service).code).toBe(0);
});

interface Run extends Promise<{ readonly code: number | null; readonly output: string }> {
  written(): string;
  kill(): void;
}

/** The start with these options, whose output is text and not lines of JSON. */
function run(args: readonly string[], extra: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(projectRoot, 'src/main.ts'), ...args],
    {
      cwd: projectRoot,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...settings(extra) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return Object.assign(ended, { written: () => output, kill: () => void child.kill('SIGTERM') });
}
