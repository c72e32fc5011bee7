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
    'console: blue and orange in the place of green and red are kept, and readable, %s',
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
    // The keys work from the moment on at which their code has arrived.
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

  test('console: a wallet that is waiting for its owner is named so', async () => {
    const { page, context, close } = await rig.open('/icon.svg');
    await context.addInitScript(busyWallet);
    await page.goto(rig.fake.url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Busy wallet' }).click();
    await page.getByText('Your wallet is waiting for your answer.').first().waitFor();
    await page.getByText('LOOK_INTO_WALLET').first().waitFor();
    await close();
  });
});
