import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { done, ownAddress } from '../support/console-answers.ts';
import { answer, enterAsOperator } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// What an operator ends or retries after a failure, before the fixed service that has such
// failures: what the page shows of them, and what it sends.

describeFakeConsole('console: failures that an operator ends', (rig) => {
  async function openTab(name: string) {
    const opened = await rig.open('/admin');
    await enterAsOperator(opened.page);
    await opened.page.getByRole('tab', { name }).click();
    return opened;
  }

  /** The body that the next request to the path carries; the fixed service accepts it. */
  function bodyOf(page: Page, path: string): Promise<unknown> {
    rig.fake.answers.set(`POST ${path}`, { status: 200, body: { ok: true } });
    return page
      .waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(path))
      .then((request): unknown => request.postDataJSON());
  }

  test('console: a parked event shows its details, and is resolved by the chosen action', async () => {
    const { page, complaints, close } = await openTab('Money');
    const events = page.getByRole('region', { name: 'Parked events' }).first();
    await events.getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('spot_deposits 7, pending').waitFor();
    await dialog.getByText('contains the event').waitFor();
    await answer(page, 'Close');
    await events.getByRole('button', { name: 'Choose' }).click();
    const form = page.getByRole('region', { name: 'Resolve an event' });
    await form.getByLabel('Action').selectOption('credit_as');
    await form.getByLabel('Token (credit as)').fill('USDT');
    await form.getByLabel('Amount (credit as)').fill('0.001');
    await form.getByLabel('Reason').fill('settled with its owner');
    await form.getByRole('button', { name: 'Resolve' }).click();
    const sent = bodyOf(page, '/api/v1/admin/chain/parked/deposit-7/resolve');
    await answer(page, 'Confirm');
    expect(await sent).toEqual({
      action: 'credit_as',
      reason: 'settled with its owner',
      token: 'USDT',
      amount: '0.001',
    });
    await page.getByText('Done: Resolve event deposit-7: credit as.').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the balances of an account are shown, and written to a file', async () => {
    const { page, close } = await openTab('Users');
    const balances = [{ market: 'spot', token: 'USDT', available: '12.5', locked: '0.25' }];
    const path = `GET /api/v1/admin/users/${ownAddress}`;
    rig.fake.answers.set(path, done({ address: ownAddress, balances }));
    await page.getByRole('button', { name: 'Balances' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: '12.50' }).waitFor();
    await dialog.getByText('All 1.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /^CSV of balances/ }).click(),
    ]);
    const [titles, row] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect([titles, row]).toEqual(['Wallet,Token,Available,Locked', 'spot,USDT,12.5,0.25']);
    await close();
  });

  test('console: the pauses of contracts are listed with how far they are', async () => {
    const { page, complaints, close } = await openTab('Money');
    const pauses = page.getByRole('region', { name: 'Pauses of contracts' }).first();
    await pauses.getByText('spotVault').waitFor();
    await pauses.getByText('sent', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  const noGuardian = { status: 409, body: { error: 'NO_GUARDIAN' } };

  test.each([
    {
      title: 'signing is halted',
      request: 'POST /api/v1/admin/chain/halts',
      form: 'Halt signing',
      box: 'Also pause the contracts',
      button: 'Halt',
      word: 'halt',
      sent: { reason: 'a drill', pause_contract: true },
    },
    {
      title: 'withdrawals are paused',
      request: 'PUT /api/v1/admin/withdrawals/pause',
      form: 'All withdrawals',
      box: 'Also pause the vault contract',
      button: 'Pause all withdrawals',
      word: 'pause',
      sent: { paused: true, pause_contract: true },
    },
  ])('console: contracts are paused as $title, and without a guardian nothing is', async (row) => {
    const { page, close } = await openTab('Money');
    rig.fake.answers.set(row.request, noGuardian);
    const [method = '', path = ''] = row.request.split(' ');
    const form = page.getByRole('region', { name: row.form, exact: true });
    await form.getByLabel(row.box).check();
    if ('reason' in row.sent) await form.getByLabel('Reason').fill(row.sent.reason ?? '');
    await form.getByRole('button', { name: row.button, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/only the council can unpause/).waitFor();
    await dialog.getByRole('textbox').fill(row.word);
    const sent = page.waitForRequest(
      (request) => request.method() === method && request.url().endsWith(path),
    );
    await answer(page, 'Confirm');
    expect((await sent).postDataJSON()).toEqual(row.sent);
    await page
      .getByText('No guardian key that the contracts accept is configured. Nothing was changed.')
      .first()
      .waitFor();
    expect(await page.getByText(/^Done:/).count()).toBe(0);
    await close();
  });

  test('console: a failed claim and a failed settlement are retried', async () => {
    const { page, complaints, close } = await openTab('Claims');
    const claims = page.getByRole('region', { name: 'Claims' }).first();
    await claims.getByRole('button', { name: 'Retry' }).click();
    const claim = 'CLM-20260115-0002';
    const claimed = bodyOf(page, `/api/v1/admin/referral/claims/${claim}/retry`);
    await answer(page, 'Confirm');
    await claimed;
    await page.getByText(`Done: Retry claim ${claim}.`).first().waitFor();
    const failed = page.getByRole('region', { name: 'Failed settlements' }).first();
    const account = `0x${'b5d1'.repeat(10)}`;
    await failed.getByRole('button', { name: 'Retry' }).click();
    const settled = bodyOf(page, '/api/v1/admin/referral/settlements/retry');
    await answer(page, 'Confirm');
    expect(await settled).toEqual({ address: account });
    await page.getByText(`Done: Settle the commission of ${account} again.`).first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
