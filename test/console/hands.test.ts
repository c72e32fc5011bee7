import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findOverflow } from '../support/console-axe.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { answer, consolePaths } from '../support/console-pages.ts';
import { streamFixtures } from '../support/console-stream-fixtures.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// Fields, buttons, notices and dialogs under a pointer, a finger and the Escape key.

describeFakeConsole('console: hands', (rig) => {
  const price = (page: Page) => page.getByRole('textbox', { name: 'Price', exact: true });

  async function typeOrder(page: Page): Promise<void> {
    await price(page).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.01');
  }

  test.each([
    ['/trade/BTCUSDT', '64036.65', '64036.63'],
    ['/futures/BTCUSDT', '64036.7', '64036.5'],
  ])(
    'console: the price of %s has buttons of one tick, from the last price on',
    async (path, above, below) => {
      const { page, complaints, close } = await rig.openSignedIn(path);
      await page.locator('.head .last', { hasText: '64,036' }).waitFor();
      await page.getByRole('button', { name: 'Price: one step up' }).click();
      expect(await price(page).inputValue()).toBe(above);
      const down = page.getByRole('button', { name: 'Price: one step down' });
      await down.click();
      await down.click();
      expect(await price(page).inputValue()).toBe(below);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  const refused = { status: 409, body: { error: 'SELF_TRADE' } };

  test.each([1_440, 700, 360])(
    'console: notices do not cover the ticket at a width of %i',
    async (width) => {
      rig.fake.answers.set('POST /api/v1/spot/orders', refused);
      const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
      await page.setViewportSize({ width, height: 740 });
      if (width === 360)
        await page.locator('.desk-foot').getByRole('button', { name: 'Buy' }).click();
      await typeOrder(page);
      const buy = page.getByRole('button', { name: 'Buy BTC' });
      const notices = page.locator('.notice', { hasText: 'SELF_TRADE' });
      for (let count = 1; count <= 3; count += 1) {
        await expect.poll(() => buy.isEnabled()).toBe(true);
        await buy.click();
        await expect.poll(() => notices.count()).toBe(count);
      }
      const ticket = await page.locator('.area-ticket').boundingBox();
      const shown = await page.locator('.notices').boundingBox();
      if (ticket === null || shown === null) throw new Error('nothing is shown');
      expect(shown.height).toBeGreaterThan(40);
      const isBeside = shown.x + shown.width <= ticket.x;
      const isAbove = shown.y + shown.height <= ticket.y;
      expect([isBeside, isAbove]).toContain(true);
      await close();
    },
  );

  test('console: the fills of one order are joined in one notice and one line of the log', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    const [order] = streamFixtures['orders'] as readonly object[];
    const fill = (filled: string, seq: number) =>
      rig.fake.tell({
        type: 'update',
        channel: 'orders',
        seq,
        prev_seq: seq - 1,
        ts: Date.now(),
        data: [
          {
            ...order,
            side: 'buy',
            filled_quantity: filled,
            avg_price: '63000',
            status: 'partially_filled',
            fills: [{ price: '63000', quantity: '0.001' }],
          },
        ],
      });
    fill('0.001', 2);
    await page.locator('.notice', { hasText: 'Bought 0.001 BTCUSDT at 63,000' }).waitFor();
    fill('0.002', 3);
    await page.locator('.notice', { hasText: 'Bought 0.002 BTCUSDT at 63,000' }).waitFor();
    expect(await page.locator('.notice', { hasText: 'Bought' }).count()).toBe(1);
    await page.getByRole('button', { name: 'log: 1' }).waitFor();
    await close();
  });

  test('console: an order that the stream reports before its answer is one row', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await typeOrder(page);
    const [order] = streamFixtures['orders'] as readonly object[];
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let clientOrderId = '';
    await page.route('**/api/v1/spot/orders', async (route) => {
      ({ client_order_id: clientOrderId } = route.request().postDataJSON() as {
        client_order_id: string;
      });
      await isReleased;
      const body = { order_id: '7', status: 'new', filled_quantity: '0' };
      await route.fulfill({ json: body });
    });
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    const sending = page.getByText(/: sending… page-/);
    await sending.waitFor();
    expect(await sending.textContent()).toContain(clientOrderId);
    const data = [{ ...order, order_id: '7', client_order_id: clientOrderId }];
    rig.fake.tell({ type: 'update', channel: 'orders', seq: 2, prev_seq: 1, ts: Date.now(), data });
    await page.getByRole('tab', { name: 'Open orders 2' }).waitFor();
    expect(await sending.count()).toBe(0);
    release();
    await page.locator('.notice', { hasText: 'in the book' }).waitFor();
    await page.getByRole('tab', { name: 'Open orders 2' }).waitFor();
    await close();
  });

  test.each([360, 420, 700, 800, 900, 1280, 3840])(
    'console: the menu is complete and nothing is too wide at %i',
    async (width) => {
      const { page, close } = await rig.openSignedIn('/');
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.menu'))",
      );
      expect([cut, await findOverflow(page)]).toEqual([0, 0]);
      await close();
    },
  );

  test('console: on a phone the ticket is a sheet that takes the focus, and Escape closes it', async () => {
    const viewport = { width: 360, height: 740 };
    const { page, close } = await rig.open('/trade/BTCUSDT', { viewport });
    const sell = page.locator('.desk-foot').getByRole('button', { name: 'Sell' });
    const ticket = page.getByRole('region', { name: 'Order', exact: true });
    await sell.waitFor();
    expect(await ticket.isVisible()).toBe(false);
    await sell.press('Enter');
    const side = ticket.getByRole('button', { name: 'Sell', exact: true });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Sell');
    expect(await page.evaluate('document.activeElement.closest(".area-ticket") !== null')).toBe(
      true,
    );
    expect(await side.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    await ticket.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.closest(".desk-foot") !== null')).toBe(true);
    await close();
  });

  test('console: Escape closes a list, and never the dialog of a secret that is shown once', async () => {
    const created = { api_key: 'k'.repeat(64), api_secret: 's'.repeat(64) };
    const body = { success: true, data: created };
    rig.fake.answers.set('POST /api/v1/account/api-keys', { status: 200, body });
    const { page, close } = await rig.openSignedIn('/keys');
    await page.getByLabel('Label').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Label').fill('bot');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const secret = page.getByRole('dialog', { name: 'Your new API key' });
    await secret.waitFor();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    await secret.getByText(created.api_secret).waitFor();
    expect(await secret.isVisible()).toBe(true);
    await answer(page, 'I have saved it');
    await secret.waitFor({ state: 'detached' });
    await close();
  });

  test('console: a click in the row of a market opens it', async () => {
    const { page, close } = await rig.open('/');
    await page
      .getByRole('row', { name: /ETH\/USDT/ })
      .getByText('3,120.55')
      .first()
      .click();
    await page.waitForURL(/\/trade\/ETHUSDT$/);
    await close();
  });

  test('console: withdrawals that are paused under an open page are a banner', async () => {
    const { page, context, close } = await rig.open('/icon.svg');
    await context.addInitScript(sessionScript());
    await page.clock.install();
    await page.goto(`${rig.fake.url}/status`);
    await page.getByText(/^Live/).waitFor();
    const { data } = await page.evaluate<{ data: object }>(
      `fetch('/api/v1/site').then((reply) => reply.json())`,
    );
    const body = { success: true, data: { ...data, are_withdrawals_paused: true } };
    rig.fake.answers.set('GET /api/v1/site', { status: 200, body });
    expect(await page.getByText('Withdrawals are paused.').count()).toBe(0);
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/v1/site'));
    await page.clock.fastForward(30_000);
    await asked;
    await page.getByText('Withdrawals are paused.').waitFor();
    await close();
  });

  // What a finger can press, with its size, where it is smaller than 44 pixels.
  const smallTargets = `[...document.querySelectorAll('button, select, input, a[href]')]
    .filter((each) => each.checkVisibility() && !each.closest('.hidden, .on-focus, .skip'))
    .map((each) => {
      const target = each.type === 'checkbox' ? each.closest('label') : each;
      const { width, height } = target.getBoundingClientRect();
      return [each.ariaLabel ?? each.textContent, width, height];
    })
    .filter(([, width, height]) => Math.min(width, height) < 43.5)`;

  // All shifts of the page so far that no input caused.
  const layoutShift = `new Promise((resolve) => {
    let total = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)));
  })`;

  test.each([1_440, 360])('console: no page moves while it loads, at %i', async (width) => {
    const { page, context, close } = await rig.open('/icon.svg', {
      viewport: { width, height: width === 360 ? 740 : 900 },
      hasTouch: width === 360,
    });
    await context.addInitScript(sessionScript());
    // The tab learns what waits to be sent; a reload keeps the space of its banner.
    await page.goto(`${rig.fake.url}/points`);
    await page.getByText(/are signed and waiting/).waitFor();
    for (const path of consolePaths) {
      await page.goto(rig.fake.url + path, { waitUntil: 'networkidle' });
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
      const shift = await page.evaluate<number>(layoutShift);
      expect([path, shift <= 0.02 ? 'still' : shift]).toEqual([path, 'still']);
    }
    await close();
  });

  test('console: each page has its title, and on a touch screen targets of 44 pixels', async () => {
    const { page, context, close } = await rig.open('/icon.svg', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await context.addInitScript(sessionScript());
    const titles: string[] = [];
    for (const path of consolePaths) {
      await page.goto(rig.fake.url + path, { waitUntil: 'networkidle' });
      titles.push(await page.title());
      expect([path, await page.evaluate(smallTargets)]).toEqual([path, []]);
    }
    expect(titles).toEqual([
      'Markets · openbourse',
      'BTCUSDT · Trade · openbourse',
      'BTCUSDT · Futures · openbourse',
      'Wallet · openbourse',
      'Referral · openbourse',
      'Points · openbourse',
      'API keys · openbourse',
      'Operator · openbourse',
      'Status · openbourse',
    ]);
    await close();
  });
});
