import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fixedAt } from '../support/console-answers.ts';
import { restFixtures } from '../support/console-fixtures.ts';
import { enterAsOperator } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// What every page shows while its lists are awaited, when they cannot be read and when they are
// empty. Other states belong to all pages at once and are shown by states, waits and ages.

const lists: Readonly<Record<string, readonly string[]>> = {
  '/': ['Markets'],
  '/trade/BTCUSDT': [],
  '/futures/BTCUSDT': [],
  '/wallet': ['Deposits', 'Withdrawals', 'Perp withdrawals', 'Transfers'],
  '/referral': ['Claims', 'Traders', 'Affiliates', 'Earnings by day', 'Log'],
  '/points': ['Leaderboard', 'Seasons', 'Earn levels'],
  '/keys': ['Your keys'],
  '/status': ['Chain'],
};
/** What is in a single answer and not a list: it can fail, but cannot be empty. */
const figures: Readonly<Record<string, readonly string[]>> = {
  '/referral': ['Claim', 'On chain'],
  Money: ['Insurance fund', 'Solvency'],
};
const tabs: Readonly<Record<string, readonly string[]>> = {
  Markets: ['Markets'],
  Users: ['Accounts', 'Referral agents'],
  Points: ['Seasons'],
  Claims: ['Claims', 'Failed settlements'],
  Money: [
    'Pauses',
    'Deposits of all accounts',
    'Withdrawals of all accounts',
    'Halts of signing',
    'Pauses of contracts',
    'Parked events',
  ],
  Reviews: ['Withdrawals in review'],
  Audit: ['Audit log'],
};
const desks: Readonly<Record<string, readonly string[]>> = {
  '/trade/BTCUSDT': ['History', 'Trades'],
  '/futures/BTCUSDT': [
    'Triggers',
    'History',
    'Trades',
    'Funding and fees',
    'Liquidations',
    'Profit',
    'Account',
  ],
};
/** Nothing of them can be empty. */
const filled = ['/status', '/', 'Markets', 'Account', 'Profit'];

/** Lists that are empty in the fixed data, too. */
const emptyLists = [
  'GET /api/v1/account/trades',
  'GET /api/v1/income',
  'GET /api/v1/liquidations',
  'GET /api/v1/spot/trades',
  'GET /api/v1/trigger-orders',
];
const names = [
  ...Object.keys(restFixtures).filter((name) => name.startsWith('GET /api/')),
  'GET /api/v1/account/equity-history',
  ...emptyLists,
];
const noRows = { status: 200, body: { success: true, data: { items: [], next_cursor: null } } };
/** Terms of the exchange, without which there is no desk to show a list on. */
const terms = ['GET /api/v1/site', 'GET /api/v1/spot/markets', 'GET /api/v1/markets'];

function emptied(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return [];
  if (key === 'total') return 0;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]): [string, unknown] => [
      name,
      Array.isArray(each) || ['data', 'total'].includes(name) ? emptied(each, name) : each,
    ]),
  );
}

