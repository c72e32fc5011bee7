import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../support/console-axe.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// The public tape of forced orders, before the fixed service.

const event = (price: string) => ({
  e: 'forceOrder',
  E: Date.now(),
  o: {
    s: 'BTCUSDT',
    S: 'SELL',
    o: 'MARKET',
    f: 'IOC',
    q: '0.25',
    p: price,
    ap: price,
    X: 'FILLED',
    l: '0.25',
    z: '0.25',
    T: Date.now(),
  },
});

describeFakeConsole('console: liquidations of all accounts', (rig) => {
  /** Sends the event until the page shows it: its socket opens some time after the page. */
  async function tellAndSee(page: Page, price: string, shown: string): Promise<void> {
    const tape = page.getByRole('region', { name: 'Liquidations of all accounts', exact: true });
    await expect
      .poll(async () => {
        rig.fake.tell(event(price));
        return tape.getByText(shown).count();
      })
      .toBeGreaterThan(0);
  }

  test('console: forced orders are shown as they happen, also after a lost socket', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/futures/BTCUSDT');
    await page.getByRole('tab', { name: 'Liquidations' }).click();
    await page.getByText('None since this tab was opened.').waitFor();
    await tellAndSee(page, '63011.5', '63,011.5');
    rig.fake.cut();
    await tellAndSee(page, '62999.1', '62,999.1');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of liquidations of all accounts' }).click();
    expect((await saved).suggestedFilename()).toBe('liquidations-of-all-accounts.csv');
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a visitor who is not signed in sees them too, and axe finds no violation', async () => {
    const { page, close } = await rig.open('/futures/BTCUSDT', { bypassCSP: true });
    await page.getByText('Sign in to see your positions').waitFor();
    await tellAndSee(page, '63011.5', '63,011.5');
    expect(await findViolations(page)).toEqual([]);
    await close();
  });
});
