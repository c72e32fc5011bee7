import { expect, test } from 'vitest';
import { otherAddress, ownAddress } from '../support/console-answers.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// The owner changes the account in the wallet, under a page that is signed in with it.

const thirdAddress = `0x${'1234'.repeat(10)}`;
const logOut = 'POST /api/v1/auth/logout';

describeFakeConsole('console: accounts of the wallet', (rig) => {
  /** A page after a reload, whose wallet is at some account; null: it is locked. */
  async function openAt(account: string | null) {
    rig.fake.answers.set(logOut, { status: 200, body: { success: true, data: { ok: true } } });
    const opened = await rig.open('/icon.svg');
    const { page, context } = opened;
    const wallet = await injectWallet(context, rig.fake.url);
    wallet.answers.set('eth_accounts', () => (account === null ? [] : [account]));
    await context.addInitScript(
      `${sessionScript()}; localStorage.setItem('wallet', 'test.injected')`,
    );
    const ended: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/auth/logout')) return;
      ended.push(request.headers()['authorization'] ?? '');
    });
    await page.goto(`${rig.fake.url}/trade/BTCUSDT`);
    const orders = page.getByRole('region', { name: /^Open orders/ }).locator('tbody tr');
    await orders.first().waitFor();
    // From here on its events are received.
    await expect.poll(() => wallet.asked).toContain('eth_chainId');
    await expect
      .poll(() => page.evaluate<boolean>("window.isInjectedWalletHeard('accountsChanged')"))
      .toBe(true);
    const change = (accounts: readonly string[]) =>
      page.evaluate(`window.tellInjectedWallet('accountsChanged', ${JSON.stringify(accounts)})`);
    const kept = () =>
      page.evaluate<readonly string[]>(
        "['token', 'address', 'expires_at'].filter((name) => sessionStorage.getItem(name) !== null)",
      );
    return { ...opened, orders, ended, change, kept };
  }

  test.each([
    ['another account', ownAddress, [otherAddress]],
    ['no account, as it was locked', ownAddress, []],
    ['another account, after it was locked', null, [otherAddress]],
    ['a third account, after it was at another', otherAddress, [thirdAddress]],
  ])(
    'console: a wallet that changes to %s ends the session here and on the service',
    async (_name, before, after) => {
      const { page, complaints, orders, ended, change, kept, close } = await openAt(before);
      expect(await kept()).toEqual(['token', 'address', 'expires_at']);
      await change(after);
      await page.getByText('Your wallet shows another account than the one signed in.').waitFor();
      expect(await kept()).toEqual([]);
      await expect.poll(() => ended).toEqual(['Bearer a.b.c']);
      // Nothing of the account that was signed in stays on the page.
      await expect.poll(() => orders.count()).toBe(0);
      const header = page.getByRole('banner');
      await header.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      expect(await page.getByText(/^0x79c8/).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Sign in to trade' }).count()).toBe(1);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each([
    ['the account in capitals', ownAddress, [ownAddress.toUpperCase().replace('X', 'x')]],
    ['the account again', otherAddress, [ownAddress]],
  ])('console: a wallet that changes to %s keeps the session', async (_name, before, after) => {
    const { page, orders, ended, change, kept, close } = await openAt(before);
    await change(after);
    // A change that counts ends it, so the first one was heard before.
    expect(await kept()).toEqual(['token', 'address', 'expires_at']);
    expect(await orders.count()).toBe(1);
    expect(ended).toEqual([]);
    await change([thirdAddress]);
    await page.getByText('Your wallet shows another account than the one signed in.').waitFor();
    await close();
  });
});
