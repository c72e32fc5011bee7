import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type FakeService, startFake } from '../support/console-fake.ts';
import { sessionScript } from '../support/console-fake-pages.ts';
import { fixedNow } from '../support/console-fixtures.ts';
import { browserOrReason, consolePaths, enterAsOperator } from '../support/console-pages.ts';

// Each page in both themes, wide and narrow, before fixed data and a fixed clock,
// compared with the pictures that are kept. UPDATE_PICTURES=1 writes them again: look at them.

const program = browserOrReason();
const isUpdate = process.env['UPDATE_PICTURES'] === '1';
const folder = fileURLToPath(new URL('pictures/', import.meta.url));

/** Of all pixels; letters are drawn a little differently by each build of the browser. */
const differenceMax = 0.001;

// Counts the pixels of which a colour differs by more than an eye would notice.
const compare = `async ([before, after]) => {
  const pixels = async (text) => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(before), await pixels(after)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const away = [0, 1, 2].map((part) => Math.abs(a.data[at + part] - b.data[at + part]));
    if (Math.max(...away) > 24) count += 1;
  }
  return count / (a.data.length / 4);
}`;

describe.skipIf(program === null)('console: pictures', () => {
  let fake: FakeService;
  let browser: Browser;
  let judge: Page;

  beforeAll(async () => {
    fake = await startFake(() => fixedNow);
    browser = await launchBrowser(program ?? '');
    judge = await browser.newPage();
    mkdirSync(folder, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await fake.close();
  });

  async function take(
    context: BrowserContext,
    path: string,
    prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
  ): Promise<Buffer> {
    const page = await context.newPage();
    await page.clock.install({ time: fixedNow });
    await page.goto(fake.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByText(/^Live/).waitFor();
    await prepare(page);
    await page.clock.runFor(3_000);
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(1_000);
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    // What differs from run to run: the chart, the round trip, the build and the clock's offset.
    const varies = ['.chart', '.chip', '.foot', '.varies'];
    const mask = varies.map((name) => page.locator(name));
    const image = await page.screenshot({ mask });
    await page.close();
    return image;
  }

  async function expectSame(name: string, image: Buffer): Promise<void> {
    const path = `${folder}${name}.png`;
    if (isUpdate) return writeFileSync(path, image);
    expect([name, existsSync(path)]).toEqual([name, true]);
    const both = [readFileSync(path), image].map((each) => each.toString('base64'));
    const difference = await judge.evaluate<number>(`(${compare})(${JSON.stringify(both)})`);
    if (difference > differenceMax) writeFileSync(`${folder}${name}.actual.png`, image);
    expect([name, difference <= differenceMax ? 0 : difference]).toEqual([name, 0]);
  }

  async function openContext(colorScheme: 'dark' | 'light', width: number) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: width === 360 ? 740 : 900 },
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    await context.addInitScript(sessionScript(fixedNow + 86_000_000));
    return context;
  }

  const looks = [
    ['dark', 1440],
    ['dark', 360],
    ['light', 1440],
    ['light', 360],
  ] as const;

  test.each(looks)(
    'console: pages look like the stored pictures, %s at %i',
    async (colorScheme, width) => {
      const context = await openContext(colorScheme, width);
      for (const path of consolePaths) {
        const word = path.split('/')[1] ?? '';
        const name = `${word === '' ? 'markets' : word}-${colorScheme}-${width}`;
        await expectSame(name, await take(context, path));
      }
      await context.close();
    },
  );

  const tabs = ['Markets', 'Users', 'Points', 'Claims', 'Money', 'Reviews', 'Audit'];

  async function openTab(page: Page, tab: string): Promise<void> {
    await enterAsOperator(page);
    await page.getByRole('tab', { name: tab }).click();
    if (tab === 'Reviews') await page.getByRole('button', { name: 'Decide' }).first().click();
  }

  test.each(looks)(
    'console: the operator’s pages look like the stored pictures, %s at %i',
    async (colorScheme, width) => {
      const context = await openContext(colorScheme, width);
      for (const tab of tabs) {
        const name = `operator-${tab.toLowerCase()}-${colorScheme}-${width}`;
        await expectSame(name, await take(context, '/admin', (page) => openTab(page, tab)));
      }
      await context.close();
    },
  );
});
