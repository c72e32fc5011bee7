import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// The client as others get it: packed, installed by its path into an empty project, nothing else.

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
// The example of the README, as it stands there.
const example = readNamedBlocks('README.md').get('typed-client') ?? '';

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

  const program = example.replace('http://127.0.0.1:8080', service.url);
  writeFileSync(join(folder, 'main.mts'), program);
  const compiler = root('node_modules/typescript/bin/tsc');
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', 'main.mts'];
  // The types of Node tell what process and console are, and no more.
  const types = ['--types', 'node', '--typeRoots', root('node_modules/@types')];
  await run(process.execPath, [compiler, ...options, ...types], { cwd: folder });

  const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: folder });
  const markets = await service.query((db) =>
    db.selectFrom('spot_markets').select('symbol').orderBy('symbol').execute(),
  );
  expect(markets.length).toBeGreaterThan(0);
  const [listed = '', refused] = stdout.trim().split('\n');
  expect(listed.split(' ').sort()).toEqual(markets.map(({ symbol }) => symbol));
  expect(refused).toBe('401 UNAUTHORIZED');
});
