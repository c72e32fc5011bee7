import { createPublicClient, createTestClient, http } from 'viem';
import { expect, test } from 'vitest';
import { answer, waitMs } from '../support/console-pages.ts';
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

// Signatures that run out under an open page: the development chain's clock is moved past them.

describeConsole('console: signatures that expire', quickClaims, (rig) => {
  /** Moves the chain two hours ahead: every signature made until now has expired. */
  async function letSignaturesExpire(): Promise<void> {
    const reply = await fetch(`${rig.service.url}/api/v1/chain/info`);
    const { rpc_url: url } = (await reply.json()) as { readonly rpc_url: string };
    const chain = createTestClient({ mode: 'anvil', transport: http(url) });
    const { timestamp } = await createPublicClient({ transport: http(url) }).getBlock();
    await chain.setNextBlockTimestamp({ timestamp: timestamp + 7_200n });
    await chain.mine({ blocks: 2 });
  }

  test('console: a withdrawal whose signature expires is given back, and the next one is paid', async () => {
    const { page, wallet, complaints, close } = await openWithWallet(rig, '/wallet');
    await drawTestMoney(page);
    const withdraw = region(page, 'Withdraw');
    const send = withdraw.getByRole('button', { name: 'Send 20 DF' });
    const request = async () => {
      await withdraw.getByRole('textbox', { name: 'Amount' }).fill('20');
      await withdraw.getByRole('button', { name: 'Withdraw' }).click();
      await answer(page, 'Withdraw');
      await send.waitFor();
    };
    const balance = region(page, 'Balances')
      .first()
      .getByRole('row', { name: /Spot DF/ });
    await balance.waitFor();
    const before = await balance.textContent();
    await request();
    wallet.isRefusing = true;
    await send.click();
    await page.getByText('You rejected it in your wallet.').first().waitFor();
    expect(await balance.textContent()).not.toBe(before);

    await letSignaturesExpire();
    const told = 'Your withdrawal of 20 DF has expired; the amount is available again.';
    await page.getByText(told).first().waitFor();
    await send.waitFor({ state: 'detached' });
    const withdrawals = region(page, 'Withdrawals').first();
    await withdrawals.getByText('expired', { exact: true }).waitFor();
    await expect.poll(() => balance.textContent()).toBe(before);

    wallet.isRefusing = false;
    await request();
    await send.click();
    await page.getByText('Your withdrawal of 20 DF is paid.').first().waitFor();
    await withdrawals.getByText('completed', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a claim whose signature expires has failed, and the amount is claimed again', async () => {
    const referrer = await openWithWallet(rig, '/referral');
    const { page, wallet, complaints } = referrer;
    const trader = await tradeUnderCode(rig, await makeCode(page));
    const claims = await waitForCommission(page);
    const claim = claims.getByRole('button', { name: 'Claim', exact: true });
    wallet.isRefusing = true;
    await claim.click();
    await answer(page, 'Claim');
    await page.getByText('You rejected it in your wallet.').first().waitFor();
    await claims.getByRole('button', { name: /^Send .* USDT to your wallet$/ }).waitFor();

    await letSignaturesExpire();
    await page
      .getByText(/^Your claim of .* USDT has failed\.$/)
      .first()
      .waitFor();
    const history = region(page, 'Claims').first();
    await history.getByText('signature expired', { exact: true }).waitFor();
    await expect.poll(() => claim.isEnabled(), { timeout: waitMs }).toBe(true);

    wallet.isRefusing = false;
    await claim.click();
    await answer(page, 'Claim');
    await history.getByText('success', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await trader.close();
    await referrer.close();
  });
});
