import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { addFacts, type DayFacts, noFacts } from './day-facts.ts';
import { dayMs, dayOf } from './epochs.ts';
import { Holdings, settlingMoments } from './holdings.ts';
import { formatPoints, type Points, toPoints } from './points.ts';
import { countPoints, pointsBetween, totalPoints } from './registry.ts';
import { shareTokens } from './share-tokens.ts';

const usdt = (units: number): bigint => BigInt(units) * 100_000_000n;
const amount = fc.bigInt({ min: 0n, max: 10n ** 17n }).map(toAmount);
const signed = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map(toAmount);
const facts: fc.Arbitrary<DayFacts> = fc.record({
  feesPaid: amount,
  refereeFees: amount,
  realizedProfit: signed,
  valueHeld: fc.bigInt({ min: 0n, max: 10n ** 45n }),
});

describe('rules', () => {
  const one = (part: Partial<DayFacts>) => countPoints(addFacts(noFacts, part));

  it('trading: 1 point per USDT of fee', () => {
    expect(formatPoints(one({ feesPaid: toAmount(usdt(3) + 1n) }).trading)).toBe('3.00000001');
  });

  it('pnl: 1 point per 10 USDT of positive realized profit, nothing for a loss', () => {
    expect(formatPoints(one({ realizedProfit: toAmount(usdt(25)) }).pnl)).toBe('2.5');
    expect(formatPoints(one({ realizedProfit: toAmount(19n) }).pnl)).toBe('0.00000001');
    expect(one({ realizedProfit: toAmount(-usdt(25)) }).pnl).toBe(0n);
  });

  it('holding: 1 point per 1,000 USDT of average value per hour', () => {
    const hour = 3_600_000n * 10n ** 18n;
    expect(formatPoints(one({ valueHeld: usdt(1000) * hour }).holding)).toBe('1');
    expect(formatPoints(one({ valueHeld: (usdt(3000) * hour) / 2n }).holding)).toBe('1.5');
    expect(one({ valueHeld: 999n * hour }).holding).toBe(0n);
  });

  it("referral: 10 % of the referees' trading points, rounded down", () => {
    expect(formatPoints(one({ refereeFees: toAmount(usdt(7)) }).referral)).toBe('0.7');
    expect(one({ refereeFees: toAmount(9n) }).referral).toBe(0n);
  });

  it('staking: trading earns nothing', () => {
    fc.assert(fc.property(facts, (day) => countPoints(day).staking === 0n));
  });

  it('points: partial changes sum to the value of the whole day', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 12 }), (portions) => {
        let sum = noFacts;
        let total = 0n;
        for (const portion of portions) {
          const after = addFacts(sum, portion);
          total += totalPoints(pointsBetween(countPoints(sum), countPoints(after)));
          sum = after;
        }
        const whole = [...portions]
          .reverse()
          .reduce((left, right) => addFacts(left, right), noFacts);
        expect(total).toBe(totalPoints(countPoints(whole)));
      }),
    );
  });

  it('points: never below zero and never more than the exact value', () => {
    fc.assert(
      fc.property(facts, (day) => {
        const points = countPoints(day);
        expect(Object.values(points).every((each) => each >= 0n)).toBe(true);
        expect(points.trading).toBe(day.feesPaid);
        expect(points.referral * 10n <= day.refereeFees).toBe(true);
        expect(day.realizedProfit <= 0n || points.pnl * 10n <= day.realizedProfit).toBe(true);
        expect(points.holding * 3_600_000n * 1000n * 10n ** 18n <= day.valueHeld).toBe(true);
      }),
    );
  });
});

