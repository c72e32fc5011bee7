import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answer,
  browserOrReason,
  type ConsoleRig,
  fundPerpWallet,
  goTo,
  signInWithMoney,
  startConsole,
  waitMs,
} from '../support/console-pages.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// Money through the page against the development chain, with a wallet that outlives a reload.

const program = browserOrReason();

describe.skipIf(program === null)('console: money', () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await startConsole(program ?? '', {
      isDemo: true,
      settings: { MIN_CLAIM_USDT: '0.01', SETTLE_INTERVAL_MS: '1000' },
    });
  });
  afterAll(() => rig.close());

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  /** Signs in with an injected wallet, whose message is shown first, and draws test money. */
  async function openWithWallet(path: string) {
    const opened = await rig.open('/status');
    const { page, context } = opened;
    const wallet = await injectWallet(context, rig.service.url);
    await page.goto(rig.service.url + path);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Injected wallet' }).click();
    await page.getByRole('dialog').getByText('wants you to sign in').waitFor();
    await answer(page, 'Sign in wallet');
    await page.getByRole('button', { name: /^0x/ }).waitFor();
    return { ...opened, wallet };
  }

  test('console: a refusal in the wallet leaves a withdrawal signed; a reload shows its step, and it is paid', async () => {
    const { page, wallet, complaints, close } = await openWithWallet('/wallet');
    await page.getByRole('button', { name: 'Get test money' }).click();
    await page.getByText('10000 USDT of test money are yours.').first().waitFor();
    await region(page, 'Balances').first().getByRole('cell', { name: 'DF' }).waitFor();
    const withdraw = region(page, 'Withdraw');
    await withdraw.getByRole('textbox', { name: 'Amount' }).fill('20');
    await withdraw.getByRole('button', { name: 'Withdraw' }).click();
    await answer(page, 'Withdraw');
    const send = withdraw.getByRole('button', { name: 'Send 20 DF' });
    await send.waitFor();
    wallet.isRefusing = true;
    await send.click();
    await page.getByText('You refused it in your wallet.').first().waitFor();
    // What is signed and not sent stands above every other page, with its time.
    await goTo(page, 'Points');
    await page.getByText(/20 DF are signed for you and wait to be sent/).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'To the wallet' }).click();
    wallet.isRefusing = false;
    await send.click();
    await page.getByText('The release is on the chain.').first().waitFor();
    await page.getByText('Your withdrawal of 20 DF is paid.').first().waitFor();
    await region(page, 'Withdrawals').getByText('completed').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a perp withdrawal is requested, canceled, confirmed after a reload, and paid', async () => {
    const { page, complaints, close } = await openWithWallet('/wallet');
    await page.getByRole('button', { name: 'Get test money' }).click();
    await page.getByText('10000 USDT of test money are yours.').first().waitFor();
    await fundPerpWallet(page, '500');
    const panel = region(page, 'Withdraw from the perp wallet');
    const ask = async (amount: string) => {
      await panel.getByRole('textbox', { name: 'Amount' }).fill(amount);
      await panel.getByRole('button', { name: 'Set aside' }).click();
      await panel.getByRole('button', { name: `Confirm ${amount} USDT` }).waitFor();
    };
    await ask('30');
    await panel.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('The withdrawal is canceled').first().waitFor();
    await ask('40');
    await page.reload();
    await panel.getByRole('button', { name: 'Confirm 40 USDT' }).click();
    await answer(page, 'Confirm');
    await panel.getByText(/^Signed, 5\d:\d\d left$/).waitFor();
    await panel.getByRole('button', { name: 'Send 40 USDT' }).click();
    await page.getByText('Your withdrawal of 40 USDT is paid.').first().waitFor();
    const history = region(page, 'Perp withdrawals').first();
    await history.getByText('completed').first().waitFor();
    await history.getByText('canceled').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a bound trader earns its referrer commission, which is claimed to the end', async () => {
    const referrer = await openWithWallet('/referral');
    await referrer.page.getByRole('button', { name: 'Get a code of your own' }).click();
    const code = (await referrer.page.locator('[data-test=own-code]').textContent()) ?? '';

    const trader = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(trader.page);
    const traderAddress = await trader.page.evaluate<string>('sessionStorage.getItem("address")');
    await goTo(trader.page, 'Referral');
    await trader.page.getByLabel('Code of your referrer').fill(code);
    await trader.page.getByRole('button', { name: 'Bind' }).click();
    await trader.page.getByText('You are bound to the owner of this code.').first().waitFor();
    // Only who has a code can be promoted.
    await trader.page.getByRole('button', { name: 'Get a code of your own' }).click();
    await trader.page.locator('[data-test=own-code]').waitFor();
    await goTo(trader.page, 'Trade');
    await trader.page.locator('.ladder .asks [data-price]').nth(3).waitFor();
    await trader.page.getByRole('button', { name: 'Market', exact: true }).click();
    await trader.page.getByRole('textbox', { name: 'Spend' }).fill('400');
    await trader.page.getByRole('button', { name: 'Buy BTC' }).click();
    await trader.page
      .getByText(/^Bought .* BTCUSDT/)
      .first()
      .waitFor();

    // Earned, settled on the chain, and told to the open page.
    const { page, complaints } = referrer;
    const claims = region(page, 'Claim');
    const claimable = claims.locator('dd').first();
    await expect.poll(() => claimable.textContent(), { timeout: waitMs }).toMatch(/0\.\d*[1-9]/);
    await claims.getByRole('button', { name: 'Claim', exact: true }).click();
    await answer(page, 'Claim');
    await claims.getByText('success').first().waitFor();
    await page
      .getByText(/^Your claim of .* USDT is paid\.$/)
      .first()
      .waitFor();

    const affiliates = region(page, 'Affiliates').first();
    await affiliates.getByLabel('Trader to promote').fill(traderAddress);
    await affiliates.getByLabel(/^Rate/).fill('0.05');
    await affiliates.getByRole('button', { name: 'Promote' }).click();
    await page.getByText('Promoted.').first().waitFor();
    await affiliates.getByText(traderAddress).first().waitFor();
    expect(complaints).toEqual([]);
    expect(trader.complaints).toEqual([]);
    await trader.close();
    await referrer.close();
  });
});
