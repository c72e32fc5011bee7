import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// An install that runs no scripts has no build of the console and nothing compiled. The service
// starts from it nevertheless, whether the console is switched off or not.

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-install-'));
  const { stdout } = await run('git', ['ls-files'], { cwd: root });
  for (const file of stdout.trim().split('\n')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', '--ignore-scripts', '--omit=dev', ...quietly], { cwd: folder });
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly markets: number;
  readonly front: string;
  readonly console: number;
}

/** Starts the install as `npm start` does, asks it, and stops it. */
async function startAndAsk(settings: Readonly<Record<string, string>>): Promise<Seen> {
  const service = spawn(process.execPath, ['tools/run.mjs', 'main'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: join(folder, `data-${Object.keys(settings).join('')}`),
      PORT: '0',
      LOG_FORMAT: 'json',
      ...settings,
    },
  });
  try {
    let url = '';
    for await (const line of createInterface({ input: service.stdout })) {
      url = /listens on (http:\S+)"/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    service.stdout.resume();
    const statusOf = async (path: string): Promise<number> => (await fetch(url + path)).status;
    await expect.poll(() => statusOf('/readyz'), { timeout: 120_000 }).toBe(200);
    const markets = await fetch(`${url}/api/v1/spot/markets`);
    const front = await fetch(url, { headers: { accept: 'text/html' } });
    const { items } = (await markets.json()) as { items: readonly unknown[] };
    return {
      markets: items.length,
      front: await front.text(),
      console: await statusOf('/trade/BTCUSDT'),
    };
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'close');
  }
}

test('npm ci --ignore-scripts: builds nothing', () => {
  expect(existsSync(join(folder, 'dist'))).toBe(false);
  expect(existsSync(join(folder, 'console/dist'))).toBe(false);
});

test('npm ci --ignore-scripts: with CONSOLE=off the API is served and no console', async () => {
  const seen = await startAndAsk({ CONSOLE: 'off' });
  expect(seen.markets).toBeGreaterThan(0);
  expect(seen.front).not.toContain('<script');
  expect(seen.console).toBe(404);
});

test('npm ci --ignore-scripts: without a build the front page says how to get one', async () => {
  const seen = await startAndAsk({});
  expect(seen.markets).toBeGreaterThan(0);
  expect(seen.front).toContain('npm ci');
});
