import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { done, envelope } from '../support/console-answers.ts';
import { answer } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// The tickets' figures and questions, before a service of fixed data.

const path = 'POST /api/v1/orders/preview';

/** What the service estimates of a market order; the account's equity is 4,999.87 USDT. */
const estimate = (notional: string, slippage: string) =>
  envelope({
    est_avg_price: '64036.61234567',
    est_slippage: slippage,
    est_notional: notional,
    est_fee: '0.12345678',
    est_initial_margin: '12.5',
    available_balance: '4901.86',
    est_liquidation_price: null,
  });

describeFakeConsole('console: tickets', (rig) => {
  async function typeMarketOrder(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'Order type' }).selectOption('MARKET');
    await page.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.01');
  }

  const buy = (page: Page) => page.getByRole('button', { name: /^Buy BTC/ }).first();

  test('console: a market order is asked about over 5 % of the equity or 1 % of slippage, and no other', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/futures/BTCUSDT');
    const sent: string[] = [];
    await page.route('**/api/v1/orders', async (route) => {
      sent.push(route.request().method());
      await route.fulfill({ json: { success: true, data: { order_id: 9, status: 'FILLED' } } });
    });
    const dialog = page.getByRole('dialog');
    for (const [notional, slippage, words] of [
      ['250.01', '0', 'This order is worth more than 5 % of your equity.'],
      ['10', '0.011', 'more than 1 % worse than the best price'],
    ] as const) {
      rig.fake.answers.set(path, estimate(notional, slippage));
      await typeMarketOrder(page);
      await buy(page).click();
      await dialog.getByText(words).waitFor();
      await answer(page, 'Cancel');
    }
    expect(sent).toEqual([]);
    rig.fake.answers.set(path, estimate('249.99', '0.01'));
    await buy(page).click();
    await expect.poll(() => sent).toEqual(['POST']);
    expect(await dialog.count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a refused preview is a sentence, and its market order is asked about', async () => {
    const refusal = { error: 'NO_LIQUIDITY' };
    rig.fake.answers.set(path, { status: 409, body: refusal });
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    await typeMarketOrder(page);
    const ticket = page.locator('.area-ticket');
    await ticket.getByText('There is no price to trade at. NO_LIQUIDITY').waitFor();
    await buy(page).click();
    await page.getByRole('dialog').getByText('There is no estimate').waitFor();
    await answer(page, 'Cancel');
    rig.fake.answers.set(path, estimate('10', '0'));
    await page.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.02');
    await ticket.getByText('NO_LIQUIDITY').waitFor({ state: 'detached' });
    await close();
  });

  test('console: USDT has two decimals and eight in its title, prices those of the tick', async () => {
    rig.fake.answers.set(path, estimate('10', '0'));
    const { page, close } = await rig.openSignedIn('/futures/BTCUSDT');
    await typeMarketOrder(page);
    const fee = page.getByLabel('Preview').getByTitle('0.12345678 USDT', { exact: true });
    await expect.poll(() => fee.textContent()).toBe('0.12 USDT');
    await page.getByLabel('Preview').getByText('64,036.6', { exact: true }).waitFor();
    const fill = {
      trade_id: 1,
      order_id: 1,
      symbol: 'BTCUSDT',
      side: 'BUY',
      role: 'taker',
      price: '64000',
      quantity: '0.01',
      fee: '0.32000001',
      realized_profit: '-1.23456789',
      created_at: '2026-01-15T11:48:20.000Z',
    };
    rig.fake.answers.set(
      'GET /api/v1/account/trades',
      envelope({ items: [fill], next_cursor: null }),
    );
    await page.getByRole('tab', { name: 'Trades', exact: true }).click();
    const row = page.getByRole('region', { name: 'Own trades' }).getByRole('row').nth(1);
    expect((await row.getByRole('cell').allTextContents()).slice(2)).toEqual([
      '64,000.0',
      '0.01',
      '0.32',
      '−1.23',
    ]);
    await row.getByTitle('−1.23456789').waitFor();
    await close();
  });

  test('console: lists without orders and trades name the next step', async () => {
    const none = { items: [], total: 0, next_cursor: null };
    rig.fake.answers.set('GET /api/v1/spot/orders', done(none));
    rig.fake.answers.set('GET /api/v1/spot/trades', done(none));
    const { page, close } = await rig.openSignedIn('/trade/BTCUSDT');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('No orders yet. Place one in the ticket.').waitFor();
    await page.getByRole('tab', { name: 'Trades' }).last().click();
    await page.getByText('No trades yet. Place an order in the ticket.').waitFor();
    await close();
  });
});
