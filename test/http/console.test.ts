import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePages } from '../../src/gateway/http/console/add-console.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

// The console's files as the gateway serves them, from a build of a few bytes.

const page = '<!doctype html><title>openbourse</title>';
const script = 'console.log("a script that is long enough to be worth compressing")';
let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'build.json'), '{}');
  writeFileSync(join(folder, 'assets/main-a1b2.js'), script);
  writeFileSync(join(folder, 'assets/main-a1b2.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/main-a1b2.js.gz'), gzipSync(script));
  server = await createTestServer({ consoleFolder: folder });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('console: pages and files count towards the weight of the address', async () => {
  const limited = await createTestServer({
    consoleFolder: folder,
    limits: { requestWeightPerMinute: 2 },
  });
  try {
    limited.time = Math.ceil(limited.time / 60_000) * 60_000;
    const ask = async (url: string): Promise<number> => (await limited.inject({ url })).statusCode;
    expect([await ask('/'), await ask('/assets/main-a1b2.js')]).toEqual([200, 200]);
    expect([await ask('/'), await ask('/assets/main-a1b2.js')]).toEqual([429, 429]);
  } finally {
    await limited.close();
  }
});

describe('console: its pages', () => {
  test.each(consolePages.map((path) => path.replace(':symbol', 'BTCUSDT')))(
    'console: %s answers the document under its policy',
    async (url) => {
      const reply = await server.inject({ url });
      expect(reply.statusCode).toBe(200);
      expect(reply.body).toBe(page);
      expect(reply.headers['content-type']).toContain('text/html');
      expect(reply.headers['cache-control']).toBe('no-cache');
      const policy = String(reply.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('http');
      expect(reply.headers['x-frame-options']).toBe('DENY');
      expect(reply.headers['referrer-policy']).toBe('no-referrer');
      expect(reply.headers['cross-origin-opener-policy']).toBe('same-origin');
      const permissions = String(reply.headers['permissions-policy']).split(', ');
      for (const name of ['camera', 'clipboard-read', 'hid', 'local-network', 'payment', 'usb'])
        expect(permissions).toContain(`${name}=()`);
      expect(permissions.filter((each) => !each.endsWith('=()'))).toEqual([]);
    },
  );

  test('console: a page that is unchanged is 304, and HEAD has no body', async () => {
    const first = await server.inject({ url: '/' });
    const etag = String(first.headers['etag']);
    const again = await server.inject({ url: '/', headers: { 'if-none-match': etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await server.inject({ method: 'HEAD', url: '/' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });
});

describe('console: its files', () => {
  const asset = '/assets/main-a1b2.js';

  test('console: a file with a hash in its name is kept for a year', async () => {
    const reply = await server.inject({ url: asset });
    expect(reply.body).toBe(script);
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each(['br', 'gzip'])('console: %s is sent to clients that accept it', async (encoding) => {
    const reply = await server.inject({ url: asset, headers: { 'accept-encoding': encoding } });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(reply.headers['vary']).toContain('accept-encoding');
    expect(reply.headers['content-type']).toContain('javascript');
  });

  test.each([
    '/nothing',
    '/assets/none.js',
    '/build.json',
    '/index.html',
    '/assets/main-a1b2.js.br',
    '/assets/../build.json',
    '/assets/%2e%2e/build.json',
    '/trade',
    '/trade/BTCUSDT/more',
  ])('console: %s is the 404 of the API', async (url) => {
    const reply = await server.inject({ url });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: 'NOT_FOUND' });
  });

  test('console: an unknown path below the API keeps its family', async () => {
    const fapi = await server.inject({ url: '/fapi/v1/none' });
    expect(fapi.json()).toMatchObject({ code: -1000 });
    const envelope = await server.inject({ url: '/api/v1/nothing' });
    expect(envelope.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  });

  test('console: no path of the API is shadowed', async () => {
    const plain = await createTestServer();
    const { paths } = (await server.inject({ url: '/openapi.json' })).json<{ paths: object }>();
    for (const path of Object.keys(paths).filter((each) => !each.includes('{'))) {
      const [served, without] = await Promise.all([
        server.inject({ url: path }),
        plain.inject({ url: path }),
      ]);
      expect([path, served.statusCode]).toEqual([path, without.statusCode]);
      expect(served.headers['content-security-policy']).toBeUndefined();
    }
    await plain.close();
  });
});

test('console: without a build the front page says how to get one, and the API works', async () => {
  const bare = await createTestServer({ consoleFolder: join(folder, 'nowhere') });
  const reply = await bare.inject({ url: '/' });
  expect(reply.statusCode).toBe(503);
  expect(reply.body).toContain('npm ci');
  expect((await bare.inject({ url: '/healthz' })).statusCode).toBe(200);
  await bare.close();
});

const json = { accept: 'application/json' };
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const card = {
  name: 'openbourse',
  runs: ['spot', 'perpetuals'],
  links: {
    api: '/docs',
    openapi: '/openapi.json',
    asyncapi: '/asyncapi.json',
    readiness: '/readyz',
  },
};

test('GET /: browsers get the page, and a program that accepts JSON a description', async () => {
  const people = await server.inject({ url: '/', headers: html });
  expect(people.body).toBe(page);
  const program = await server.inject({ url: '/', headers: json });
  expect(program.headers['content-type']).toMatch(/^application\/json/);
  expect(program.headers['vary']).toContain('accept');
  expect(program.json()).toEqual({ ...card, console: 'served' });
});

test('GET / with CONSOLE=off: a page of links for people, JSON for programs', async () => {
  const off = await createTestServer({ consoleFolder: null });
  const people = await off.inject({ url: '/', headers: html });
  expect(people.statusCode).toBe(200);
  expect(people.headers['content-security-policy']).toContain("default-src 'none'");
  const hrefs = [...people.body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
  expect(hrefs).toEqual(['/docs', '/readyz']);
  const program = await off.inject({ url: '/', headers: json });
  expect(program.json()).toEqual({ ...card, console: 'off' });
  for (const url of [...hrefs, ...Object.values(card.links)]) {
    expect([url, (await off.inject({ url })).statusCode]).not.toEqual([url, 404]);
  }
  await off.close();
});

test('console: the icon that browsers request on their own exists', () => {
  const icon = readFileSync(new URL('../../console/public/favicon.ico', import.meta.url));
  expect(icon.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
});

test('console: CONSOLE=off serves no page', async () => {
  const off = await createTestServer({ consoleFolder: null });
  expect((await off.inject({ url: '/trade/BTCUSDT' })).statusCode).toBe(404);
  expect((await off.inject({ url: '/healthz' })).statusCode).toBe(200);
  await off.close();
});
