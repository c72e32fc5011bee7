import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type FakeService, startFake } from '../support/console-fake.ts';
import { browserOrReason } from '../support/console-pages.ts';

// Every tab of the operator's page with data in it, judged by axe, before the fixed service.

const program = browserOrReason();
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

describe.skipIf(program === null)('console: the operator’s tabs', () => {
  let fake: FakeService;
  let browser: Browser;
  beforeAll(async () => {
    fake = await startFake();
    browser = await launchBrowser(program ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await fake.close();
  });

  const looks = (['dark', 'light'] as const).flatMap((colorScheme) =>
    [1440, 360].map((width) => [colorScheme, width] as const),
  );

  test.each(looks)(
    'console: axe finds no violation on any tab, %s at %i',
    async (colorScheme, width) => {
      const viewport = { width, height: 900 };
      // Axe is a script of its own, which the page's policy forbids.
      const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${fake.url}/admin`);
      await page.getByLabel(/administrator/).fill('any');
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('tab').first().waitFor();
      await page.addScriptTag({ content: axe.source });
      const names = await page.getByRole('tab').allTextContents();
      expect(names.length).toBeGreaterThan(6);
      for (const name of names) {
        await page.getByRole('tab', { name }).click();
        await page.waitForLoadState('networkidle');
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
        const { violations } = await page.evaluate<AxeResult>(
          `axe.run(document, { runOnly: ${JSON.stringify(tags)} })`,
        );
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
        expect([name, found]).toEqual([name, []]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([name, overflow]).toEqual([name, 0]);
      }
      await context.close();
    },
  );
});
