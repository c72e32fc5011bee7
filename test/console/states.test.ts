import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ownAddress } from '../support/console-answers.ts';
import { answer, consolePaths } from '../support/console-pages.ts';
import { streamFixtures } from '../support/console-stream-fixtures.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// What a page shows while something is not as it should be, before a service that is made to fail.

const book = { channel: 'orderbook', symbol: 'BTCUSDT', market: 'spot' };
const refusal = (status: number, code: string) => ({ status, body: { error: code } });

describeFakeConsole('console: states', (rig) => {
  const open = (path: string, endsAt?: number) => rig.openSignedIn(path, endsAt);

  const bookPanel = (page: Page) => page.getByRole('region', { name: 'Book' }).first();
  const asked = (channel: string) =>
    rig.fake.heard.filter((each) => each['type'] === 'subscribe' && each['channel'] === channel)
      .length;

  async function typeOrder(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'Price' }).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.01');
  }

  test('console: a lost connection is shown, dims stale data, keeps the ticket, and recovers', async () => {
    const { page, complaints, close } = await open('/trade/BTCUSDT');
    await typeOrder(page);
    await expect.poll(() => asked('orders')).toBe(1);
    rig.fake.isDown = true;
    rig.fake.cut();
    await page.getByText(/^Reconnecting/).waitFor();
    await bookPanel(page)
      .getByText(/^as of/)
      .waitFor();
    rig.fake.isDown = false;
    await page.getByText(/^Live/).waitFor();
    await bookPanel(page)
      .getByText(/^as of/)
      .waitFor({ state: 'detached' });
    // Signed in again, and subscribed again to all its topics.
    await expect.poll(() => asked('orders')).toBe(2);
    expect(await page.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('63000');
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: after a gap in seq the book is requested again and complete', async () => {
    const { page, complaints, close } = await open('/trade/BTCUSDT');
    await page.locator('[data-price="64036"]').waitFor();
    const data = { bids: [['64036.00', '0']], asks: [] };
    rig.fake.tell({ type: 'update', ...book, seq: 9, prev_seq: 8, ts: Date.now(), data });
    await expect.poll(() => asked('orderbook')).toBe(2);
    await page.locator('[data-price="64036"]').waitFor();
    // One that follows counts.
    rig.fake.tell({ type: 'update', ...book, seq: 2, prev_seq: 1, ts: Date.now(), data });
    await page.locator('[data-price="64036"]').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a resync dims the book until its snapshot', async () => {
    const { page, close } = await open('/trade/BTCUSDT');
    await page.locator('[data-price="64036"]').waitFor();
    rig.fake.tell({ type: 'resync', ...book });
    await bookPanel(page)
      .getByText(/^as of/)
      .waitFor();
    const data = streamFixtures['orderbook'];
    rig.fake.tell({ type: 'snapshot', ...book, seq: 30, ts: Date.now(), data });
    await bookPanel(page)
      .getByText(/^as of/)
      .waitFor({ state: 'detached' });
    await close();
  });

  test('console: a halt reaches an open page at once: no orders, cancelling works', async () => {
    rig.fake.answers.set('DELETE /api/v1/spot/orders/1042', { status: 200, body: { ok: true } });
    const { page, complaints, close } = await open('/trade/BTCUSDT');
    await typeOrder(page);
    const buy = page.getByRole('button', { name: 'Buy BTC' });
    await expect.poll(() => buy.isEnabled()).toBe(true);
    const tell = (status: string) =>
      rig.fake.tell({
        type: 'update',
        channel: 'markets',
        seq: 2,
        ts: Date.now(),
        data: [{ market: 'spot', symbol: 'BTCUSDT', status }],
      });
    tell('halted');
    await page.getByText('BTC/USDT is halted: no new orders; open ones can be canceled.').waitFor();
    expect(await buy.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Order canceled.').first().waitFor();
    tell('listed');
    await expect.poll(() => buy.isEnabled()).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a stale index price is shown on the page of the perpetual', async () => {
    const { page, close } = await open('/futures/BTCUSDT');
    const data = { ...(streamFixtures['mark_price'] as object), is_index_stale: true };
    const topic = { channel: 'mark_price', symbol: 'BTCUSDT', market: 'futures' };
    await page.getByText('64,030.2').waitFor();
    rig.fake.tell({ type: 'update', ...topic, seq: 2, ts: Date.now(), data });
    await page.getByText('The index price is out of date').first().waitFor();
    await close();
  });

  test('console: an expiring token is announced, and signs out with the ticket kept', async () => {
    const { page, complaints, close } = await open('/trade/BTCUSDT', Date.now() + 300_000);
    await page.getByText('Your session ends within ten minutes.').waitFor();
    await page.getByRole('button', { name: 'Stay signed in' }).waitFor();
    await typeOrder(page);
    rig.fake.tell({ type: 'error', code: 'TOKEN_EXPIRED', message: 'the token has expired' });
    await page.getByRole('button', { name: 'Sign in to trade' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('63000');
    expect(await page.evaluate('sessionStorage.getItem("token")')).toBe(null);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a session at its end is not renewed; the wallet signs in again', async () => {
    const { page, close } = await open('/trade/BTCUSDT', Date.now() + 300_000);
    const end = await page.evaluate<string>('sessionStorage.getItem("expires_at")');
    const renewed = { token: 'a.b.d', address: ownAddress, expires_at: end };
    rig.fake.answers.set('POST /api/v1/auth/renew', { status: 200, body: renewed });
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByText('It cannot be extended').waitFor();
    // The stream gets the token without a new connection.
    const signIns = () => rig.fake.heard.filter(({ type }) => type === 'auth');
    await expect.poll(() => signIns().at(-1)).toMatchObject({ token: 'a.b.d' });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate('sessionStorage.getItem("token")')).toBe(null);
    await close();
  });

  test('console: signing out without an answer discards the token, and says that the session may still be open', async () => {
    rig.fake.answers.set('POST /api/v1/auth/logout', null);
    const { page, close } = await open('/trade/BTCUSDT');
    await page.getByRole('button', { name: /^0x/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/This tab has discarded the token. The service may accept it/).waitFor();
    expect(await page.evaluate('sessionStorage.getItem("token")')).toBe(null);
    await close();
  });

  test('console: a refusal is a sentence with code and request id, and never a success', async () => {
    rig.fake.answers.set('POST /api/v1/spot/orders', refusal(409, 'SELF_TRADE'));
    const { page, close } = await open('/trade/BTCUSDT');
    await typeOrder(page);
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText('The order would trade with one of your own.').first().waitFor();
    await page.getByText('SELF_TRADE · fixed-request-id').first().waitFor();
    expect(await page.getByText('in the book').count()).toBe(0);
    await close();
  });

  test('console: while the engine is busy the order is retried, and sent once', async () => {
    rig.fake.answers.set('POST /api/v1/spot/orders', refusal(503, 'ENGINE_BUSY'));
    const { page, close } = await open('/trade/BTCUSDT');
    await typeOrder(page);
    const replies: number[] = [];
    page.on('response', (reply) => {
      if (reply.request().method() !== 'POST') return;
      replies.push(reply.status());
      const body = { order_id: '1', status: 'new', filled_quantity: '0' };
      rig.fake.answers.set('POST /api/v1/spot/orders', { status: 200, body });
    });
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page
      .getByText(/in the book/)
      .first()
      .waitFor();
    expect(replies).toEqual([503, 200]);
    await close();
  });

  test('console: an order without an answer is looked up before its outcome is shown', async () => {
    rig.fake.answers.set('POST /api/v1/spot/orders', null);
    const { page, close } = await open('/trade/BTCUSDT');
    await typeOrder(page);
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText('no response; looking for it…').waitFor();
    await page.getByText('the order was not accepted.').first().waitFor();
    await close();
  });

  test('console: a list that cannot be loaded says why, and is loaded again on demand', async () => {
    rig.fake.answers.set('GET /api/v1/points/seasons', refusal(503, 'DB_ERROR'));
    const { page, close } = await open('/points');
    const seasons = page.getByRole('region', { name: 'Seasons' }).first();
    await seasons.getByText('DB_ERROR').waitFor();
    await seasons.getByText('fixed-request-id').waitFor();
    rig.fake.answers.clear();
    await seasons.getByRole('button', { name: 'Try again' }).click();
    await seasons.getByText('1 Season 1').waitFor();
    rig.fake.answers.set('GET /api/v1/points/seasons', {
      status: 200,
      body: { success: true, data: [] },
    });
    await page.reload();
    await seasons.getByText('There is no season yet.').waitFor();
    await close();
  });

  test('console: a withdrawal’s signature counts down on every page', async () => {
    const left = { deadline: Math.floor(Date.now() / 1000) + 95, status: 'signed' };
    const item = { id: 'w', token: 'DF', amount: '20', created_at: new Date().toISOString() };
    const body = { items: [{ ...item, ...left }], next_cursor: null };
    rig.fake.answers.set('GET /api/v1/spot/withdrawals', { status: 200, body });
    const { page, close } = await open('/points');
    await page
      .getByText(/20 DF are signed and waiting for you to send them: 1:\d\d left/)
      .waitFor();
    await close();
  });

  test('console: two tabs share the theme, and each keeps its own ticket', async () => {
    const first = await open('/trade/BTCUSDT');
    const second = await first.context.newPage();
    await second.goto(`${rig.fake.url}/trade/BTCUSDT`);
    await typeOrder(first.page);
    await first.page.getByRole('button', { name: /theme$/ }).click();
    const theme = await first.page.evaluate<string>('document.documentElement.dataset.theme');
    const themeOf = () => second.evaluate('document.documentElement.dataset.theme');
    await expect.poll(themeOf).toBe(theme);
    expect(await second.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('');
    await first.close();
  });

  test('console: a refused amendment leaves the shown order unchanged', async () => {
    rig.fake.answers.set('PUT /api/v1/orders/77', {
      status: 400,
      body: { success: false, error: { code: 'INSUFFICIENT_MARGIN', message: 'not enough' } },
    });
    const { page, close } = await open('/futures/BTCUSDT');
    await page.getByRole('tab', { name: 'Orders 1' }).click();
    await page.getByRole('button', { name: 'Amend', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Price' }).fill('1000');
    await answer(page, 'Amend');
    await page.getByText('INSUFFICIENT_MARGIN · fixed-request-id').first().waitFor();
    await page.getByRole('region', { name: 'Open orders' }).getByText('66,000').waitFor();
    await close();
  });

  test.each(consolePaths)('console: %s can be traversed with the Tab key', async (path) => {
    const { page, close } = await open(path);
    await page.waitForLoadState('networkidle');
    const walked = await page.evaluate<readonly string[]>(markTabbable);
    const seen = new Set<string>();
    for (let count = 0; count < walked.length + 20 && seen.size < walked.length; count += 1) {
      await page.keyboard.press('Tab');
      const { mark, isVisible } = await page.evaluate<Focus>(readFocus);
      if (mark === null) continue;
      seen.add(mark);
      expect([path, mark, isVisible]).toEqual([path, mark, true]);
    }
    expect(walked.filter((mark) => !seen.has(mark))).toEqual([]);
    await close();
  });
});

interface Focus {
  readonly mark: string | null;
  /** The focus is shown by an outline. */
  readonly isVisible: boolean;
}

// Names every element that the Tab key should reach.
const markTabbable = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, [tabindex]')];
  const reached = all.filter((each) =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }));
  return reached.map((each, index) => {
    each.dataset.walked = index + ' ' + each.tagName + ' ' + (each.ariaLabel ?? each.textContent);
    return each.dataset.walked;
  });
})()`;

const readFocus = `(() => {
  const { activeElement: own } = document;
  const { outlineStyle, outlineWidth } = getComputedStyle(own);
  return {
    mark: own.dataset.walked ?? null,
    isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
  };
})()`;
