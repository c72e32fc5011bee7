import { createServer } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildConsole, findBrowser, launchBrowser } from './browser.ts';
import { startTestService, type TestService } from './test-service.ts';

// The console in a real browser against a real service, for the tests in test/console.

export const waitMs = 60_000;

/** Every page, with its address. */
export const consolePaths = [
  '/',
  '/trade/BTCUSDT',
  '/futures/BTCUSDT',
  '/wallet',
  '/referral',
  '/points',
  '/keys',
  '/admin',
  '/status',
] as const;

/** Null if this machine has no browser, which is reported once per file. */
export function browserOrReason(): string | null {
  const program = findBrowser();
  if (program === null) console.warn('console: skipped, as no Chromium is installed here');
  return program;
}

export function findFreePort(): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(String(port)));
    });
  });
}

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page threw, broke of its policy, or asked of other origins. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

export interface ConsoleRig {
  readonly service: TestService;
  readonly browser: Browser;
  open(path: string, options?: BrowserContextOptions): Promise<OpenedPage>;
  readonly close: () => Promise<void>;
}

export interface RigOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly isDemo?: boolean;
}

/** Builds the console and starts a service and a browser. */
export async function startConsole(
  program: string,
  { settings = {}, isDemo = false }: RigOptions = {},
): Promise<ConsoleRig> {
  buildConsole();
  // Sign-in messages name the port, so it has to be known before the start.
  const service = await startTestService({ PORT: await findFreePort(), ...settings }, { isDemo });
  const browser = await launchBrowser(program);
  return {
    service,
    browser,
    open: (path, options) => openPage(browser, service.url, path, options),
    close: async () => {
      await browser.close();
      await service.close();
    },
  };
}

/** A separate tab that keeps what its page complains of. */
export async function openPage(
  browser: Browser,
  url: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const complaints = collectComplaints(page, url);
  await page.goto(url + path);
  return { page, context, complaints, close: () => context.close() };
}

function collectComplaints(page: Page, url: string): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('console', (message) => {
    const text = message.text();
    if (/Content Security Policy|TrustedHTML/.test(text)) complaints.push(text);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(url) || /^(data|blob):/.test(request.url());
    if (!isOwn) complaints.push(`foreign request ${request.url()}`);
  });
  return complaints;
}

/** Signs in with a wallet that the page makes. */
export async function signInWithTestWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'New test wallet' }).click();
  await page.getByRole('button', { name: /^0x/ }).waitFor();
}

/** Signs in on the trading desk and draws test money. */
export async function signInWithMoney(page: Page): Promise<void> {
  await signInWithTestWallet(page);
  await page.getByRole('button', { name: 'Get test money' }).click();
  await page.getByText('You have 10000 USDT of test money.').first().waitFor();
}

/** Enters the operator's page; the fixed service accepts any key. */
export async function enterAsOperator(page: Page, key = 'any'): Promise<void> {
  await page.getByLabel(/^Administrator key/).fill(key);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('tab', { name: 'Markets' }).waitFor();
}

export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).click();
}

/** Moves test money to the perp wallet, from the wallet's page. */
export async function fundPerpWallet(page: Page, amount: string): Promise<void> {
  await goTo(page, 'Wallet');
  const transfer = page.getByRole('region', { name: 'Transfer', exact: true });
  await transfer.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await transfer.getByRole('button', { name: 'Transfer' }).click();
  await page.getByText(`${amount} USDT moved.`).first().waitFor();
}

/** Answers the question that is shown. */
export async function answer(page: Page, action: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

/** What a page has copied; the pages of the console cannot read it themselves. */
export async function readClipboard(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const other = await page.context().newPage();
  await other.goto(new URL('/readyz', page.url()).href);
  const text = await other.evaluate<string>('navigator.clipboard.readText()');
  await other.close();
  return text;
}
