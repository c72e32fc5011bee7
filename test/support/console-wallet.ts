import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  answer,
  type ConsoleRig,
  goTo,
  type OpenedPage,
  type RigOptions,
  signInWithMoney,
  waitMs,
} from './console-pages.ts';
import {
  type InjectedWallet,
  type InjectedWalletOptions,
  injectWallet,
} from './injected-wallet.ts';

// What people do on the page with a wallet that outlives a reload.

/** A service whose commission can be claimed, however little it is, a second after a trade. */
export const quickClaims: RigOptions = {
  isDemo: true,
  settings: { MIN_CLAIM_USDT: '0.01', SETTLE_INTERVAL_MS: '1000' },
};

/** A part of a page by its heading. */
export function region(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** Signs in with an injected wallet, whose message is shown first. */
export async function openWithWallet(
  rig: ConsoleRig,
  path: string,
  options?: InjectedWalletOptions,
): Promise<OpenedPage & { readonly wallet: InjectedWallet }> {
  const opened = await rig.open('/status');
  const { page, context } = opened;
  const wallet = await injectWallet(context, rig.service.url, options);
  await page.goto(rig.service.url + path);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Injected wallet' }).click();
  await page.getByRole('dialog').getByText('wants you to sign in').waitFor();
  await answer(page, 'Sign in wallet');
  await page.getByRole('button', { name: /^0x/ }).waitFor();
  return { ...opened, wallet };
}

/** Draws test money on the wallet's page. */
export async function drawTestMoney(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get test money' }).click();
  await page.getByText('You have 10000 USDT of test money.').first().waitFor();
}

/** A trader who gets a code, is bound to another account's code, and buys at the market. */
export async function tradeUnderCode(rig: ConsoleRig, code: string): Promise<OpenedPage> {
  const trader = await rig.open('/trade/BTCUSDT');
  const { page } = trader;
  await signInWithMoney(page);
  await goTo(page, 'Referral');
  await page.getByLabel('Code of your referrer').fill(code);
  await page.getByRole('button', { name: 'Bind' }).click();
  await page.getByText('You are bound to the owner of this code.').first().waitFor();
  // Only an account with a code can be promoted.
  await page.getByRole('button', { name: 'Get a code of your own' }).click();
  await page.locator('[data-test=own-code]').waitFor();
  await goTo(page, 'Trade');
  await page.locator('.ladder .asks [data-price]').nth(3).waitFor();
  await page.getByRole('button', { name: 'Market', exact: true }).click();
  await page.getByRole('textbox', { name: 'Spend' }).fill('400');
  await page.getByRole('button', { name: 'Buy BTC' }).click();
  await page
    .getByText(/^Bought .* BTCUSDT/)
    .first()
    .waitFor();
  return trader;
}

/** Waits on the referral page until commission is settled on the chain; returns the panel. */
export async function waitForCommission(page: Page) {
  const claims = region(page, 'Claim');
  const claimable = claims.locator('dd [title]').first();
  await expect
    .poll(() => claimable.getAttribute('title'), { timeout: waitMs })
    .toMatch(/0\.\d*[1-9]/);
  return claims;
}

/** Makes the referral code of the account that is signed in. */
export async function makeCode(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Get a code of your own' }).click();
  return (await page.locator('[data-test=own-code]').textContent()) ?? '';
}
