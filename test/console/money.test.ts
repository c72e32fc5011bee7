import { expect, test } from 'vitest';
import { answer, fundPerpWallet, goTo } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';
import {
  drawTestMoney,
  makeCode,
  openWithWallet,
  quickClaims,
  region,
  tradeUnderCode,
  waitForCommission,
} from '../support/console-wallet.ts';

// Money through the page against the development chain, with a wallet that outlives a reload.

describeConsole('console: money', quickClaims, (rig) => {
  test('console: a refusal in the wallet leaves a withdrawal signed; a reload shows its step, and it is paid', async () => {
    const { page, wallet, complaints, close } = await openWithWallet(rig, '/wallet');
    await drawTestMoney(page);
    await region(page, 'Balances').first().getByRole('cell', { name: 'DF' }).waitFor();
    const withdraw = region(page, 'Withdraw');
    await withdraw.getByRole('textbox', { name: 'Amount' }).fill('20');
    await withdraw.getByRole('button', { name: 'Withdraw' }).click();
    await answer(page, 'Withdraw');
    const send = withdraw.getByRole('button', { name: 'Send 20 DF' });
    await send.waitFor();
    wallet.isRefusing = true;
    await send.click();
    await page.getByText('You rejected it in your wallet.').first().waitFor();
    // What is signed and not sent stands above every other page, with its time.
    await goTo(page, 'Points');
    await page.getByText(/20 DF are signed and waiting for you to send them/).waitFor();
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
    const { page, complaints, close } = await openWithWallet(rig, '/wallet');
    await drawTestMoney(page);
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
    const referrer = await openWithWallet(rig, '/referral');
    const trader = await tradeUnderCode(rig, await makeCode(referrer.page));
    const traderAddress = await trader.page.evaluate<string>('sessionStorage.getItem("address")');

    // Earned, settled on the chain, and reported to the open page.
    const { page, complaints } = referrer;
    const claims = await waitForCommission(page);
    await claims.getByRole('button', { name: 'Claim', exact: true }).click();
    await answer(page, 'Claim');
    await region(page, 'Claims').first().getByText('success', { exact: true }).waitFor();
    await page
      .getByText(/^Your claim of .* USDT is paid\.$/)
      .first()
      .waitFor();

    const affiliates = region(page, 'Affiliates').first();
    await affiliates.getByLabel('Trader to promote').fill(traderAddress);
    await affiliates.getByLabel(/^Rate/).fill('0.05');
    await affiliates.getByRole('button', { name: 'Promote' }).click();
    await page.getByText('Promoted.').first().waitFor();
    await affiliates.getByTitle(traderAddress).first().waitFor();
    expect(complaints).toEqual([]);
    expect(trader.complaints).toEqual([]);
    await trader.close();
    await referrer.close();
  });
});
