import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { envelope } from '../support/console-answers.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// Lists outside of tables: their files, and the elements that a running tape uses.

describeFakeConsole('console: lists', (rig) => {
  async function savedBy(page: Page, button: Locator): Promise<readonly string[]> {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  }

  test('console: the book, the tape, the brackets and the notices are saved as CSV', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/futures/BTCUSDT');
    await page.locator('[data-price="64036"]').waitFor();
    const csv = (name: string) => page.getByRole('button', { name: `CSV of ${name}` });
    const book = await savedBy(page, csv('book BTCUSDT'));
    expect(book[0]).toBe('Side,Price,Quantity');
    expect([book.length, book[15], book[16]]).toEqual([31, 'sell,64037.5,0.05', 'buy,64036,0.05']);
    const tape = await savedBy(page, csv('tape BTCUSDT'));
    expect(tape[0]).toBe('Time,Side,Price,Quantity');
    expect(tape.length).toBe(31);
    expect(tape[1]).toMatch(/^2026-01-15T11:59:57\.900Z,buy,640\d\d\.00,0\.0\d{3}$/);

    const bracket = { bracket: 1, max_leverage: 100, notional_cap: '50000' };
    const brackets = [
      { ...bracket, notional_floor: '0', maintenance_margin_rate: '0.005' },
      {
        ...bracket,
        bracket: 2,
        max_leverage: 20,
        notional_cap: null,
        notional_floor: '50000',
        maintenance_margin_rate: '0.025',
      },
    ];
    rig.fake.answers.set(
      'GET /api/v1/leverage-brackets',
      envelope([{ symbol: 'BTCUSDT', brackets }]),
    );
    await page.getByRole('button', { name: /^\d+×$/ }).click();
    expect(await savedBy(page, csv('leverage brackets'))).toEqual([
      '"Position up to, USDT",Leverage up to,Maintenance',
      '50000,100,0.005',
      ',20,0.025',
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    rig.fake.answers.set('POST /api/v1/orders', {
      status: 409,
      body: { success: false, error: { code: 'SELF_TRADE', message: '=1+1' } },
    });
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('63000');
    await page.getByRole('textbox', { name: 'Quantity' }).fill('0.01');
    await page.getByRole('button', { name: /^Buy BTC/ }).click();
    await page.getByText('SELF_TRADE · fixed-request-id').first().waitFor();
    await page.getByRole('button', { name: /^log: \d/ }).click();
    const notices = await savedBy(page, csv('notices'));
    expect(notices[0]).toBe('Time,Notice,Code and request');
    expect(notices[1]).toMatch(/,SELF_TRADE · fixed-request-id$/);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: a running tape keeps its rows: the newest trade takes the place of the oldest', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/trade/BTCUSDT');
    const rows = page.locator('.tape li');
    await expect.poll(() => rows.count()).toBe(30);
    const topic = { channel: 'trades', symbol: 'BTCUSDT', market: 'spot' };
    let seq = 1;
    const tell = (prices: readonly number[]): void => {
      seq += 1;
      const data = prices.map((price) => ({
        trade_id: `n${price}`,
        price: String(price),
        quantity: '0.02',
        side: 'buy',
        created_at: Date.now(),
      }));
      rig.fake.tell({ type: 'update', ...topic, seq, prev_seq: seq - 1, ts: Date.now(), data });
    };
    const range = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);
    tell(range(65_000, 40));
    await expect.poll(() => rows.count()).toBe(60);
    await page.evaluate(
      "document.querySelectorAll('.tape li').forEach((row) => row.dataset.kept = 'yes')",
    );
    for (const price of range(66_000, 7)) tell([price]);
    await expect.poll(() => rows.first().textContent()).toContain('66,006.00');
    const shown = await rows.allTextContents();
    const prices = shown.slice(0, 47).map((text) => /[\d,]+\.00/.exec(text)?.[0]?.replace(',', ''));
    const newestFirst = [...range(65_000, 40), ...range(66_000, 7)].toReversed();
    expect(prices).toEqual(newestFirst.map((price) => `${price}.00`));
    expect(await page.locator('.tape li[data-kept]').count()).toBe(60);
    expect(complaints).toEqual([]);
    await close();
  });
});
