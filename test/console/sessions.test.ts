import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signInWithTestWallet } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';

// Sessions at the real service, whose tokens live for half a minute.

describeConsole('console: sessions', { settings: { JWT_TTL: '30' } }, (rig) => {
  const tokenOf = (page: Page) => page.evaluate<string>('sessionStorage.getItem("token")');

  async function statusFor(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${rig.service.url}/api/v1/spot/balances`, { headers })).status;
  }

  test('console: a token is renewed on request, and one that expires signs out with the ticket kept', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithTestWallet(page);
    const first = await tokenOf(page);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await expect.poll(() => tokenOf(page)).not.toBe(first);
    const second = await tokenOf(page);
    expect(await statusFor(second)).toBe(200);
    await page.getByRole('textbox', { name: 'Price' }).fill('63000');
    await page.getByText('Your sign-in has ended. Sign in again').first().waitFor();
    await page.getByRole('button', { name: 'Sign in to trade' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('63000');
    await expect.poll(() => statusFor(second)).toBe(401);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: signing out ends the token on the service, and in a second tab of the session', async () => {
    const { page, context, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithTestWallet(page);
    const held = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    const token = await tokenOf(page);
    const other = await context.newPage();
    await other.addInitScript(`Object.assign(sessionStorage, ${held})`);
    await other.goto(`${rig.service.url}/trade/BTCUSDT`);
    const button = { name: /^0x/ };
    await other.getByRole('button', button).waitFor();
    await page.getByRole('button', button).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out.').first().waitFor();
    expect(await statusFor(token)).toBe(401);
    await other.getByText('You signed out in another tab.').waitFor();
    await other.getByRole('button', { name: 'Sign in to trade' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