describe('shareTokens', () => {
  const participants = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { maxLength: 60 });
  const shareAll = (pool: bigint, points: readonly bigint[]) =>
    shareTokens(
      pool,
      points.map((each, key) => ({ key, points: toPoints(each) })),
    );

  it('shareTokens: the parts sum to the pool exactly, unless no account has points', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), participants, (pool, points) => {
        const given = shareAll(pool, points).reduce((sum, { tokens }) => sum + tokens, 0n);
        expect(given).toBe(points.some((each) => each > 0n) ? pool : 0n);
      }),
    );
  });

  it('shareTokens: no account is more than one token off the exact share', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), participants, (pool, points) => {
        const total = points.reduce((sum, each) => sum + each, 0n);
        fc.pre(total > 0n);
        for (const { key, tokens } of shareAll(pool, points)) {
          const floor = (pool * (points[key] ?? 0n)) / total;
          expect(tokens === floor || tokens === floor + 1n).toBe(true);
        }
      }),
    );
  });

  it('shareTokens: the largest remainders get the last tokens, the better rank before an equal', () => {
    const tokens = (pool: bigint, points: readonly bigint[]) =>
      shareAll(pool, points).map((share) => share.tokens);
    expect(tokens(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n]);
    expect(tokens(100n, [50n, 33n, 17n])).toEqual([50n, 33n, 17n]);
    expect(tokens(1n, [3n, 2n, 2n])).toEqual([1n, 0n, 0n]);
    expect(tokens(7n, [5n, 3n, 2n])).toEqual([4n, 2n, 1n]);
    expect(tokens(5n, [0n, 0n] as Points[])).toEqual([0n, 0n]);
  });
});

interface Move {
  readonly wait: number;
  readonly price: bigint | null;
  readonly quantity: bigint;
}

describe('Holdings', () => {
  const account = 1 as AccountId;
  const one = (10n ** 18n) as Decimal;
  const at = (time: number): TimestampMs => time as TimestampMs;

  it('holdings: value is quantity times mark price times time, day by day', () => {
    const book = new Holdings([], []);
    const midnight = 10 * dayMs;
    book.setMark(0, toAmount(usdt(100)), at(midnight - 7_200_000));
    book.setQuantity({ accountId: account, marketId: 0 }, one, at(midnight - 3_600_000));
    book.settleAll(at(midnight));
    book.setMark(0, toAmount(usdt(200)), at(midnight + 1_800_000));
    book.setQuantity({ accountId: account, marketId: 0 }, 0n as Decimal, at(midnight + 3_600_000));
    const values = book.earned.map(({ day, valueHeld }) => [day, valueHeld / 3_600_000n / one]);
    expect(values).toEqual([
      [9, usdt(100)],
      [10, usdt(150)],
    ]);
    expect(book.changes).toEqual({ open: [], closed: [{ accountId: account, marketId: 0 }] });
  });

  it('holdings: each day gets the same, however it is settled in portions', () => {
    const move = fc.record({
      wait: fc.integer({ min: 1, max: 20 * 3_600_000 }),
      price: fc.option(fc.bigInt({ min: 1n, max: 10n ** 13n }), { nil: null }),
      quantity: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    });
    const run = (moves: readonly Move[], extra: (index: number) => boolean) => {
      let book = new Holdings([], []);
      let time = 5 * dayMs;
      const days = new Map<number, bigint>();
      const take = () => {
        for (const { day, valueHeld } of book.earned) {
          days.set(day, (days.get(day) ?? 0n) + valueHeld);
        }
      };
      for (const [index, { wait, price, quantity }] of moves.entries()) {
        const next = time + wait;
        const moments = settlingMoments(at(time), at(next));
        for (const moment of moments) book.settleAll(moment);
        time = next;
        if (price !== null) book.setMark(0, toAmount(price), at(time));
        else book.setQuantity({ accountId: account, marketId: 0 }, quantity as Decimal, at(time));
        if (!extra(index)) continue;
        book.settleAll(at(time));
        take();
        book = new Holdings(book.marks, book.changes.open);
      }
      book.settleAll(at(time));
      take();
      return days;
    };
    fc.assert(
      fc.property(fc.array(move, { maxLength: 20 }), fc.integer(), (moves, seed) => {
        const often = run(moves, (index) => ((seed >> (index % 31)) & 1) === 1);
        expect(often).toEqual(run(moves, () => false));
      }),
    );
  });

  it('settlingMoments: each midnight, and the last full hour', () => {
    const day = 3 * dayMs;
    expect(settlingMoments(at(day + 1), at(day + 3_600_000 * 2 + 5))).toEqual([day + 7_200_000]);
    expect(settlingMoments(at(day + 1), at(day + 5))).toEqual([]);
    expect(settlingMoments(at(day - 1), at(day))).toEqual([day]);
    expect(settlingMoments(at(day), at(day + 2 * dayMs + 10))).toEqual([
      day + dayMs,
      day + 2 * dayMs,
    ]);
    expect(dayOf(at(day))).toBe(3);
  });
});
