import { expect, test } from 'vitest';
import { findOverflow, findViolations } from '../support/console-axe.ts';
import { enterAsOperator } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// Every tab of the operator's page with data in it, judged by axe, before the fixed service.

describeFakeConsole('console: the operator’s tabs', (rig) => {
  const looks = (['dark', 'light'] as const).flatMap((colorScheme) =>
    [1440, 360].map((width) => [colorScheme, width] as const),
  );

  test.each(looks)(
    'console: axe finds no violation on any tab, %s at %i',
    async (colorScheme, width) => {
      const viewport = { width, height: 900 };
      const { page, close } = await rig.open('/admin', { colorScheme, viewport, bypassCSP: true });
      await enterAsOperator(page);
      const names = await page.getByRole('tab').allTextContents();
      expect(names.length).toBeGreaterThan(6);
      for (const name of names) {
        await page.getByRole('tab', { name }).click();
        await page.waitForLoadState('networkidle');
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
        expect([name, await findViolations(page)]).toEqual([name, []]);
        expect([name, await findOverflow(page)]).toEqual([name, 0]);
      }
      await close();
    },
  );
});
