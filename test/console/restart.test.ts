import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole, launchBrowser } from '../support/browser.ts';
import {
  browserOrReason,
  findFreePort,
  openPage,
  signInWithMoney,
} from '../support/console-pages.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// The service ends and starts again under an open page, on the same journal and database.

const program = browserOrReason();

describe.skipIf(program === null)('console: a restart', () => {
  let folder: string;
  let database: TestDatabase;
  let browser: Browser;
  let service: TestService | null = null;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    buildConsole();
    folder = await mkdtemp(join(tmpdir(), 'openbourse-restart-'));
    database = await openTestDatabase();
    browser = await launchBrowser(program ?? '');
    settings = { PORT: await findFreePort(), DATA_DIR: folder, DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await browser.close();
    await service?.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('console: a restart of the service under an open page keeps ticket, sign-in and orders', async () => {
    service = await startTestService(settings);
    const { page, complaints, close } = await openPage(browser, service.url, '/trade/BTCUSDT');
    await signInWithMoney(page);
    const price = page.getByRole('textbox', { name: 'Price' });
    await price.fill('60000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    await price.fill('61234');

    await service.close();
    await page.getByText(/^Reconnecting/).waitFor();
    service = await startTestService(settings);
    await page.getByText(/^Live/).waitFor();

    expect(await price.inputValue()).toBe('61234');
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Order canceled.').first().waitFor();
    await page.getByRole('tab', { name: 'Open orders 0' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
