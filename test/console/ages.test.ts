import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { done } from '../support/console-answers.ts';
import { findViolations } from '../support/console-axe.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { enterAsOperator } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// What is shown is true: figures that are no longer followed say since when, what cannot be read is
// not called empty, and the status is read as often as it should be.

describeFakeConsole('console: ages', (rig) => {
  async function loseLink(page: Page): Promise<void> {
    rig.fake.isDown = true;
    rig.fake.cut();
    await page.getByText(/^Reconnecting/).waitFor();
  }

  test.each([
    ['/', 'Markets'],
    ['/trade/BTCUSDT', 'Your account'],
    ['/futures/BTCUSDT', 'Your account'],
    ['/wallet', 'Balances'],
  ])('console: the lists of %s say since when they are not followed', async (path, name) => {
    const { page, complaints, close } = await rig.openSignedIn(path);
    const panel = page.getByRole('region', { name }).first();
    await panel.getByRole('row').nth(1).waitFor();
    const age = panel.getByText(/^as of \d/);
    expect(await age.count()).toBe(0);
    await loseLink(page);
    await age.waitFor();
    expect(await panel.getAttribute('class')).toContain('stale');
    rig.fake.isDown = false;
    await age.waitFor({ state: 'detached' });
    expect(await panel.getAttribute('class')).not.toContain('stale');
    expect(complaints).toEqual([]);
    await close();
  });

  test.each(['dark', 'light'] as const)(
    'console: stale data can still be read: axe finds no violation while the link is down, %s',
    async (colorScheme) => {
      const { page, close } = await rig.open('/trade/BTCUSDT', { colorScheme, bypassCSP: true });
      await page.evaluate(sessionScript());
      for (const path of ['/', '/trade/BTCUSDT', '/futures/BTCUSDT', '/wallet']) {
        rig.fake.isDown = false;
        await page.goto(rig.fake.url + path);
        await page.getByText(/^Live/).waitFor();
        await page.locator('.scroll tbody td').first().waitFor();
        await loseLink(page);
        await page
          .getByText(/^as of \d/)
          .first()
          .waitFor();
        expect([path, await findViolations(page)]).toEqual([path, []]);
      }
      await close();
    },
  );

  const refused = { status: 503, body: { error: 'DB_ERROR' } };

  test('console: perpetuals that cannot be read are an error, not an empty list', async () => {
    rig.fake.answers.set('GET /api/v1/markets', refused);
    const { page, close } = await rig.open('/');
    const markets = page.getByRole('region', { name: 'Markets' }).first();
    await markets.getByText('BTC/USDT').waitFor();
    for (const tab of [/^Perpetuals/, 'Favourites']) {
      await page.getByRole('tab', { name: tab }).click();
      await markets.getByText('DB_ERROR').waitFor();
      expect(await markets.getByText(/^No market|^No favourites/).count()).toBe(0);
    }
    rig.fake.answers.clear();
    await markets.getByRole('button', { name: 'Try again' }).click();
    await markets.getByText('No favourites yet').waitFor();
    await page.getByRole('tab', { name: 'Perpetuals 2' }).click();
    await markets.getByText('BTC perpetual').waitFor();
    await close();
  });

  test('console: the operator’s markets are not shown as complete while one kind cannot be read', async () => {
    rig.fake.answers.set('GET /api/v1/markets', refused);
    const { page, close } = await rig.open('/admin');
    await enterAsOperator(page);
    await page.getByRole('region', { name: 'Markets' }).first().getByText('DB_ERROR').waitFor();
    await close();
  });

  test('console: the status is read every 5 s, every 30 s while hidden, and at once when shown', async () => {
    const { page, close } = await rig.open('/icon.svg');
    // The waits of the page's own code, and not of what every page reads.
    await page.addInitScript(`{
      window.waits = [];
      const { setTimeout } = window;
      window.setTimeout = (work, ms, ...rest) => {
        if (new Error().stack.includes('/assets/status-')) window.waits.push(ms);
        return setTimeout(work, ms, ...rest);
      };
    }`);
    await page.goto(`${rig.fake.url}/status`);
    const waits = () => expect.poll(() => page.evaluate<readonly number[]>('window.waits'));
    const turn = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', {
        configurable: true, get: () => ${isHidden},
      }); document.dispatchEvent(new Event('visibilitychange'))`);
    await waits().toContain(5_000);
    await waits().not.toContain(30_000);
    await turn(true);
    await waits().toContain(30_000);
    const read = page.waitForRequest(/readyz$/, { timeout: 20_000 });
    await turn(false);
    await read;
    await close();
  });

  test('console: while the service is out of reach its parts stay, greyed, with their age', async () => {
    const { page, close } = await rig.open('/status');
    const parts = page.getByRole('region', { name: 'Parts', exact: true });
    await parts.getByText('engine').waitFor();
    rig.fake.answers.set('GET /readyz', null);
    await page.getByText('unreachable').first().waitFor();
    await parts.getByText('engine').waitFor();
    await parts.getByText(/^read \d+ s ago$/).waitFor();
    const look = () =>
      page.evaluate(
        'getComputedStyle(document.querySelector(\'[aria-label="Parts"] table\')).filter',
      );
    await expect.poll(look).toBe('grayscale(1)');
    rig.fake.answers.clear();
    await expect.poll(look).toBe('none');
    await close();
  });

  test.each([
    [60_000, '+'],
    [-60_000, '−'],
  ])('console: a clock that is %i ms off is shown with its sign', async (aheadMs, sign) => {
    const { page, close } = await rig.open('/icon.svg');
    await page.clock.setFixedTime(Date.now() + aheadMs);
    await page.goto(`${rig.fake.url}/status`);
    const clock = page.locator('.figure', { hasText: 'Your clock' }).locator('dd');
    await expect.poll(() => clock.textContent()).toMatch(/\d{5} ms$/);
    expect((await clock.textContent())?.startsWith(sign)).toBe(true);
    expect(await page.getByRole('contentinfo').textContent()).toContain(`clock ${sign}`);
    await close();
  });

  test('console: a refused estimate of a perpetual order has its code and request id', async () => {
    const preview = { status: 422, body: { success: false, error: { code: 'NO_LIQUIDITY' } } };
    rig.fake.answers.set('POST /api/v1/orders/preview', preview);
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await ticket.getByRole('textbox', { name: 'Price', exact: true }).fill('63000');
    await ticket.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.01');
    await ticket.getByText('NO_LIQUIDITY').waitFor();
    await ticket.getByText('fixed-request-id').waitFor();
    await close();
  });

  test('console: each history of the wallet says whether it is complete', async () => {
    const { page, close } = await rig.openSignedIn('/wallet');
    const transfers = page.getByRole('region', { name: 'Transfers', exact: true }).first();
    await transfers.getByText('All 1.').waitFor();
    const item = { transfer_id: '2', direction: 'spot_to_perp', token: 'USDT', amount: '5' };
    const items = [{ ...item, created_at: '2026-01-15T11:48:20.000Z' }];
    rig.fake.answers.set('GET /api/v1/spot/transfers', done({ items, next_cursor: '2' }));
    await page.reload();
    await transfers.getByText('The newest 1.').waitFor();
    await close();
  });
});
