import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answer,
  browserOrReason,
  type ConsoleRig,
  enterAsOperator,
  startConsole,
} from '../support/console-pages.ts';
import { testServiceAdminKey } from '../support/test-service.ts';

// Every write of the operator's page in a real browser, and what the page shows of it afterwards.

const program = browserOrReason();
const account = `0x${'ab'.repeat(20)}`;

describe.skipIf(program === null)('console: the operator', () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await startConsole(program ?? '', { settings: { INDEX_PRICE_SOURCE: 'admin' } });
  });
  afterAll(() => rig.close());

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
      await region.getByLabel(new RegExp(`^${label}`)).fill(text);
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
    await answer(page, 'Do it');
    await page.getByText(`${said} Done.`).first().waitFor();
  }

  test('console: markets are created, priced, halted, and delisted by typing their name', async () => {
    const { page, complaints, close } = await openDesk();
    await sendAndSee(
      page,
      'New spot market',
      {
        Market: 'XYZUSDT',
        'Base token': 'XYZ',
        'Quote token': 'USDT',
        Tick: '0.01',
        Lot: '0.01',
        'Least value': '5',
        'Maker fee': '5',
        'Taker fee': '10',
      },
      'The spot market XYZUSDT is created.',
    );
    await sendAndSee(
      page,
      'New perpetual',
      {
        Perpetual: 'XYZUSDT',
        'Base asset': 'XYZ',
        Tick: '0.01',
        Lot: '0.01',
        'Least value': '5',
        'Largest value': '100000',
        'Largest leverage': '20',
        'Maintenance rate': '0.005',
        'Maker fee': '2',
        'Taker fee': '5',
      },
      'The perpetual XYZUSDT is created.',
    );
    await sendAndSee(
      page,
      'Index price of a perpetual',
      { Perpetual: 'XYZUSDT', Price: '12.5' },
      'The index price of XYZUSDT becomes 12.5.',
    );
    const row = page.getByRole('row', { name: /spot XYZUSDT/ });
    await row.getByRole('button', { name: 'Delist' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Do it' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('XYZUSDT');
    await answer(page, 'Do it');
    await row.getByText('delisted', { exact: true }).waitFor();
    // What the service refuses is told with its code, and never as done.
    await send(page, 'New spot market', {});
    await answer(page, 'Do it');
    await page.getByText('There is a market of this name.').first().waitFor();
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
      `250 USDT go to ${account}.`,
    );
    await openTab(page, 'Users');
    await page.getByLabel('A part of the address or name').fill('ABABAB');
    const accounts = page.getByRole('region', { name: 'Accounts' }).first();
    await accounts.getByText(account).first().waitFor();
    await sendAndSee(
      page,
      'VIP tier by hand',
      { Address: account, '0 to 5': '4' },
      `The tier of ${account} is set.`,
    );
    await accounts.getByText('4 by hand').waitFor();
    await accounts.getByRole('button', { name: 'Market maker' }).click();
    await answer(page, 'Do it');
    await accounts.getByRole('button', { name: 'Market maker', pressed: true }).waitFor();
    await accounts.getByRole('button', { name: 'Balances' }).click();
    await page.getByRole('dialog').getByText('250', { exact: true }).waitFor();
    await answer(page, 'Close');
    await sendAndSee(
      page,
      'Referral agent',
      { Address: account, Tier: '3' },
      `The tier of ${account} becomes 3.`,
    );
    const agents = page.getByRole('region', { name: 'Agents' }).first();
    await agents.getByRole('button', { name: 'Suspend' }).click();
    await answer(page, 'Do it');
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
        'Pool, tokens': '500000',
        'Makers’ pool': '100000',
      },
      'The season 1 is created.',
    );
    const seasons = page.getByRole('region', { name: 'Seasons' }).first();
    await seasons.getByRole('button', { name: 'Change' }).click();
    await sendAndSee(page, form, { Label: 'Early spring' }, 'The season 1 is changed.');
    await seasons.getByText('Early spring').waitFor();
    await page.getByRole('button', { name: 'Fill in the present ones' }).click();
    await sendAndSee(
      page,
      'Earn levels',
      { 'Weight of level 5': '130' },
      'All earn levels are changed.',
    );
    const fields = { Address: account, Points: '12.5', Reference: 'launch-1' };
    await sendAndSee(page, 'Credit points', fields, `12.5 points go to ${account}.`);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: withdrawals are paused, signing is halted and cleared, and all is audited', async () => {
    const { page, complaints, close } = await openDesk();
    await openTab(page, 'Money');
    const banner = page.locator('.banner', { hasText: 'Withdrawals are paused.' });
    await page.getByRole('button', { name: 'Pause all withdrawals' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('pause');
    await answer(page, 'Do it');
    await banner.waitFor();
    await page.getByRole('button', { name: 'Let withdrawals go on' }).click();
    await answer(page, 'Do it');
    await banner.waitFor({ state: 'detached' });

    await send(page, 'Halt signing', { Why: 'a drill' });
    await page.getByRole('dialog').getByRole('textbox').fill('halt');
    await answer(page, 'Do it');
    const halts = page.getByRole('region', { name: 'Halts of signing' }).first();
    await halts.getByText('a drill').waitFor();
    const id = (await halts.getByRole('cell').first().textContent()) ?? '';
    const why = { Halt: id, 'Why it may end': 'the drill is over' };
    await sendAndSee(page, 'Clear a halt', why, `The halt ${id} is cleared.`);
    await halts.getByText('None.').waitFor();

    await openTab(page, 'Audit');
    const audit = page.getByRole('region', { name: 'What was administered' });
    await audit.getByText('pause withdrawals').first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of audit' }).click();
    expect((await saved).suggestedFilename()).toBe('audit.csv');
    expect(complaints).toEqual([]);
    await close();
  });
});
