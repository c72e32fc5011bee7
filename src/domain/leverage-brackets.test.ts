import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btcTerms } from '../../test/support/futures-fixture.ts';
import { amountMax, toAmount } from './amount.ts';
import type { LeverageBracket, Rate } from './futures-market.ts';
import { bracketOf, leverageBrackets, maintenanceAmounts } from './leverage-brackets.ts';
import { maintenanceMargin } from './margin.ts';

const usdt = 100_000_000n;
/** Rates in 10^-9. */
const percent = 10_000_000n;

// Binance's own table for BTCUSDT of 2021: floors in USDT, rates in hundredths of a percent, and
// the maintenance amounts that it publishes beside them.
const published = [
  { floor: 0n, rate: 40n, amount: 0n },
  { floor: 50_000n, rate: 50n, amount: 50n },
  { floor: 250_000n, rate: 100n, amount: 1_300n },
  { floor: 1_000_000n, rate: 250n, amount: 16_300n },
  { floor: 5_000_000n, rate: 500n, amount: 141_300n },
  { floor: 20_000_000n, rate: 1_000n, amount: 1_141_300n },
  { floor: 50_000_000n, rate: 1_250n, amount: 2_391_300n },
  { floor: 100_000_000n, rate: 1_500n, amount: 4_891_300n },
  { floor: 200_000_000n, rate: 2_500n, amount: 24_891_300n },
];

const publishedBrackets = published.map(
  ({ floor, rate, amount }, index): LeverageBracket => ({
    bracket: index + 1,
    maxLeverage: 1,
    notionalFloor: toAmount(floor * usdt),
    notionalCap: toAmount((published[index + 1]?.floor ?? 1_000_000_000n) * usdt),
    maintenanceMarginRate: ((rate * percent) / 100n) as Rate,
    maintenanceAmount: toAmount(amount * usdt),
  }),
);

describe('leverageBrackets', () => {
  it('maintenanceAmounts: equal those that Binance publishes for its BTCUSDT tiers', () => {
    const amounts = maintenanceAmounts(
      published.map(({ floor }) => floor * usdt),
      published.map(({ rate }) => (rate * percent) / 100n),
    );
    expect(amounts).toEqual(published.map(({ amount }) => amount * usdt));
  });

  it('maintenanceMargin: 3,500,032.46 USDT of BTC need 71,200.81, as in the published example', () => {
    const margin = maintenanceMargin(publishedBrackets, 350_003_246_000_000n);
    expect(margin).toBe(7_120_081_150_000n);
  });

  it('maintenanceMargin: grows without a step from one tier to the next', () => {
    const brackets = leverageBrackets(btcTerms);
    for (const { notionalFloor } of brackets.slice(1)) {
      const below = maintenanceMargin(brackets, notionalFloor - 1n);
      const at = maintenanceMargin(brackets, notionalFloor);
      expect(at - below).toBeGreaterThanOrEqual(0n);
      expect(at - below).toBeLessThanOrEqual(2n);
    }
  });

  it('maintenanceMargin: a larger notional never needs less', () => {
    const brackets = leverageBrackets(btcTerms);
    const notional = fc.bigInt({ min: 0n, max: 200_000_000n * usdt });
    fc.assert(
      fc.property(notional, notional, (one, other) => {
        const [small, large] = one < other ? [one, other] : [other, one];
        const margin = maintenanceMargin(brackets, large);
        expect(margin).toBeGreaterThanOrEqual(maintenanceMargin(brackets, small));
      }),
    );
  });

  it('maintenanceMargin: is notional x rate - amount rounded up, for every amount', () => {
    const brackets = leverageBrackets({ ...btcTerms, maintenanceMarginRate: 123_456_789n as Rate });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: amountMax }), (notional) => {
        const { maintenanceMarginRate, maintenanceAmount } = bracketOf(brackets, notional);
        const raised = notional * maintenanceMarginRate + 999_999_999n;
        const margin = raised / 1_000_000_000n - maintenanceAmount;
        expect(maintenanceMargin(brackets, notional)).toBe(margin);
      }),
    );
  });

  it('leverageBrackets: leverage halves and the rate doubles, from the terms of the market', () => {
    const rows = leverageBrackets(btcTerms).map((each) => [
      each.maxLeverage,
      each.notionalFloor / usdt,
      each.maintenanceMarginRate,
      each.maintenanceAmount / usdt,
    ]);
    expect(rows).toEqual([
      [125, 0n, 4_000_000n, 0n],
      [62, 10_000_000n, 8_000_000n, 40_000n],
      [31, 25_000_000n, 16_000_000n, 240_000n],
      [15, 50_000_000n, 32_000_000n, 1_040_000n],
    ]);
  });

  it('bracketOf: a floor belongs to the bracket that begins with it', () => {
    expect(bracketOf(publishedBrackets, 50_000n * usdt).bracket).toBe(2);
    expect(bracketOf(publishedBrackets, 50_000n * usdt - 1n).bracket).toBe(1);
  });
});
