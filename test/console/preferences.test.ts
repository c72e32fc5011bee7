import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../support/console-axe.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// What a trader sets on a device, and the keys that go from page to page.

// A wallet that already shows a question to its owner.
const busyWallet = `{
  const info = { uuid: 'busy', rdns: 'test.busy', name: 'Busy wallet', icon: '' };
  const request = () => Promise.reject({ code: -32002, message: 'already pending' });
  const detail = Object.freeze({ info, provider: { request } });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

describeFakeConsole('console: preferences', (rig) => {
  test('console: a favourite is shared with other tabs and outlives a reload', async () => {
    const first = await rig.openSignedIn('/');
    const second = await first.context.newPage();
    await second.goto(rig.fake.url);
    const favourites = (page: Page) => page.getByRole('tab', { name: 'Favourites' });
    await favourites(second).click();
    await first.page
      .getByRole('row', { name: /ETH\/USDT/ })
      .getByRole('button')
      .click();
    await second.getByRole('row', { name: /ETH\/USDT/ }).waitFor();
    await first.page.reload();
    await favourites(first.page).click();
    await first.page.getByRole('row', { name: /ETH\/USDT/ }).waitFor();
    expect(await first.page.getByRole('row', { name: /BTC\/USDT/ }).count()).toBe(0);
    await first.close();
  });

  test.each(['dark', 'light'] as const)(
    'console: blue and orange in place of green and red are kept, and readable, %s',
    async (colorScheme) => {
      const opened = await rig.open('/icon.svg', { bypassCSP: true, colorScheme });
      const { page, context, close } = opened;
      await context.addInitScript(sessionScript());
      await page.goto(`${rig.fake.url}/futures/BTCUSDT`);
      await page.getByRole('button', { name: /^0x/ }).click();
      await page.getByRole('checkbox', { name: /^Blue and orange/ }).check();
      await page.reload();
      await page.getByText(/^Live/).waitFor();
      await page.locator('.ladder .asks [data-price]').first().waitFor();
      const palette = await page.evaluate('document.documentElement.dataset.palette');
      expect(palette).toBe('blue-orange');
      expect(await findViolations(page)).toEqual([]);
      await close();
    },
  );

  test('console: keys choose interval, side, type, field and page, and a switch ends them all', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    const interval = page.getByRole('button', { name: '15m' });
    // The keys work as soon as their code has arrived.
    await expect
      .poll(async () => {
        await page.keyboard.press('3');
        return interval.getAttribute('aria-pressed');
      })
      .toBe('true');
    const ticket = [
      ['s', 'Sell'],
      ['b', 'Buy'],
      ['m', 'Market'],
      ['l', 'Limit'],
      ['6', '1d'],
    ] as const;
    for (const [key, name] of ticket) {
      await page.keyboard.press(key);
      const button = page.getByRole('button', { name, exact: true, pressed: true });
      await button.waitFor();
    }
    await page.keyboard.press('q');
    await page.keyboard.type('0.25');
    const quantity = page.getByRole('textbox', { name: 'Quantity', exact: true });
    expect(await quantity.inputValue()).toBe('0.25');
    await quantity.blur();
    const pages = [
      ['w', '/wallet'],
      ['r', '/referral'],
      ['p', '/points'],
      ['s', '/status'],
    ] as const;
    for (const [key, path] of pages) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(rig.fake.url + path);
    }
    await page.getByRole('button', { name: /^0x/ }).click();
    await page.getByRole('checkbox', { name: /^Keyboard shortcuts/ }).uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/status');
    await close();
  });

  test('console: a wallet that is waiting for its owner is shown as waiting', async () => {
    const { page, context, close } = await rig.open('/icon.svg');
    await context.addInitScript(busyWallet);
    await page.goto(rig.fake.url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Busy wallet' }).click();
    await page.getByText('Your wallet is waiting for your answer.').first().waitFor();
    await page.getByText('LOOK_INTO_WALLET').first().waitFor();
    await close();
  });

  test('console: keys work after a box was ticked, and not while a list is open to choose from', async () => {
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    const sell = page.getByRole('button', { name: 'Sell / Short' });
    const buy = page.getByRole('button', { name: 'Buy / Long' });
    await page.getByLabel('Reduce only').check();
    await page.keyboard.press('s');
    await expect.poll(() => sell.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('combobox', { name: 'Order type' }).focus();
    await page.keyboard.press('b');
    expect(await buy.getAttribute('aria-pressed')).toBe('false');
    await close();
  });

  test.each([
    ['reduce', 'none'],
    ['no-preference', 'flash'],
  ] as const)(
    'console: a changed last price flashes unless reduced motion is requested: %s',
    async (reducedMotion, name) => {
      const { page, close } = await rig.open('/trade/BTCUSDT', { reducedMotion });
      const last = page.locator('.head .last');
      await last.getByText('64,036.64').waitFor();
      const style = (property: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('.head .last')).${property}`,
        );
      expect(await style('animationName')).toBe(name);
      if (name === 'flash') expect(await style('animationDuration')).toBe('0.15s');
      await close();
    },
  );

  test('console: the chart follows another theme and other colors', async () => {
    const candle = { low: '63000', volume: '1', close: '63100', open: '64000', high: '64100' };
    const items = [3, 2, 1, 0].map((minute) => ({
      ...candle,
      open_time: new Date(Date.now() - minute * 60_000).toISOString(),
    }));
    rig.fake.answers.set('GET /api/v1/spot/klines', { status: 200, body: { items } });
    const { page, close } = await rig.open('/trade/BTCUSDT');
    /** How many pixels of the chart have a color of the page. */
    const pixels = (color: string) =>
      page.evaluate<number>(`(() => {
        const wanted = getComputedStyle(document.documentElement).getPropertyValue('--${color}');
        const [r, g, b] = wanted.trim().match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
        let count = 0;
        for (const canvas of document.querySelectorAll('.chart canvas')) {
          if (canvas.width === 0 || canvas.height === 0) continue;
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          for (let at = 0; at < data.length; at += 4)
            if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count += 1;
        }
        return count;
      })()`);
    await expect.poll(() => pixels('down')).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Blue and orange for up and down').check();
    await expect.poll(() => pixels('down')).toBeGreaterThan(20);
    await page.getByLabel('Light theme').click();
    await expect.poll(() => pixels('down')).toBeGreaterThan(20);
    await close();
  });
});
