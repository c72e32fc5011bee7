import { expect, test } from 'vitest';
import { otherAddress, ownAddress } from '../support/console-answers.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { answer, readClipboard } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { region } from '../support/console-wallet.ts';

// The referral page before fixed data: the code's link, filters, rates, and a claim in progress.

const ok = { status: 200, body: { ok: true } };

describeFakeConsole('console: referral', (rig) => {
  test('console: the link of a code is copied, and opening it fills the code in', async () => {
    const { page, close } = await rig.openSignedIn('/referral');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The link is copied.').first().waitFor();
    const link = `${rig.fake.url}/referral?code=SATOSHI_21`;
    await expect.poll(() => readClipboard(page)).toBe(link);
    const status = { address: ownAddress, code: null, is_bound: false, referred_users: 0 };
    rig.fake.answers.set('GET /api/v1/referral/status', { status: 200, body: status });
    await page.goto(link);
    const field = page.getByLabel('Code of your referrer');
    await expect.poll(() => field.inputValue()).toBe('SATOSHI_21');
    await close();
  });

  test('console: a bound trader unbinds after a question', async () => {
    rig.fake.answers.set('POST /api/v1/referral/unbind', ok);
    const { page, close } = await rig.openSignedIn('/referral');
    await page.getByRole('button', { name: 'Unbind' }).click();
    const sent = page.waitForRequest((request) => request.url().endsWith('/unbind'));
    await answer(page, 'Unbind');
    await sent;
    await page.getByText('You have no referrer.').first().waitFor();
    await close();
  });

  test('console: traders are selected by business, time and address', async () => {
    const { page, close } = await rig.openSignedIn('/referral');
    const traders = region(page, 'Traders').first();
    await traders.getByLabel('Commission of').selectOption('futures');
    await traders.getByLabel('Earned in').selectOption('7d');
    const asked = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url());
      return pathname.endsWith('/referral/traders') && searchParams.get('q') === 'abc';
    });
    await traders.getByLabel('Part of the address').fill('abc');
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('biz'), searchParams.get('time')]).toEqual(['futures', '7d']);
    await close();
  });

  test('console: an affiliate’s rate is changed', async () => {
    rig.fake.answers.set(`PUT /api/v1/referral/affiliates/${otherAddress}`, ok);
    const { page, close } = await rig.openSignedIn('/referral');
    const affiliates = region(page, 'Affiliates').first();
    await affiliates.getByRole('button', { name: 'Change rate' }).click();
    await affiliates.getByLabel(/^Rate/).fill('0.1');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await affiliates.getByRole('button', { name: 'Set the rate' }).click();
    expect((await sent).postDataJSON()).toEqual({ sub_rate: '0.1' });
    await page.getByText('The rate is changed').first().waitFor();
    await close();
  });

  test('console: a claim that was sent shows its transaction after a reload, and is not sent twice', async () => {
    const claim = {
      claim_no: 'CLM-1',
      amount: '13.97',
      status: 'processing',
      tx_hash: null,
      failure_reason: null,
      applied_at: '2026-01-15T11:48:20.000Z',
      finished_at: null,
    };
    const body = { items: [claim], total: 1, page: 1, page_size: 20 };
    rig.fake.answers.set('GET /api/v1/referral/claims', { status: 200, body });
    const deadline = Math.floor(Date.now() / 1000) + 3_500;
    const signed = {
      amount: '1',
      nonce: 0,
      deadline,
      signature: '0x',
      contract_address: ownAddress,
    };
    rig.fake.answers.set('GET /api/v1/referral/claims/CLM-1/signature', {
      status: 200,
      body: signed,
    });
    const { page, context, close } = await rig.open('/icon.svg');
    await context.addInitScript(sessionScript());
    await page.goto(`${rig.fake.url}/referral`);
    const panel = region(page, 'Claim');
    const present = panel.locator('[aria-current=step]');
    await expect
      .poll(() => present.textContent())
      .toMatch(/^Send from your wallet \(5\d:\d\d left\)$/);
    expect(await panel.getByText(/minutes are left/).count()).toBe(0);
    const soon = { ...signed, deadline: Math.floor(Date.now() / 1000) + 500 };
    rig.fake.answers.set('GET /api/v1/referral/claims/CLM-1/signature', {
      status: 200,
      body: soon,
    });
    await page.reload();
    // Announced once by a live region, and not with every second of the countdown.
    const said = panel.getByRole('status').getByText('Less than ten minutes left.');
    await said.waitFor({ state: 'attached' });
    const kept = JSON.stringify([{ purpose: 'claim CLM-1', hash: '0xabcd' }]);
    await page.evaluate(`localStorage.setItem('transactions', '${kept}')`);
    await page.reload();
    await expect.poll(() => present.textContent()).toBe('Seen on the chain');
    await panel.getByText('0xabcd').waitFor();
    expect(await panel.getByRole('button', { name: /^Send .* USDT/ }).count()).toBe(0);
    await close();
  });

  test('console: what the chain says is compared with what the service has counted', async () => {
    const { page, close } = await rig.openSignedIn('/referral');
    const chain = region(page, 'On chain');
    await chain.getByText('the service agrees').waitFor();
    await chain.getByText('may write to the register').waitFor();
    await close();
  });
});
