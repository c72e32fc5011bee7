import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ownAddress } from '../support/console-answers.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { answer, readClipboard } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// What the desks offer to a keyboard and to a reader, and what they ask before an order.

const taken = { order_id: '1', status: 'new', filled_quantity: '0' };

describeFakeConsole('console: the desk', (rig) => {
  const book = (page: Page) => page.getByRole('region', { name: 'Book' }).first();

  async function typeOrder(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.01');
  }

  test('console: the chart has a table view with the candles, the newest first', async () => {
    const candle = { open: '64000', high: '64100', low: '63900', close: '64050', volume: '1.5' };
    const items = ['11:58', '11:59'].map((at) => ({
      ...candle,
      open_time: `2026-01-15T${at}:00.000Z`,
    }));
    rig.fake.answers.set('GET /api/v1/spot/klines', { status: 200, body: { items } });
    const { page, complaints, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('button', { name: 'As a table' }).click();
    const table = page.getByRole('region', { name: 'Candles of BTCUSDT, 1m' });
    const from = table.locator('tbody td:first-child');
    await from.nth(1).waitFor();
    const [first = '', second = ''] = await from.allTextContents();
    expect(first > second).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the candles of a perpetual are of its last, mark or index price', async () => {
    const at = new Date().toISOString();
    const candle = { open: '64000', high: '64100', low: '63900', close: '64050', volume: '0' };
    const path = '/api/v1/markets/BTCUSDT/klines';
    rig.fake.answers.set(`GET ${path}`, {
      status: 200,
      body: { success: true, data: [{ ...candle, open_time: at }] },
    });
    const { page, complaints, close } = await rig.openSignedIn('/futures/BTCUSDT');
    const asked = (price: string, limit: string) =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        const isWanted = searchParams.get('price') === price && searchParams.get('limit') === limit;
        return pathname === path && isWanted;
      });
    const choice = page.getByRole('combobox', { name: 'Price of the candles' });
    for (const price of ['mark', 'index']) {
      const read = asked(price, '500');
      await choice.selectOption(price);
      await read;
      // They have no channel, so the newest are read again.
      await asked(price, '2');
      await page.getByRole('img', { name: `Candles of BTCUSDT, ${price} price, 1m` }).waitFor();
    }
    await page.getByRole('button', { name: 'As a table' }).click();
    await page
      .getByRole('region', { name: 'Candles of BTCUSDT, index price, 1m' })
      .getByText('64,050.0')
      .waitFor();
    await choice.selectOption('last');
    await page.getByRole('region', { name: 'Candles of BTCUSDT, 1m' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a button announces best bid, best ask and spread; the last price is announced on request', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    const said = book(page).getByRole('status');
    await page.locator('[data-price="64036"]').waitFor();
    await book(page).getByRole('button', { name: 'Read the book' }).press('Enter');
    await expect
      .poll(() => said.textContent())
      .toMatch(/^Best bid 64,036\.00, best ask [\d,.]+, spread [\d.]+\.$/);
    const price = book(page).getByRole('button', { name: /^Announce the last price/ });
    await price.press('Enter');
    await expect.poll(() => said.textContent()).toMatch(/^Last price [\d,.]+\.$/);
    await close();
  });

  test.each(['/trade/BTCUSDT', '/futures/BTCUSDT'])(
    'console: while the link is down the button of %s says so and asks once more',
    async (path) => {
      const { page, close } = await rig.openSignedIn(path);
      await typeOrder(page);
      rig.fake.isDown = true;
      rig.fake.cut();
      const buy = page.getByRole('button', { name: /^Buy BTC.*: prices are out of date$/ });
      await buy.click();
      await page
        .getByRole('dialog')
        .getByText('The prices on this page are out of date.')
        .waitFor();
      await answer(page, 'Cancel');
      await page
        .getByRole('region', { name: 'Trades' })
        .first()
        .getByText(/^as of/)
        .waitFor();
      await close();
    },
  );

  test('console: a switch makes limit orders and single cancellations ask', async () => {
    rig.fake.answers.set('POST /api/v1/spot/orders', { status: 200, body: taken });
    rig.fake.answers.set('DELETE /api/v1/spot/orders/1042', { status: 200, body: { ok: true } });
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('button', { name: /^0x/ }).click();
    await page.getByLabel('Ask before every order and cancellation').check();
    await page.keyboard.press('Escape');
    await typeOrder(page);
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await answer(page, /^Buy BTC/);
    await page
      .getByText(/in the book/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await answer(page, 'Cancel it');
    await page.getByText('Order canceled.').first().waitFor();
    await close();
  });

  test('console: the menu shows VIP tier and rank', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('button', { name: /^0x/ }).click();
    await page.getByText(/^VIP 2 · Rank \d+ in points$/).waitFor();
    const data = { event: 'vip_tier_changed', kind: 'upgrade_immediate', to_tier: 3 };
    rig.fake.tell({ type: 'update', channel: 'vip_tier', seq: 2, ts: Date.now(), data });
    await page.getByText(/^VIP 3 · /).waitFor();
    await close();
  });

  test('console: a restarting engine is a banner until the service is ready again', async () => {
    const refused = { status: 503, body: { error: 'ENGINE_RESTARTING' } };
    rig.fake.answers.set('POST /api/v1/spot/orders', refused);
    rig.fake.answers.set('GET /readyz', { status: 503, body: { status: 'not_ready' } });
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await typeOrder(page);
    const asked = page.waitForRequest((request) => request.url().endsWith('/readyz'));
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    const banner = page.locator('.banner', { hasText: 'The engine is restarting' });
    await banner.waitFor();
    await asked;
    expect(await banner.count()).toBe(1);
    rig.fake.answers.delete('GET /readyz');
    await banner.waitFor({ state: 'detached' });
    await close();
  });

  test.each([
    [95, 'Less than two minutes left.'],
    [500, 'Less than ten minutes left.'],
    [3_000, ''],
  ])('console: a signature with %i s left is announced as "%s"', async (seconds, words) => {
    const deadline = Math.floor(Date.now() / 1000) + seconds;
    const item = { id: 'w', token: 'DF', amount: '20', created_at: new Date().toISOString() };
    const body = { items: [{ ...item, deadline, status: 'signed' }], next_cursor: null };
    rig.fake.answers.set('GET /api/v1/spot/withdrawals', { status: 200, body });
    const { page, close } = await rig.openSignedIn('/points');
    const banner = page.locator('.banner', { hasText: '20 DF are signed and waiting' });
    await banner.waitFor();
    expect(await banner.locator('.hidden').textContent()).toBe(words);
    // The seconds themselves are not announced.
    expect(await banner.locator('[aria-live=off]').textContent()).toMatch(/^\d+:\d\d left\.$/);
    await close();
  });

  test('console: copied numbers have no commas and a plain minus', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('tab', { name: /^Open orders/ }).waitFor();
    await page.locator('[data-price="64036"]').waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('[data-price="64036"]'))`,
    );
    await page.keyboard.press('Control+C');
    await expect.poll(() => readClipboard(page)).toContain('64036.00');
    await close();
  });

  test('console: / goes to the search of markets; m, l and c work for perpetuals', async () => {
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    const type = page.getByRole('combobox', { name: 'Order type' });
    await page.getByRole('tab', { name: 'Orders 1' }).waitFor();
    await page.keyboard.press('m');
    expect(await type.inputValue()).toBe('MARKET');
    await page.keyboard.press('l');
    expect(await type.inputValue()).toBe('LIMIT');
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Cancel the newest order?' }).waitFor();
    await answer(page, /^Cancel$/);
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await close();
  });

  test('console: the header of a perpetual has its open interest; fees and safety are with the account', async () => {
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    await page.locator('.stat', { hasText: 'Open interest' }).getByText('12.5 BTC').waitFor();
    await page
      .getByRole('region', { name: 'Positions' })
      .getByText(/\(.*%\)/)
      .waitFor();
    await page.getByRole('tab', { name: 'Account' }).click();
    await page.locator('.figure', { hasText: 'uniMMR' }).getByText('safe').waitFor();
    await page.locator('.figure', { hasText: 'VIP tier' }).getByText('2').waitFor();
    await close();
  });

  test('console: a wallet that is set to another account sends nothing, and both addresses are named', async () => {
    const { page, context, close } = await rig.open('/icon.svg');
    const wallet = await injectWallet(context, rig.fake.url);
    await context.addInitScript(
      `${sessionScript()}; localStorage.setItem('wallet', 'test.injected')`,
    );
    await page.goto(`${rig.fake.url}/wallet`);
    const deposit = page.getByRole('region', { name: 'Deposit', exact: true });
    await deposit.getByText('Injected wallet').waitFor();
    await deposit.getByRole('textbox', { name: 'Amount' }).fill('25');
    await deposit.getByRole('button', { name: 'Deposit' }).click();
    const words = `it shows ${wallet.address}, and you are signed in as ${ownAddress}`;
    await page.getByText(words).first().waitFor();
    expect(wallet.asked).not.toContain('eth_sendTransaction');
    await close();
  });

  test('console: a request id can be copied, and data that could not be read again is greyed', async () => {
    const { page, close } = await rig.openSignedIn('/points');
    const seasons = page.getByRole('region', { name: 'Seasons' }).first();
    await seasons.getByText('1 Season 1').waitFor();
    rig.fake.answers.set('GET /api/v1/points/seasons', {
      status: 503,
      body: { error: 'DB_ERROR' },
    });
    // The page reads again when it is shown again.
    await expect
      .poll(async () => {
        await page.evaluate(
          "document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))",
        );
        return seasons.locator('.outdated').count();
      })
      .toBe(1);
    await seasons.getByText('1 Season 1').waitFor();
    await seasons.getByRole('button', { name: 'Copy the request ID' }).click();
    await expect.poll(() => readClipboard(page)).toBe('fixed-request-id');
    await close();
  });

  test('console: a link that is lost and found is announced without its figures', async () => {
    const { page, close } = await rig.openSignedIn('/status');
    const state = page.locator('header.frame [role=status]');
    expect(await state.textContent()).toBe('Connected.');
    rig.fake.isDown = true;
    rig.fake.cut();
    await expect.poll(() => state.textContent()).toBe('Connection lost.');
    rig.fake.isDown = false;
    await expect.poll(() => state.textContent()).toBe('Connected.');
    await close();
  });
});
