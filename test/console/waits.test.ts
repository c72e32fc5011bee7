import { expect, test } from 'vitest';
import { ownAddress } from '../support/console-answers.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { answer, goTo } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// What a page shows while someone else has to do something first: the service, which asks it to
// wait; the wallet, which is elsewhere; people, who look at a withdrawal.

const chainId = 31_337;

describeFakeConsole('console: waits', (rig) => {
  test('console: after 429 the button counts Retry-After down, and then sends again', async () => {
    rig.fake.answers.set('POST /api/v1/spot/orders', {
      status: 429,
      body: { error: 'RATE_LIMITED' },
      headers: { 'retry-after': '3' },
    });
    const { page, complaints, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('textbox', { name: 'Price' }).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.01');
    const buy = page.getByRole('button', { name: 'Buy BTC' });
    await buy.click();
    await page.getByText('RATE_LIMITED · fixed-request-id').first().waitFor();
    const order = page.getByRole('region', { name: 'Order', exact: true });
    const waiting = order.getByRole('button', { name: /^Wait [1-3] s$/ });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    const body = { order_id: '1', status: 'new', filled_quantity: '0' };
    rig.fake.answers.set('POST /api/v1/spot/orders', { status: 200, body });
    await expect.poll(() => buy.isEnabled()).toBe(true);
    await buy.click();
    await page
      .getByText(/in the book/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: after 429 everything that sends a request waits, on every page, and then works', async () => {
    const limited = (seconds: string) => ({
      status: 429,
      body: { error: 'RATE_LIMITED' },
      headers: { 'retry-after': seconds },
    });
    rig.fake.answers.set('POST /api/v1/spot/transfer', limited('6'));
    const { page, complaints, close } = await rig.openSignedIn('/wallet');
    const transfer = page.getByRole('region', { name: 'Transfer', exact: true });
    await transfer.getByRole('textbox', { name: 'Amount' }).fill('20');
    await transfer.getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByText('RATE_LIMITED · fixed-request-id').first().waitFor();
    const waiting = page.getByRole('button', { name: /^Wait \d+ s$/ });
    for (const title of ['Transfer', 'Withdraw', 'Deposit', 'Deposits']) {
      const button = page.getByRole('region', { name: title, exact: true }).locator(waiting);
      expect(await button.first().isDisabled()).toBe(true);
    }
    await goTo(page, 'Points');
    await waiting.first().waitFor();
    // Nobody has to watch the clock: the same buttons work again.
    await waiting.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'CSV of earn levels' }).waitFor();

    rig.fake.answers.set('GET /api/v1/points/seasons', limited('2'));
    await page.reload();
    const seasons = page.getByRole('region', { name: 'Seasons' }).first();
    await seasons.getByText('RATE_LIMITED').waitFor();
    await seasons.locator(waiting).first().waitFor();
    rig.fake.answers.clear();
    await seasons.getByRole('button', { name: 'Try again' }).click();
    await seasons.getByText('1 Season 1').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a wallet on another network is reported, trading continues, and one press switches it', async () => {
    const opened = await rig.open('/status');
    const { page, context, complaints, close } = opened;
    const wallet = await injectWallet(context, rig.fake.url);
    wallet.chainId = 5;
    const message = [
      `${new URL(rig.fake.url).host} wants you to sign in with your Ethereum account:`,
      wallet.address,
      '',
      'Sign in.',
      '',
      `URI: ${rig.fake.url}`,
      'Version: 1',
      `Chain ID: ${chainId}`,
      'Nonce: abcdefgh12345678',
    ].join('\n');
    const expires = new Date(Date.now() + 86_000_000).toISOString();
    const reply = (data: unknown) => ({ status: 200, body: { success: true, data } });
    rig.fake.answers.set(
      'POST /api/v1/auth/nonce',
      reply({ nonce: '', message, expires_at: expires }),
    );
    const session = { token: 'a.b.c', address: wallet.address, expires_at: expires };
    rig.fake.answers.set('POST /api/v1/auth/login', reply(session));
    await page.goto(`${rig.fake.url}/trade/BTCUSDT`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Injected wallet' }).click();
    await answer(page, 'Sign in wallet');
    const banner = page.locator('.banner', { hasText: 'Your wallet is on chain 5' });
    await banner.waitFor();
    await page.getByRole('textbox', { name: 'Price' }).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.01');
    expect(await page.getByRole('button', { name: 'Buy BTC' }).isEnabled()).toBe(true);
    await banner.getByRole('button', { name: 'Switch network' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(wallet.asked).toContain('wallet_switchEthereumChain');
    // The owner changes it in the wallet itself.
    await page.evaluate("window.tellInjectedWallet('chainChanged', '0x5')");
    await banner.waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  const item = {
    id: '5f0d6c2e-8f39-4f6c-9d1c-0c1f5d3f2a11',
    token: 'DF',
    amount: '20',
    raw_amount: '20000000000000000000',
    nonce: null,
    deadline: null,
    signature: null,
    contract_address: ownAddress,
    chain_id: chainId,
    tx_hash: null,
    created_at: '2026-01-15T11:48:20.000Z',
    finished_at: null,
  };
  const path = `/api/v1/spot/withdrawals/${item.id}/sign`;

  /** What the service says of the withdrawal from now on. */
  function setStatus(more: Readonly<Record<string, unknown>>): void {
    const body = { items: [{ ...item, ...more }], next_cursor: null };
    rig.fake.answers.set('GET /api/v1/spot/withdrawals', { status: 200, body });
    rig.fake.tell({
      type: 'update',
      channel: 'wallet',
      seq: 2,
      ts: Date.now(),
      data: [{ event: 'withdrawal', ...more }],
    });
  }

  test('console: a withdrawal in review, approved, signed and queued shows its step', async () => {
    rig.fake.answers.set('POST /api/v1/spot/withdraw/request', {
      status: 200,
      body: { ...item, status: 'review' },
    });
    rig.fake.answers.set('GET /api/v1/spot/withdrawals', {
      status: 200,
      body: { items: [], next_cursor: null },
    });
    const { page, complaints, close } = await rig.openSignedIn('/wallet');
    const panel = page.getByRole('region', { name: 'Withdraw', exact: true });
    const step = (text: string | RegExp) =>
      panel.locator('[aria-current=step]', { hasText: text }).waitFor();
    await panel.getByRole('textbox', { name: 'Amount' }).fill('20');
    await panel.getByRole('button', { name: 'Withdraw', exact: true }).click();
    setStatus({ status: 'review' });
    await answer(page, 'Withdraw');
    await page
      .getByText(/Two people review this withdrawal first/)
      .first()
      .waitFor();
    expect(await page.getByText('The withdrawal is signed.').count()).toBe(0);
    await step('Review by two people');
    setStatus({ status: 'approved' });
    await step('Request signature');
    await page.goto(`${rig.fake.url}/points`);
    await page.getByText('20 DF are approved and ready for signing.').waitFor();
    await page.getByRole('link', { name: 'To the wallet' }).click();
    const signed = { status: 'signed', nonce: 0, deadline: Math.floor(Date.now() / 1000) + 3_540 };
    rig.fake.answers.set(`POST ${path}`, { status: 200, body: { ...item, ...signed } });
    const sent = page.waitForRequest((request) => request.url().endsWith(path));
    const body = { items: [{ ...item, ...signed }], next_cursor: null };
    await panel.getByRole('button', { name: 'Request signature for 20 DF' }).waitFor();
    rig.fake.answers.set('GET /api/v1/spot/withdrawals', { status: 200, body });
    await panel.getByRole('button', { name: 'Request signature for 20 DF' }).click();
    await sent;
    await step('Send from your wallet');
    setStatus({ status: 'queued', payable_at: 1_900_000_000 });
    await step(/^Payment by the vault from .* on$/);
    expect(complaints).toEqual([]);
    await close();
  });

  /** A tab that is signed in, whose wallet sends and finds what the test says. */
  async function openWithChain() {
    const opened = await rig.open('/icon.svg');
    const wallet = await injectWallet(opened.context, rig.fake.url);
    const receipts = new Map<string, object>();
    const sent: string[] = [];
    wallet.chainId = chainId;
    wallet.answers.set('eth_accounts', () => [ownAddress]);
    // Six decimals, and no allowance for the vault.
    wallet.answers.set('eth_call', ([call]) =>
      (call as { data: string }).data === '0x313ce567' ? '0x6' : '0x0',
    );
    wallet.answers.set('eth_sendTransaction', () => {
      sent.push(`0x${String(sent.length + 1).repeat(64)}`);
      return sent.at(-1);
    });
    wallet.answers.set('eth_getTransactionReceipt', ([hash]) => receipts.get(String(hash)) ?? null);
    await opened.context.addInitScript(
      `${sessionScript()}; localStorage.setItem('wallet', 'test.injected')`,
    );
    await opened.page.goto(`${rig.fake.url}/wallet`);
    await opened.page.getByText('Injected wallet, network: chain 31337').waitFor();
    return { ...opened, receipts, sent };
  }

  const mined = { status: '0x1' };
  const hashOf = (number: number): string => `0x${String(number).repeat(64)}`;

  test('console: a reload lands on the same step of a deposit, and its transaction is looked up again', async () => {
    const { page, receipts, sent, complaints, close } = await openWithChain();
    const panel = page.getByRole('region', { name: 'Deposit', exact: true });
    const step = (text: string) =>
      panel.locator('[aria-current=step]', { hasText: text }).waitFor();
    const amount = panel.getByRole('textbox', { name: 'Amount' });
    await amount.fill('25');
    await panel.getByRole('button', { name: 'Deposit' }).click();
    await step('Approve the vault');
    // A reload finds a transaction from the moment the page shows it, not before.
    await panel.getByText(hashOf(1)).waitFor();
    await page.reload();
    await step('Approve the vault');
    expect(await amount.inputValue()).toBe('25');
    receipts.set(hashOf(1), mined);
    await step('Deposit');
    await panel.getByRole('button', { name: 'Deposit' }).click();
    await expect.poll(() => sent.length).toBe(2);
    receipts.set(hashOf(2), mined);
    await expect.poll(() => sent.length).toBe(3);
    await step('Confirmed on the chain');
    await page.reload();
    await step('Confirmed on the chain');
    await panel.getByText(hashOf(3)).waitFor();
    receipts.set(hashOf(3), mined);
    await step('Credited');
    const seen = { number: 0, token: 'USDT', token_address: ownAddress, amount: '25' };
    const credit = { raw_amount: '25', tx_hash: hashOf(3), status: 'credited' };
    const at = { created_at: item.created_at, credited_at: item.created_at };
    const body = { items: [{ ...seen, ...credit, ...at }], next_cursor: null };
    rig.fake.answers.set('GET /api/v1/spot/deposits', { status: 200, body });
    const data = [{ event: 'deposit', status: 'credited', token: 'USDT', amount: '25' }];
    rig.fake.tell({ type: 'update', channel: 'wallet', seq: 2, ts: Date.now(), data });
    await expect.poll(() => panel.locator('li.done').count()).toBe(4);
    await page.reload();
    await page.getByText('Injected wallet, network').waitFor();
    expect(await panel.locator('li.done').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a release that was sent is looked up again after a reload, and is not sent twice', async () => {
    const deadline = Math.floor(Date.now() / 1000) + 3_540;
    setStatus({ status: 'signed', nonce: 0, deadline, signature: '0x00' });
    const { page, receipts, sent, complaints, close } = await openWithChain();
    const panel = page.getByRole('region', { name: 'Withdraw', exact: true });
    const send = panel.getByRole('button', { name: 'Send 20 DF' });
    await send.click();
    await panel.getByText(hashOf(1)).waitFor();
    await page.reload();
    await panel.getByText(hashOf(1)).waitFor();
    await panel.locator('[aria-current=step]', { hasText: 'Sent from your wallet' }).waitFor();
    expect(await send.count()).toBe(0);
    receipts.set(hashOf(1), mined);
    await panel.locator('[aria-current=step]', { hasText: 'Completed' }).waitFor();
    expect(sent).toEqual([hashOf(1)]);
    // Nothing is left to send, so no page says so.
    await page.goto(`${rig.fake.url}/status`);
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('waiting for you').count()).toBe(0);
    // One that the chain has refused can be sent again.
    await page.goto(`${rig.fake.url}/wallet`);
    receipts.set(hashOf(1), { status: '0x0' });
    await page.reload();
    await send.waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
