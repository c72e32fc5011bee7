import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeSurface } from '../../src/gateway/errors/envelope-errors.ts';
import type { ErrorRow } from '../../src/gateway/errors/error-row.ts';
import { exchangeSurface } from '../../src/gateway/errors/exchange-errors.ts';
import { plainSurface, spotSurface } from '../../src/gateway/errors/plain-errors.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { errorCatalogs } from '../support/error-catalogs.ts';
import { readErrorTables, renderErrorTable } from '../support/error-table.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

const text = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');
const tables = readErrorTables(text);

describe('docs/api.md: errors', () => {
  test('one table for each catalog, and no other', () => {
    expect([...tables.keys()].sort()).toEqual(Object.keys(errorCatalogs).sort());
  });

  test.each(Object.keys(errorCatalogs))('%s: the table is the catalog, row by row', (name) => {
    expect(tables.get(name)).toBe(renderErrorTable(errorCatalogs[name] ?? {}));
  });

  test('every row that a surface can answer stands in a table', () => {
    const documented = new Set<ErrorRow>(
      Object.values(errorCatalogs).flatMap((catalog) => Object.values(catalog)),
    );
    for (const surface of [plainSurface, spotSurface, envelopeSurface, exchangeSurface]) {
      const missing = Object.values(surface.rows).filter((row) => !documented.has(row));
      expect(missing).toEqual([]);
    }
  });
});

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

  test('the shell lines compute it, where there is openssl', (context) => {
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
