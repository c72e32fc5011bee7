import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answer, enterAsOperator } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';
import { testServiceAdminKey } from '../support/test-service.ts';

// Every write of the operator's page in a real browser, and what the page shows of it afterwards.

const account = `0x${'ab'.repeat(20)}`;

describeConsole('console: the operator', { settings: { INDEX_PRICE_SOURCE: 'admin' } }, (rig) => {
  async function openDesk() {
    const opened = await rig.open('/admin');
    await enterAsOperator(opened.page, testServiceAdminKey);
    return opened;
  }

  const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

  /** Fills a form in, sends it, and says yes. */
  async function send(page: Page, form: string, fields: Readonly<Record<string, string>>) {
    const region = page.getByRole('region', { name: form, exact: true });
    for (const [label, text] of Object.entries(fields)) {
      const field = region.getByLabel(new RegExp(`^${label}`));
      const isSelect = (await field.getAttribute('spellcheck')) === null;
      await (isSelect ? field.selectOption(text) : field.fill(text));
    }
    await region.locator('button[type=submit]').click();
  }

  async function sendAndSee(
    page: Page,
    form: string,
    fields: Readonly<Record<string, string>>,
    said: string,
  ) {
    await send(page, form, fields);
    await answer(page, 'Confirm');
    await page.getByText(`Done: ${said}`).first().waitFor();
  }

  test('console: markets are created, priced, halted, and delisted by typing their name', async () => {
    const { page, complaints, close } = await openDesk();
    await sendAndSee(
      page,
      'New spot market',
      {
        Symbol: 'XYZUSDT',
        'Base token': 'XYZ',
        'Quote token': 'USDT',
        Tick: '0.01',
        Lot: '0.01',
        'Minimum order': '5',
        'Maker fee': '5',
        'Taker fee': '10',
      },
      'Create the spot market XYZUSDT.',
    );
    await sendAndSee(
      page,
      'New perpetual',
      {
        Symbol: 'XYZUSDT',
        'Base asset': 'XYZ',
        Tick: '0.01',
        Lot: '0.01',
        'Minimum order': '5',
        'Maximum order': '100000',
        'Maximum leverage': '20',
        'Maintenance margin': '0.005',
        'Maker fee': '2',
        'Taker fee': '5',
      },
      'Create the perpetual XYZUSDT.',
    );
    await sendAndSee(
      page,
      'Index price of a perpetual',
      { Perpetual: 'XYZUSDT', Price: '12.5' },
      'Set the index price of XYZUSDT to 12.5.',
    );
    const row = page.getByRole('row', { name: /spot XYZUSDT/ });
    await row.getByRole('button', { name: 'Delist' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('XYZUSDT');
    await answer(page, 'Confirm');
    await row.getByText('delisted', { exact: true }).waitFor();
    // What the service refuses is shown with its code, and never as done.
    await send(page, 'New spot market', {});
    await answer(page, 'Confirm');
    await page.getByText('A market with this name already exists.').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: accounts are found, and become VIPs, market makers and agents', async () => {
    const { page, complaints, close } = await openDesk();
    await openTab(page, 'Money');
    await sendAndSee(
      page,
      'Test credit',
      { Address: account, Token: 'USDT', Amount: '250' },
      `Credit 250 USDT to ${account}.`,
    );
    await openTab(page, 'Users');
    await page.getByLabel('Address or name contains').fill('ABABAB');
    const accounts = page.getByRole('region', { name: 'Accounts' }).first();
    await accounts.getByText(account).first().waitFor();
    await sendAndSee(
      page,
      'VIP tier override',
      { Address: account, Tier: '4' },
      `Set the VIP tier of ${account} to 4.`,
    );
    await accounts.getByText('4 override').waitFor();
    await accounts.getByRole('button', { name: 'Market maker' }).click();
    await answer(page, 'Confirm');
    await accounts.getByRole('button', { name: 'Market maker', pressed: true }).waitFor();
    await accounts.getByRole('button', { name: 'Balances' }).click();
    await page.getByRole('dialog').getByText('250.00', { exact: true }).waitFor();
    await answer(page, 'Close');
    await sendAndSee(
      page,
      'Referral agent',
      { Address: account, Tier: '3' },
      `Set the tier of ${account} to 3.`,
    );
    const agents = page.getByRole('region', { name: 'Referral agents' }).first();
    await agents.getByRole('button', { name: 'Suspend' }).click();
    await answer(page, 'Confirm');
    await agents.getByText('suspended').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a season is created and changed, levels are saved, points credited once', async () => {
    const { page, complaints, close } = await openDesk();
    await openTab(page, 'Points');
    const form = 'Create or change a season';
    await sendAndSee(
      page,
      form,
      {
        Number: '1',
        Label: 'Spring',
        'First epoch': '1000',
        'Last epoch': '1003',
        'User pool': '500000',
        'Market maker pool': '100000',
      },
      'Create season 1.',
    );
    const seasons = page.getByRole('region', { name: 'Seasons' }).first();
    await seasons.getByRole('button', { name: 'Change' }).click();
    await sendAndSee(page, form, { Label: 'Early spring' }, 'Change season 1.');
    await seasons.getByText('Early spring').waitFor();
    await page.getByRole('button', { name: 'Fill in the current values' }).click();
    await sendAndSee(
      page,
      'Earn levels',
      { 'Weight of level 5': '130' },
      'Change all earn levels.',
    );
    const fields = { Address: account, Points: '12.5', Reference: 'launch-1' };
    await sendAndSee(page, 'Credit points', fields, `Credit 12.5 points to ${account}.`);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the insurance fund is topped up, and perp withdrawals are held and released', async () => {
    const { page, complaints, close } = await openDesk();
    await openTab(page, 'Money');
    const fund = page.getByRole('region', { name: 'Insurance fund', exact: true });
    await fund.getByText('Accounts in liquidation').waitFor();
    await fund.getByRole('button', { name: 'Hold perp withdrawals' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('hold');
    await answer(page, 'Confirm');
    await fund.getByText('held', { exact: true }).waitFor();
    await fund.getByRole('button', { name: 'Release perp withdrawals' }).click();
    await answer(page, 'Confirm');
    await fund.getByText(/^gated until /).waitFor();
    const form = 'Top up the insurance fund';
    const fields = { Amount: '25', Source: 'treasury', Reason: 'a drill', Reference: 'drill-1' };
    await sendAndSee(page, form, fields, 'Top up the insurance fund with 25 USDT from treasury.');
    await fund.getByText('25.00 USDT', { exact: true }).first().waitFor();
    // No fees were taken that the fund could be topped up from.
    await send(page, form, { ...fields, Source: 'fees', Reference: 'drill-2' });
    await answer(page, 'Confirm');
    await page.getByText('INSUFFICIENT_BALANCE').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: withdrawals are paused, signing is halted and cleared, and all is audited', async () => {
    const { page, complaints, close } = await openDesk();
    await openTab(page, 'Money');
    const banner = page.locator('.banner', { hasText: 'Withdrawals are paused.' });
    await page.getByRole('button', { name: 'Pause all withdrawals' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('pause');
    await answer(page, 'Confirm');
    await banner.waitFor();
    await page.getByRole('button', { name: 'Resume withdrawals' }).click();
    await answer(page, 'Confirm');
    await banner.waitFor({ state: 'detached' });

    await send(page, 'Halt signing', { Reason: 'a drill' });
    await page.getByRole('dialog').getByRole('textbox').fill('halt');
    await answer(page, 'Confirm');
    const halts = page.getByRole('region', { name: 'Halts of signing' }).first();
    await halts.getByText('a drill').waitFor();
    const id = (await halts.getByRole('cell').first().textContent()) ?? '';
    const why = { Halt: id, Reason: 'the drill is over' };
    await sendAndSee(page, 'Clear a halt', why, `Clear halt ${id}.`);
    await halts.getByText('No halts.').waitFor();

    await sendAndSee(
      page,
      'Pause an asset, an account or deposits',
      { Scope: 'asset', Token: 'DF', Reason: 'the token is being migrated' },
      'Pause asset DF.',
    );
    const pauses = page.getByRole('region', { name: 'Pauses' }).first();
    await pauses.getByText('asset DF').waitFor();
    const pause = (await pauses.getByRole('cell').first().textContent()) ?? '';
    const lift = { Pause: pause, Reason: 'it has moved' };
    await sendAndSee(page, 'Lift a pause', lift, `Lift pause ${pause}.`);
    await pauses.getByText('No pauses.').waitFor();

    await openTab(page, 'Audit');
    const audit = page.getByRole('region', { name: 'Audit log' });
    await audit.getByText('pause withdrawals').first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of audit' }).click();
    expect((await saved).suggestedFilename()).toBe('audit.csv');
    expect(complaints).toEqual([]);
    await close();
  });
});
