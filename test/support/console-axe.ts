import axe from 'axe-core';
import type { Page } from 'playwright-core';

// Axe is a separate script, which the page's policy forbids: the context needs bypassCSP.

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe finds on the page as it is shown now: the rule and the first element of each. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  if (await page.evaluate('window.axe === undefined')) {
    await page.addScriptTag({ content: axe.source });
  }
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

/** By how many pixels the page is wider than its window. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
