import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

// The client as others get it: packed, installed by its path into an empty project, nothing else.

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const program = `
import { ApiError, HttpClient } from '@openbourse/client';

const client = new HttpClient({ url: process.argv[2] ?? '' });
const { items } = await client.call('GET /api/v1/spot/markets');
const refusal = await client.call('GET /api/v1/referral/status').catch((error: unknown) => error);
const code = refusal instanceof ApiError ? refusal.code : null;
console.log(JSON.stringify({ markets: items.map(({ id }) => id).sort(), code }));
`;

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'openbourse-client-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

// The service answers from this process, so nothing here may block it.
const run = promisify(execFile);

test('client: its package installs into an empty project, compiles there and calls', async () => {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root('packages/client') });
  const [tarball = ''] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`];
  await run('npm', install, { cwd: folder });
  const installed = join(folder, 'node_modules');
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['@openbourse']);
  const files = readdirSync(join(installed, '@openbourse/client')).sort();
  expect(files).toEqual(['dist', 'package.json']);

  writeFileSync(join(folder, 'main.mts'), program);
  const compiler = root('node_modules/typescript/bin/tsc');
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', 'main.mts'];
  // The types of Node tell what process and console are, and no more.
  const types = ['--types', 'node', '--typeRoots', root('node_modules/@types')];
  await run(process.execPath, [compiler, ...options, ...types], { cwd: folder });

  const { stdout } = await run(process.execPath, ['main.mjs', service.url], { cwd: folder });
  const markets = await service.query((db) =>
    db.selectFrom('spot_markets').select('symbol').orderBy('symbol').execute(),
  );
  expect(markets.length).toBeGreaterThan(0);
  expect(JSON.parse(stdout)).toEqual({
    markets: markets.map(({ symbol }) => symbol),
    code: 'UNAUTHORIZED',
  });
});
