import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { otherAddress } from '../support/console-answers.ts';
import { findViolations } from '../support/console-axe.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { restFixtures } from '../support/console-fixtures.ts';
import { answer, enterAsOperator, goTo } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// What protects the owner of an account from other sites, a false service, and an open screen.

const chainId = 31_337;
const dayMs = 86_400_000;

describeFakeConsole('console: guards', (rig) => {
  const reply = (data: unknown) => ({ status: 200, body: { success: true, data } });

  interface MessageParts {
    readonly domain: string;
    readonly address: string;
    readonly chain: number;
  }

  /** What the service asks wallets to sign from now on. */
  function setMessage({ domain, address, chain }: MessageParts): void {
    const message = [
      `${domain} wants you to sign in with your Ethereum account:`,
      address,
      '',
      'Sign in.',
      '',
      `URI: http://${domain}`,
      'Version: 1',
      `Chain ID: ${chain}`,
      'Nonce: abcdefgh12345678',
    ].join('\n');
    const expires = new Date(Date.now() + dayMs).toISOString();
    rig.fake.answers.set(
      'POST /api/v1/auth/nonce',
      reply({ nonce: '', message, expires_at: expires }),
    );
    const session = { token: 'a.b.c', address, expires_at: expires };
    rig.fake.answers.set('POST /api/v1/auth/login', reply(session));
  }

  const host = () => new URL(rig.fake.url).host;

  async function chooseWallet(page: Page): Promise<void> {
    await page.goto(`${rig.fake.url}/status`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Injected wallet' }).click();
  }

  test.each<readonly [string, Partial<MessageParts>]>([
    ['another site', { domain: 'exchange.example' }],
    ['another chain', { chain: 1 }],
    ['another account', { address: otherAddress }],
  ])('console: a sign-in message for %s is not even shown to the wallet', async (_name, wrong) => {
    const { page, context, complaints, close } = await rig.open('/icon.svg');
    const wallet = await injectWallet(context, rig.fake.url);
    setMessage({ domain: host(), address: wallet.address, chain: chainId, ...wrong });
    await chooseWallet(page);
    await page
      .getByText(/^The sign-in message is not for this site, chain and account/)
      .first()
      .waitFor();
    expect(wallet.asked).not.toContain('personal_sign');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate("sessionStorage.getItem('token')")).toBe(null);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the page signs in without ever reading window.ethereum', async () => {
    const { page, context, complaints, close } = await rig.open('/icon.svg');
    const wallet = await injectWallet(context, rig.fake.url);
    await context.addInitScript(
      "Object.defineProperty(window, 'ethereum', { get: () => { throw new Error('was read'); } })",
    );
    setMessage({ domain: host(), address: wallet.address, chain: chainId });
    await chooseWallet(page);
    await page.getByRole('dialog').getByText('wants you to sign in').waitFor();
    await answer(page, 'Sign in wallet');
    await page.getByRole('button', { name: /^0x/ }).waitFor();
    expect(wallet.asked).toContain('personal_sign');
    expect(complaints).toEqual([]);
    await close();
  });

  const site = restFixtures['GET /api/v1/site']?.body as { readonly data: object };

  test('console: test wallet and test money exist on a test network only', async () => {
    const menu = async (page: Page) => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('No wallet was found in this browser', { exact: false }).waitFor();
    };
    const onTestnet = await rig.open('/wallet');
    await menu(onTestnet.page);
    await onTestnet.page.getByRole('button', { name: 'New test wallet' }).waitFor();
    await onTestnet.close();
    rig.fake.answers.set('GET /api/v1/site', reply({ ...site.data, is_testnet: false }));
    const visitor = await rig.open('/wallet');
    await visitor.page.waitForLoadState('networkidle');
    await menu(visitor.page);
    expect(await visitor.page.getByRole('button', { name: 'New test wallet' }).count()).toBe(0);
    await visitor.close();
    const trader = await rig.openSignedIn('/wallet');
    await trader.page.waitForLoadState('networkidle');
    expect(await trader.page.getByRole('button', { name: 'Get test money' }).count()).toBe(0);
    await trader.close();
  });

  test('console: the questions before a withdrawal and a claim name the site', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/wallet');
    const own = `You are on ${rig.fake.url}`;
    const form = page.getByRole('region', { name: 'Withdraw', exact: true });
    await form.getByRole('textbox', { name: 'Amount' }).fill('20');
    await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog').getByText(own).waitFor();
    await answer(page, 'Cancel');
    await goTo(page, 'Referral');
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByRole('dialog').getByText(own).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  const chain = restFixtures['GET /api/v1/chain/info']?.body as object;

  test('console: transactions and addresses are links where the service names an explorer', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/wallet');
    const explorer = 'https://explorer.example';
    const links = page.locator(`main a[href^="${explorer}/"]`);
    await page.getByRole('region', { name: 'Deposits' }).locator('code').first().waitFor();
    expect(await page.locator('main a[href^="http"]').count()).toBe(0);
    const body = { ...chain, explorer_url: explorer };
    rig.fake.answers.set('GET /api/v1/chain/info', { status: 200, body });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    for (const [path, form] of [
      ['/wallet', /\/tx\/0x[0-9a-f]{64}$/],
      ['/referral', /\/(address\/0x[0-9a-f]{40}|tx\/0x[0-9a-f]{64})$/],
      ['/status', /\/address\/0x[0-9a-f]{40}$/],
    ] as const) {
      await page.goto(rig.fake.url + path);
      await links.first().waitFor();
      for (const link of await links.all()) {
        expect(await link.getAttribute('href')).toMatch(form);
        expect(await link.getAttribute('target')).toBe('_blank');
        expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      }
    }
    expect(new Set(requested)).toEqual(new Set([rig.fake.url]));
    expect(complaints).toEqual([]);
    await close();
    // Axe is a script that the policy forbids.
    const judged = await rig.open('/icon.svg', { bypassCSP: true });
    await judged.context.addInitScript(sessionScript());
    for (const path of ['/wallet', '/referral', '/status']) {
      await judged.page.goto(rig.fake.url + path);
      await judged.page.locator(`main a[href^="${explorer}/"]`).first().waitFor();
      await judged.page.waitForLoadState('networkidle');
      expect([path, ...(await findViolations(judged.page))]).toEqual([path]);
    }
    await judged.close();
  });

  const keyField = (page: Page) => page.getByLabel(/^Administrator key/);

  test('console: the administrator’s key is kept nowhere, and its session ends on leaving', async () => {
    const { page, complaints, close } = await rig.open('/admin');
    await enterAsOperator(page, 'key-of-the-operator');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }]) + document.cookie',
    );
    expect(kept).not.toContain('key-of-the-operator');
    expect(kept).not.toContain('a.b.c');
    expect(await page.content()).not.toContain('key-of-the-operator');
    await goTo(page, 'Points');
    await page.goBack();
    await keyField(page).waitFor();
    expect(await keyField(page).inputValue()).toBe('');
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the operator’s session is forgotten after 15 minutes without a touch', async () => {
    const { page, close } = await rig.open('/icon.svg');
    await page.clock.install();
    await page.goto(`${rig.fake.url}/admin`);
    await enterAsOperator(page);
    await page.clock.runFor(14 * 60_000);
    // A key counts as a touch.
    await page.keyboard.press('Shift');
    await page.clock.runFor(14 * 60_000);
    expect(await keyField(page).count()).toBe(0);
    await page.clock.runFor(61_000);
    await keyField(page).waitFor();
    await close();
  });

  test('console: a clock that is off by more than two seconds is shown in the footer', async () => {
    const { page, close } = await rig.open('/icon.svg');
    const foot = page.getByRole('contentinfo');
    await page.clock.setFixedTime(Date.now() - 60_000);
    await page.goto(rig.fake.url);
    await foot.getByText('your clock is off').waitFor();
    await close();
  });

  test('console: an open page whose build is gone asks to be loaded again', async () => {
    const { page, close } = await rig.openSignedIn('/');
    await page.evaluate("dispatchEvent(new Event('vite:preloadError'))");
    const banner = page.locator('.banner', { has: page.getByRole('button', { name: 'Reload' }) });
    await banner.getByRole('button').click();
    await page.getByText(/^Live/).waitFor();
    expect(await banner.count()).toBe(0);
    await close();
  });

  test('console: keys move a price by one, ten and a hundred ticks; a comma is a point', async () => {
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    const price = page.getByRole('textbox', { name: 'Price', exact: true });
    await price.fill('63000,5');
    expect(await price.inputValue()).toBe('63000.5');
    const steps = [
      ['ArrowUp', '63000.51'],
      ['Shift+ArrowUp', '63000.61'],
      ['PageUp', '63001.61'],
      ['ArrowDown', '63001.6'],
      ['PageDown', '63000.6'],
    ] as const;
    for (const [key, after] of steps) {
      await price.press(key);
      expect([key, Number(await price.inputValue())]).toEqual([key, Number(after)]);
    }
    // What is typed stays, whatever the market does.
    const before = await price.inputValue();
    const topic = { channel: 'ticker', symbol: 'BTCUSDT', market: 'spot' };
    const data = { symbol: 'BTCUSDT', last_price: '65000', price_change_percent: '1' };
    rig.fake.tell({ type: 'update', ...topic, seq: 2, prev_seq: 1, ts: Date.now(), data });
    await page.locator('.head .last', { hasText: '65,000' }).waitFor();
    expect(await price.inputValue()).toBe(before);
    await close();
  });
});
