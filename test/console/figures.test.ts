import { expect, test } from 'vitest';
import { signInWithMoney } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';

// Figures that a page computes or reads apart from the lists: in a real browser against the real
// service with its demonstration traders.

interface Priced {
  readonly dataset: { readonly price?: string };
}

describeConsole('console: figures', { isDemo: true }, (rig) => {
  test('console: the prices of the book are grouped by a step, and an own order stays marked', async () => {
    const { page, complaints, close } = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(page);
    const prices = page.locator('.ladder [data-price]');
    await prices.nth(20).waitFor();
    await page.getByRole('textbox', { name: 'Price' }).fill('30001');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.001');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('tab', { name: 'Open orders 1' }).waitFor();
    const step = page.getByRole('combobox', { name: 'Price step' });
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
