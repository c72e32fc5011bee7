import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  browserOrReason,
  type ConsoleRig,
  signInWithMoney,
  startConsole,
} from '../support/console-pages.ts';

// Figures that a page computes or reads apart from the lists: in a real browser against the real
// service with its demonstration traders.

const program = browserOrReason();

interface Priced {
  readonly dataset: { readonly price?: string };
}

describe.skipIf(program === null)('console: figures', () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await startConsole(program ?? '', { isDemo: true });
  });
  afterAll(() => rig.close());

  test('console: the prices of the book are grouped by a step, and an own order stays marked', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(page);
    const prices = page.locator('.ladder [data-price]');
    await prices.nth(20).waitFor();
    await page.getByRole('textbox', { name: 'Price' }).fill('30001');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.001');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    const step = page.getByRole('combobox', { name: 'Step of the prices' });
    await step.selectOption('100');
    const shown = (): Promise<readonly number[]> =>
      prices.evaluateAll((rows: readonly Priced[]) =>
        rows.map(({ dataset }) => Number(dataset.price)),
      );
    await expect.poll(async () => (await shown()).some((price) => price === 30_000)).toBe(true);
    expect((await shown()).filter((price) => price % 100 !== 0)).toEqual([]);
    const own = page.locator('.ladder .bids [data-price="30000"]');
    await expect.poll(() => own.textContent()).toContain('◆30,000');
    await step.selectOption('');
    await expect.poll(async () => (await shown()).some((price) => price % 100 !== 0)).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });
});
