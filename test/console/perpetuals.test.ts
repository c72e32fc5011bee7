import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answer, fundPerpWallet, goTo, signInWithMoney } from '../support/console-pages.ts';
import { describeConsole } from '../support/console-suites.ts';

// Perpetuals in a real browser: each kind of order, amending, leverage, a position and its end.

describeConsole('console: perpetuals', { isDemo: true }, (rig) => {
  async function openDesk() {
    const opened = await rig.open('/trade/BTCUSDT');
    await signInWithMoney(opened.page);
    await fundPerpWallet(opened.page, '5000');
    await goTo(opened.page, 'Futures');
    await opened.page.locator('.ladder .asks [data-price]').nth(3).waitFor();
    return opened;
  }

  const ticket = (page: Page) => page.getByRole('region', { name: 'Order', exact: true });

  const fill = (page: Page, name: string, text: string) =>
    ticket(page).getByRole('textbox', { name, exact: true }).fill(text);

  const chooseType = (page: Page, type: string) =>
    page.getByRole('combobox', { name: 'Order type' }).selectOption(type);

  const tab = (page: Page, name: string) => page.getByRole('tab', { name });

  test('console: a resting order is amended in place and keeps its number', async () => {
    const { page, complaints, close } = await openDesk();
    await fill(page, 'Price', '30000');
    await fill(page, 'Quantity', '0.01');
    await ticket(page).getByText(/USDT/).first().waitFor();
    await page.getByRole('button', { name: /^Buy BTC/ }).click();
    await tab(page, 'Orders 1').click();
    await page.getByRole('button', { name: 'Amend', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const title = (await dialog.getByRole('heading').textContent()) ?? '';
    await dialog.getByRole('textbox', { name: 'Price' }).fill('29000.5');
    await dialog.getByRole('textbox', { name: 'Whole quantity' }).fill('0.02');
    await answer(page, 'Amend');
    await page.getByText('Amended to 0.02 at 29000.5: in the book.').first().waitFor();
    const orders = page.getByRole('region', { name: 'Open orders' });
    await orders.getByText('29,000.5').waitFor();
    await page.getByRole('button', { name: 'Amend', exact: true }).click();
    expect(await dialog.getByRole('heading').textContent()).toBe(title);
    await answer(page, 'Cancel');
    await orders.getByRole('button', { name: 'Cancel' }).click();
    await tab(page, 'Orders 0').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: leverage is chosen within its bracket, and kept', async () => {
    const { page, complaints, close } = await openDesk();
    const leverage = page.getByRole('button', { name: /^\d+×$/ });
    await leverage.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Leverage brackets' }).waitFor();
    await dialog.getByRole('slider').fill('7');
    await dialog.getByText(/^A position of at most|^No limit/).waitFor();
    await answer(page, 'Set the leverage');
    await page.getByText('The leverage of BTCUSDT is 7×.').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: '7×', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a trailing stop and a stop that ends at a time wait and are canceled', async () => {
    const { page, complaints, close } = await openDesk();
    await ticket(page).getByRole('button', { name: 'Sell / Short' }).click();
    await chooseType(page, 'TRAILING_STOP_MARKET');
    await fill(page, 'Callback rate', '2');
    await fill(page, 'Quantity', '0.01');
    await page.getByRole('button', { name: /^Sell BTC/ }).click();
    await tab(page, 'Triggers').click();
    const triggers = page.getByRole('region', { name: 'Trigger orders' });
    await triggers.getByText('2 % behind').waitFor();

    await chooseType(page, 'STOP');
    await fill(page, 'Trigger price', '20000');
    await fill(page, 'Price', '19900');
    await fill(page, 'Quantity', '0.01');
    await page.getByRole('combobox', { name: 'Time in force' }).selectOption('GTD');
    await page.getByRole('combobox', { name: 'For', exact: true }).selectOption('168');
    await page.getByRole('button', { name: /^Sell BTC/ }).click();
    await triggers.getByText('19,900').waitFor();

    await page.getByRole('button', { name: 'Cancel all triggers' }).click();
    await answer(page, 'Cancel them');
    await page.getByText('2 trigger orders canceled.').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a position gets exits, is reversed and closed, and its profit is shown', async () => {
    const { page, complaints, close } = await openDesk();
    await chooseType(page, 'MARKET');
    await fill(page, 'Quantity', '0.01');
    const preview = page.getByLabel('Preview');
    await expect.poll(() => preview.textContent()).toMatch(/Fee\s*0\.\d*[1-9]/);
    await page.getByRole('button', { name: /^Buy BTC/ }).click();
    await answer(page, /^Buy/);
    const positions = page.getByRole('region', { name: 'Positions' });
    await positions.getByText('▲ Long').waitFor();
    await positions.getByRole('button', { name: 'TP/SL' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Stop loss at' }).fill('1000');
    await answer(page, 'Place orders');
    await tab(page, 'Triggers').click();
    await page.getByText('whole position').waitFor();
    await tab(page, 'Positions').click();
    await positions.getByRole('button', { name: 'Reverse' }).click();
    await answer(page, 'Reverse it');
    await positions.getByText('▼ Short').waitFor();
    await positions.getByRole('button', { name: 'Close' }).click();
    await answer(page, 'Close it');
    await tab(page, 'Positions 0').waitFor();

    await tab(page, 'Funding and fees').click();
    const income = page.getByRole('region', { name: 'Funding and fees' });
    await income.getByText('commission').first().waitFor();
    await tab(page, 'Profit').click();
    const performance = page.getByRole('region', { name: 'Equity and profit' });
    await performance.getByText('+5,000.00').waitFor();
    await page.getByRole('img', { name: /^Equity, USDT: from/ }).waitFor();
    await page.getByRole('img', { name: /^Profit since the start, USDT: from/ }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of equity and profit' }).click();
    expect((await saved).suggestedFilename()).toBe('equity-and-profit.csv');
    await page.getByRole('combobox', { name: 'Equity and profit' }).selectOption('1h');
    await performance.getByText('+5,000.00').waitFor();
    await performance.getByText('Hour (UTC)').waitFor();
    await tab(page, 'Liquidations').click();
    await page.getByText(/^None\. A position is liquidated/).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
