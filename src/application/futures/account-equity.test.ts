import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import { equityByPeriod, type PeriodTrades } from './account-equity.ts';

const unit = 10n ** 18n;
const marketId = 0 as FuturesMarketId;

interface Fill {
  readonly period: number;
  /** Whole base assets; negative: sold. */
  readonly quantity: bigint;
  readonly price: bigint;
  readonly fee: bigint;
}

/** The plain model: goes forward, fill by fill, with an average cost. */
function goForward(fills: readonly Fill[], deposit: bigint) {
  let wallet = deposit;
  let [quantity, cost] = [0n, 0n];
  const trades: PeriodTrades[] = [];
  for (const { period, quantity: bought, price, fee } of fills) {
    const isClosing = quantity !== 0n && bought !== 0n && quantity > 0n !== bought > 0n;
    const lots = isClosing ? smaller(bought, quantity) : 0n;
    const released = lots === 0n ? 0n : (cost * lots) / absolute(quantity);
    const closing = bought < 0n ? -lots : lots;
    const profit = lots === 0n ? 0n : -closing * price - released;
    cost += (bought - closing) * price - released;
    quantity += bought;
    wallet += profit - fee;
    trades.push({
      period,
      marketId,
      quantity: bought * unit,
      quote: bought * price,
      profit,
      fees: fee,
    });
  }
  return { wallet, quantity, cost, trades };
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const smaller = (a: bigint, b: bigint): bigint =>
  absolute(a) < absolute(b) ? absolute(a) : absolute(b);

test('equityByPeriod: the equity at the end of each period is that of a forward walk', () => {
  const last = 5;
  const fillOf = fc.record({
    period: fc.integer({ min: 0, max: last }),
    quantity: fc.bigInt(-50n, 50n),
    price: fc.bigInt(1n, 1_000n),
    fee: fc.bigInt(-5n, 20n),
  });
  const marksOf = fc.array(fc.bigInt(1n, 1_000n), { minLength: last + 1, maxLength: last + 1 });
  fc.assert(
    fc.property(fc.array(fillOf), marksOf, (unordered, prices) => {
      const fills = unordered.toSorted((a, b) => a.period - b.period);
      const end = goForward(fills, 10_000n);
      const periods = equityByPeriod(
        {
          walletBalance: end.wallet,
          positions: [{ marketId, quantity: end.quantity * unit, cost: end.cost }],
          trades: end.trades,
          income: [{ period: 0, funding: 0n, transfers: 10_000n }],
          marks: prices.map((price, period) => ({ period, marketId, price })),
        },
        { first: 0, last },
      );
      expect(periods).toHaveLength(last + 1);
      for (const { period, equity, walletBalance } of periods) {
        const then = goForward(
          fills.filter((fill) => fill.period <= period),
          10_000n,
        );
        expect(walletBalance).toBe(then.wallet);
        expect(equity).toBe(then.wallet + then.quantity * (prices[period] ?? 0n) - then.cost);
      }
      const profit = periods.reduce((sum, each) => sum + each.profit, 0n);
      expect(profit).toBe((periods[0]?.equity ?? 0n) - 10_000n);
    }),
  );
});

test('equityByPeriod: a period without its own mark price uses the previous one', () => {
  const [now, before] = equityByPeriod(
    {
      walletBalance: 100n,
      positions: [{ marketId, quantity: 2n * unit, cost: 20n }],
      trades: [],
      income: [],
      marks: [{ period: 6, marketId, price: 13n }],
    },
    { first: 8, last: 9 },
  );
  expect([now?.equity, before?.equity, now?.profit]).toEqual([106n, 106n, 0n]);
});
