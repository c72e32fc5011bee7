import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeSurface } from '../../src/gateway/errors/envelope-errors.ts';
import type { ErrorCatalog, ErrorRow } from '../../src/gateway/errors/error-row.ts';
import { exchangeSurface } from '../../src/gateway/errors/exchange-errors.ts';
import { plainSurface, spotSurface } from '../../src/gateway/errors/plain-errors.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { errorCatalogs } from '../support/error-catalogs.ts';
import { documentedTables, readErrorTables } from '../support/error-table.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

const text = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');

describe.each(Object.entries(documentedTables))('%s: errors', (document, expected) => {
  const tables = readErrorTables(readFileSync(join(projectRoot, document), 'utf8'));

  test('one table for each catalog, and no other', () => {
    expect([...tables.keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  test.each(Object.keys(expected))('%s: the table is the catalog, row by row', (name) => {
    expect(tables.get(name)).toBe(expected[name]);
  });
});

describe('docs/api.md: errors', () => {
  test('every catalog of the gateway has its table', async () => {
    const folder = join(projectRoot, 'src/gateway/errors');
    const files = readdirSync(folder).filter((name) => name.endsWith('-errors.ts'));
    const documented = new Set<unknown>(Object.values(errorCatalogs));
    const missing: string[] = [];
    for (const file of files) {
      const exported = (await import(join(folder, file))) as Record<string, unknown>;
      for (const [name, value] of Object.entries(exported)) {
        if (isCatalog(value) && !isCovered(value, documented)) missing.push(`${file}: ${name}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('every error that a surface can return is in a table', () => {
    const documented = new Set<ErrorRow>(
      Object.values(errorCatalogs).flatMap((catalog) => Object.values(catalog)),
    );
    for (const surface of [plainSurface, spotSurface, envelopeSurface, exchangeSurface]) {
      const missing = Object.values(surface.rows).filter((row) => !documented.has(row));
      expect(missing).toEqual([]);
    }
  });
});

function isCatalog(value: unknown): value is ErrorCatalog {
  if (typeof value !== 'object' || value === null) return false;
  const rows: readonly unknown[] = Object.values(value);
  return rows.length > 0 && rows.every((row) => isRow(row));
}

function isRow(value: unknown): value is ErrorRow {
  return typeof value === 'object' && value !== null && 'code' in value && 'text' in value;
}

/** Documented itself, or made of rows that are. */
function isCovered(catalog: ErrorCatalog, documented: ReadonlySet<unknown>): boolean {
  if (documented.has(catalog)) return true;
  const rows = new Set([...documented].flatMap((each) => Object.values(each as ErrorCatalog)));
  return Object.values(catalog).every((row) => rows.has(row));
}

describe('docs/api.md: the worked example of a signature', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());

  const valueOf = (name: string): string => {
    const found = new RegExp(`^${name}='?([^'\\n]+)'?$`, 'm').exec(text)?.[1];
    expect(found, name).toBeDefined();
    return found ?? '';
  };

  test('the signature in the text is the one that comes out', () => {
    const signed = `timestamp=1767571200000${valueOf('body')}`;
    const signature = createHmac('sha256', valueOf('api_secret')).update(signed).digest('hex');
    expect(text).toContain(`# ${signature}`);
  });

  test('the service accepts it', async () => {
    server.exchange.addMarket('BTCUSDT');
    server.exchange.addTrader(1);
    await server.addKey({ apiKey: valueOf('api_key'), apiSecret: valueOf('api_secret') });
    server.time = 1_767_571_200_000;
    const query = 'timestamp=1767571200000';
    const payload = valueOf('body');
    const signature = createHmac('sha256', valueOf('api_secret'))
      .update(query + payload)
      .digest('hex');
    const reply = await server.inject({
      method: 'POST',
      url: `/api/v1/spot/orders?${query}&signature=${signature}`,
      headers: { 'x-mbx-apikey': valueOf('api_key'), 'content-type': 'application/json' },
      payload,
    });
    expect(reply.statusCode).toBe(200);
  });

  test('the shell lines compute it (skipped without openssl)', (context) => {
    const lines = /signature=\$\(.*\)/.exec(text)?.[0] ?? '';
    expect(lines).toContain('openssl');
    let output: string;
    try {
      output = execFileSync(
        'sh',
        [
          '-c',
          `api_secret='${valueOf('api_secret')}'; body='${valueOf('body')}'; ` +
            `query='timestamp=1767571200000'; ${lines}; openssl version >&2 && echo "$signature"`,
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
    } catch {
      context.skip('there is no openssl on this machine');
      return;
    }
    expect(text).toContain(`# ${output.trim()}`);
  });
});