describeFakeConsole('console: matrix', (rig) => {
  const refuse = (all: readonly string[]) => {
    for (const name of all) {
      rig.fake.answers.set(name, { status: 503, body: { error: 'DB_ERROR' } });
    }
  };

  async function openTab(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(rig.fake.url + path);
    return page;
  }

  /** Each tab of the operator in a page of its own, all at once. */
  async function onTabs(
    context: BrowserContext,
    check: (page: Page, tab: string, titles: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      Object.entries(tabs).map(async ([tab, titles]) => {
        const page = await openTab(context, '/admin');
        await enterAsOperator(page);
        await page.getByRole('tab', { name: tab }).click();
        await check(page, tab, titles);
        await page.close();
      }),
    );
  }

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  async function expectRefused(page: Page, titles: readonly string[]): Promise<void> {
    for (const title of titles) {
      const alert = region(page, title).first().getByRole('alert').first();
      await alert.waitFor();
      expect([title, await alert.textContent()]).toEqual([
        title,
        expect.stringMatching(/^The database.* DB_ERROR · fixed-request-id Copy Try again$/),
      ]);
    }
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
    expect(await page.locator('main .empty:not([role=alert])').allTextContents()).toEqual([]);
  }

  async function expectEmpty(page: Page, titles: readonly string[]): Promise<void> {
    for (const title of titles) {
      const sentence = region(page, title).first().locator('.empty').first();
      await sentence.waitFor();
      expect(await sentence.textContent()).toMatch(/^[A-Z].*\.$/);
    }
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  }

  const own = (path: string) => [...(lists[path] ?? []), ...(figures[path] ?? [])];

  test('console: every page has a heading and says that it is loading while it waits', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/keys');
    await page.route(/\/api\/v1\/(?!site)/, () => undefined);
    for (const path of Object.keys(lists)) {
      await page.goto(rig.fake.url + path);
      await page.locator('main [aria-busy="true"]').first().waitFor();
      expect(await page.getByRole('main').getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.locator('main .empty').count()).toBe(0);
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: what cannot be read says why on every page, and is never an empty list', async () => {
    const { context, complaints, close } = await rig.openSignedIn('/keys');
    refuse(names.filter((name) => name !== terms[0]));
    await Promise.all(
      Object.keys(lists).map(async (path) => {
        const page = await openTab(context, path);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('main').getByRole('alert').first().waitFor();
        await expectRefused(page, own(path));
        await page.close();
      }),
    );
    await onTabs(context, (page, tab, titles) =>
      expectRefused(page, [...titles, ...(figures[tab] ?? [])]),
    );
    rig.fake.answers.clear();
    refuse(names.filter((name) => !terms.includes(name)));
    await Promise.all(
      Object.entries(desks).map(async ([path, titles]) => {
        const page = await openTab(context, path);
        for (const title of titles) {
          await page.getByRole('tab', { name: title, exact: true }).click();
          const alert = region(page, 'Your account').getByRole('alert').first();
          await expect.poll(() => alert.textContent()).toMatch(/DB_ERROR · fixed-request-id/);
          await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
        }
        await page.close();
      }),
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: every empty list is a sentence that names what to do or that there is nothing', async () => {
    const { context, complaints, close } = await rig.openSignedIn('/keys');
    for (const name of names.filter((each) => !terms.includes(each))) {
      const { status, body } = restFixtures[name] ?? noRows;
      rig.fake.answers.set(name, { status, body: emptied(body) });
    }
    await Promise.all(
      Object.entries(lists).map(async ([path, titles]) => {
        const page = await openTab(context, path);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await expectEmpty(page, filled.includes(path) ? [] : titles);
        await page.close();
      }),
    );
    await onTabs(context, (page, tab, titles) =>
      expectEmpty(page, filled.includes(tab) ? [] : titles),
    );
    await Promise.all(
      Object.entries(desks).map(async ([path, titles]) => {
        const page = await openTab(context, path);
        for (const title of titles.filter((each) => !filled.includes(each))) {
          await page.getByRole('tab', { name: title, exact: true }).click();
          await expectEmpty(page, ['Your account']);
        }
        await page.close();
      }),
    );
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: before the first epoch the board is empty, and is not shown as loading', async () => {
    rig.fake.answers.set('GET /api/v1/points/epochs', {
      status: 200,
      body: { success: true, data: { items: [], at: fixedAt } },
    });
    const { page, close } = await rig.openSignedIn('/points');
    await region(page, 'Leaderboard')
      .first()
      .getByText(/^Nobody has points yet/)
      .waitFor();
    await close();
  });

  test('console: every page without a sign-in shows what is public', async () => {
    const { context, complaints, close } = await rig.open('/status');
    await Promise.all(
      Object.keys(lists).map(async (path) => {
        const page = await openTab(context, path);
        await page
          .getByRole('button', { name: /^Sign in/ })
          .first()
          .waitFor();
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
        expect(await page.getByRole('alert').allTextContents()).toEqual([]);
        await page.close();
      }),
    );
    expect(complaints).toEqual([]);
    await close();
  });
});
