import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import { addFacts, type DayFacts, noFacts } from './day-facts.ts';
import { capByFees } from './fee-cap.ts';
import { toPoints } from './points.ts';
import { countPoints } from './registry.ts';

const usdt = (units: number) => toAmount(BigInt(units) * 100_000_000n);
const points = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(toPoints);
const fees = fc.bigInt({ min: 0n, max: 10n ** 17n }).map(toAmount);

test('fee cap: profit and positions count at most as much as the fees that were paid', () => {
  fc.assert(
    fc.property(fees, points, points, (feesPaid, pnl, holding) => {
      const counted = capByFees({ feesPaid, pnl, holding });
      expect(counted.pnl + counted.holding).toBe(
        pnl + holding < feesPaid ? pnl + holding : BigInt(feesPaid),
      );
      expect(counted.pnl <= pnl && counted.holding <= holding).toBe(true);
      expect(counted.holding >= 0n).toBe(true);
    }),
  );
});

test('fee cap: profit counts before positions', () => {
  const earned = { feesPaid: usdt(10), pnl: toPoints(7n * 10n ** 8n) };
  const counted = capByFees({ ...earned, holding: toPoints(5n * 10n ** 8n) });
  expect(counted).toEqual({ pnl: 700_000_000n, holding: 300_000_000n });
});

interface Leg {
  readonly notional: number;
  readonly hours: number;
  readonly movesPercent: number;
}

// One person's two accounts trade with each other at the cheapest fee that anyone pays, and hold
// against each other while the price moves.
test('fee cap: no hedged pair of accounts earns more than two points per USDT of fees', () => {
  const leg: fc.Arbitrary<Leg> = fc.record({
    notional: fc.integer({ min: 1, max: 10_000_000 }),
    hours: fc.integer({ min: 0, max: 168 }),
    movesPercent: fc.integer({ min: -90, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(leg, { minLength: 1, maxLength: 12 }), (legs) => {
      const pair = [1, -1].map((side) =>
        legs.reduce((sum, { notional, hours, movesPercent }) => {
          const facts: DayFacts = {
            feesPaid: toAmount((BigInt(notional) * 10n ** 8n) / 5_000n),
            refereeFees: toAmount(0n),
            realizedProfit: toAmount(BigInt(notional) * 10n ** 6n * BigInt(movesPercent * side)),
            valueHeld: BigInt(notional) * 10n ** 26n * BigInt(hours) * 3_600_000n,
          };
          return addFacts(sum, facts);
        }, noFacts),
      );
      let earned = 0n;
      let paid = 0n;
      for (const facts of pair) {
        const counted = countPoints(facts);
        const { pnl, holding } = capByFees({ ...counted, feesPaid: facts.feesPaid });
        earned += counted.trading + pnl + holding;
        paid += facts.feesPaid;
      }
      expect(earned <= 2n * paid).toBe(true);
    }),
  );
});
