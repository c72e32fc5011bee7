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
// The examples, as they are there.
const example = readNamedBlocks('README.md').get('typed-client') ?? '';
const ownReadme = readNamedBlocks('packages/client/README.md');
const ownExamples = ['client-calls', 'client-sign-in', 'client-stream'];

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
  expect(files).toEqual(['README.md', 'dist', 'package.json']);

  const program = example.replace('http://127.0.0.1:8080', service.url);
  writeFileSync(join(folder, 'main.mts'), program);
  const compiler = root('node_modules/typescript/bin/tsc');
  for (const name of ownExamples) {
    const text = (ownReadme.get(name) ?? '').replaceAll(
      '127.0.0.1:8080',
      new URL(service.url).host,
    );
    expect([name, text.length > 0]).toEqual([name, true]);
    writeFileSync(join(folder, `${name}.mts`), text);
  }
  const programs = ['main.mts', ...ownExamples.map((name) => `${name}.mts`)];
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', ...programs];
  // The types of Node declare process and console, and nothing more.
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

  // The key of the example is not known to the service.
  const called = await run(process.execPath, ['client-calls.mjs'], { cwd: folder });
  expect(called.stdout.trim()).toBe('401 INVALID_API_KEY false');

  // Node before 22 has no WebSocket, so the example gets one of the repository.
  const socket = JSON.stringify(root('node_modules/ws/wrapper.mjs'));
  const withSocket = `globalThis.WebSocket ??= (await import(${socket})).default; await import('./client-stream.mjs');`;
  const evaluated = ['--input-type=module', '--eval', withSocket];
  const streamed = await run(process.execPath, evaluated, { cwd: folder });
  expect(streamed.stdout.trim()).toBe('best bid none');
});
