import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// What docs/clients.md shows is run as it is there.

const page = readFileSync(join(projectRoot, 'docs/clients.md'), 'utf8');
const snippets = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
const library = (code: string): string => /from '([^']+)'/.exec(code)?.[1] ?? '';

let floor: TradingFloor;
beforeAll(async () => {
  floor = await TradingFloor.open();
});
afterAll(() => floor.close());

test('clients: the page shows both libraries', () => {
  expect(snippets.map(library)).toEqual(['ccxt', 'binance']);
});

test.each(snippets.map((code) => [library(code), code] as const))(
  'clients: what the page shows of %s runs',
  async (_library, code) => {
    const { apiKey, apiSecret } = await floor.addTrader();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', code],
      {
        cwd: projectRoot,
        env: { BASE_URL: floor.url, API_KEY: apiKey, API_SECRET: apiSecret },
        timeout: 150_000,
      },
    );
    expect(stdout.trim()).toMatch(/^(open|NEW) 50000$/);
  },
);
