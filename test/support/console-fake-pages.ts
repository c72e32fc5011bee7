import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { ownAddress } from './console-answers.ts';
import { type FakeService, startFake } from './console-fake.ts';
import { type OpenedPage, openPage } from './console-pages.ts';

// The built console in a real browser before the service of fixed data, for tests and benchmarks.

export interface FakeConsole {
  readonly fake: FakeService;
  readonly browser: Browser;
  /** Opens a tab that is not signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<OpenedPage>;
  /** Opens a tab that is signed in until a time, and waits until its link is live. */
  openSignedIn(path: string, endsAt?: number): Promise<OpenedPage>;
  readonly close: () => Promise<void>;
}

const dayMs = 86_000_000;

/** Signs a tab in before its first script, once: what the page changes of it stays. */
export function sessionScript(endsAt: number = Date.now() + dayMs): string {
  return `if (!sessionStorage.getItem('was-set')) {
    sessionStorage.setItem('was-set', 'yes');
    sessionStorage.setItem('token', 'a.b.c');
    sessionStorage.setItem('address', '${ownAddress}');
    sessionStorage.setItem('expires_at', '${new Date(endsAt).toISOString()}');
  }`;
}

export async function startFakeConsole(program: string): Promise<FakeConsole> {
  const fake = await startFake();
  const browser = await launchBrowser(program);
  return {
    fake,
    browser,
    open: (path, options) => openPage(browser, fake.url, path, options),
    openSignedIn: async (path, endsAt) => {
      const opened = await openPage(browser, fake.url, '/icon.svg');
      await opened.context.addInitScript(sessionScript(endsAt));
      await opened.page.goto(fake.url + path);
      await opened.page.getByText(/^Live/).waitFor();
      return opened;
    },
    close: async () => {
      await browser.close();
      await fake.close();
    },
  };
}
