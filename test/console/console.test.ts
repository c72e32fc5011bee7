import { expect, test } from 'vitest';
import { findOverflow, findViolations } from '../support/console-axe.ts';
import { consolePaths, enterAsOperator, goTo, signInWithMoney } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';
import { testServiceAdminKey } from '../support/test-service.ts';

// The console in a real browser against the real service with its demonstration traders.

// As a wallet's extension does (EIP-6963); its owner refuses every question (EIP-1193, 4001).
const announceRefusingWallet = `{
  const provider = { request: async () => { throw { code: 4001, message: 'User rejected' }; } };
  const info = { uuid: '1', name: 'Refusing wallet', icon: '', rdns: 'test.refusing' };
  const detail = Object.freeze({ info, provider });
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
}`;

describeConsole('console in a browser', { isDemo: true }, (rig) => {
  test('console: two clicks and one order make a trade', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(page);
    // The demonstration's traders fill the book a moment after the start.
    await page.locator('.ladder .asks [data-price]').nth(3).waitFor();
    await page.getByRole('button', { name: 'Market', exact: true }).click();
    await page.getByRole('textbox', { name: 'Spend' }).fill('200');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page
      .getByText(/^Bought .* BTCUSDT/)
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'Limit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Price' }).fill('30000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.001');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('tab', { name: 'Open orders 0' }).waitFor();

    await page.getByRole('tab', { name: 'Trades' }).click();
    await page.getByRole('region', { name: 'Own trades' }).getByText('taker').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a deposit, a transfer, a position and its close', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(page);
    await goTo(page, 'Wallet');
    const transfer = page.getByRole('region', { name: 'Transfer', exact: true });
    await transfer.getByRole('textbox', { name: 'Amount' }).fill('5000');
    await transfer.getByRole('button', { name: 'Transfer' }).click();
    await page.getByText('5000 USDT moved.').first().waitFor();

    const deposit = page.getByRole('region', { name: 'Deposit', exact: true });
    await deposit.getByRole('textbox', { name: 'Amount' }).fill('25.5');
    await deposit.getByRole('button', { name: 'Deposit' }).click();
    const deposits = page.getByRole('region', { name: 'Deposits' });
    await deposits.getByText('credited').first().waitFor();

    await goTo(page, 'Futures');
    await page.getByRole('combobox', { name: 'Order type' }).selectOption('MARKET');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.002');
    await page.getByRole('button', { name: /^Buy BTC/ }).click();
    await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await page.getByRole('tab', { name: 'Positions 0' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: an API key shows its secret once, and a referral code is made', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(page);
    await page.goto(`${rig.service.url}/keys`);
    await page.getByRole('textbox', { name: 'Label' }).fill('bot');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const shown = page.locator('[data-test=api-secret]');
    await shown.waitFor();
    await page.keyboard.press('Escape');
    const secret = (await shown.textContent()) ?? '';
    expect(secret).toMatch(/^\w{64}$/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await goTo(page, 'Referral');
    await page.getByRole('button', { name: 'Get a code of your own' }).click();
    await page.locator('[data-test=own-code]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a missing wallet and a refusal have messages of their own', async () => {
    const { page, complaints, close } = await rig.open('/wallet');
    await signInWithMoney(page);
    // A test wallet lives as long as its page; the sign-in as long as the tab.
    await page.reload();
    const deposit = page.getByRole('region', { name: 'Deposit', exact: true });
    await deposit.getByRole('textbox', { name: 'Amount' }).fill('25');
    await deposit.getByRole('button', { name: 'Deposit' }).click();
    await page.getByText('No wallet is connected. Sign in with it first.').first().waitFor();
    await page.getByText('NO_WALLET').first().waitFor();

    await page.getByRole('button', { name: /^0x/ }).click();
    await page.getByText('Signing out takes effect here and on the service at once.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out.').first().waitFor();
    expect(await page.evaluate('sessionStorage.getItem("token")')).toBe(null);
    await page.evaluate(announceRefusingWallet);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Refusing wallet' }).click();
    await page.getByText('You rejected it in your wallet.').first().waitFor();
    await page.getByText('REFUSED_IN_WALLET').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the operator halts a market under an open page, and lists it again', async () => {
    const trader = await rig.open('/trade/ETHUSDT');
    const { page, close } = await rig.open('/admin');
    await enterAsOperator(page, testServiceAdminKey);
    const row = page.getByRole('row', { name: /spot ETHUSDT/ });
    await row.getByRole('button', { name: 'Halt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await trader.page.getByText('ETH/USDT is halted').waitFor();
    await row.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await row.getByText('listed', { exact: true }).waitFor();
    await close();
    await trader.close();
  });

  test.each(['dark', 'light'] as const)(
    'console: axe finds no violation on any page, and none is too wide, %s',
    async (colorScheme) => {
      for (const width of [1440, 360]) {
        const viewport = { width, height: 900 };
        const { page, close } = await rig.open('/trade/BTCUSDT', {
          colorScheme,
          viewport,
          bypassCSP: true,
        });
        await signInWithMoney(page);
        for (const path of consolePaths) {
          await page.goto(rig.service.url + path);
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          expect([path, width, await findViolations(page)]).toEqual([path, width, []]);
          expect([path, width, await findOverflow(page)]).toEqual([path, width, 0]);
        }
        await close();
      }
    },
  );
});
