import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';
import { FundLevels } from './fund-levels.ts';

const unit = 10n ** 8n;
const hours8 = 8 * 3_600_000;
const minute = 60_000;

function endOfMinute(moment: number): number {
  return (Math.floor(moment / minute) + 1) * minute;
}

describe('levels of the insurance fund', () => {
  it('levels: the highest of eight hours equals that of a plain list, in any order of levels', () => {
    const step = fc.record({ wait: fc.nat({ max: 4_000_000 }), level: fc.bigInt(0n, 50n) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const levels = new FundLevels();
        const plain: { until: number; level: bigint }[] = [];
        let now = 1_000_000;
        for (const { wait, level } of steps) {
          now += wait;
          levels.note(level, now);
          plain.push({ until: endOfMinute(now), level });
          const inForce = plain.filter(({ until }) => until + hours8 > now);
          const highest = inForce.reduce(
            (most, each) => (each.level > most ? each.level : most),
            7n,
          );
          expect(levels.highest(7n, now)).toBe(highest);
        }
      }),
    );
  });

  it('levels: falls of many hours stay a short list', () => {
    const levels = new FundLevels();
    for (let at = 0; at < 10_000; at += 1) {
      levels.note(BigInt(100_000 - at), at * 10_000);
      levels.highest(0n, at * 10_000);
    }
    expect(levels.list().length).toBeLessThanOrEqual(481);
  });
});

/** Closes an account that is 1,150 short of what its fall to 28,400 costs; what the fund paid. */
function bankrupt(futures: FuturesFixture, other: AccountId, number: number): string {
  futures.advance(61_000);
  futures.setIndex(30_000);
  const poor = futures.fund(number, 15_000);
  futures.place(other, 'sell', { price: 30_000, quantity: 10 });
  futures.place(poor, 'buy', { price: 30_000, quantity: 10 });
  const before = futures.engine.futures.insuranceFund;
  futures.setIndex(28_400);
  futures.advance(0);
  expect(futures.position(poor).quantity).toBe(0);
  return formatAmount(toAmount(before - futures.engine.futures.insuranceFund));
}

describe('drawdown of the insurance fund', () => {
  it('drawdown: a fund that has lost 30 % in eight hours reserves nothing until topped up', () => {
    const futures = new FuturesFixture();
    futures.setIndex(30_000);
    const other = futures.fund(1, 1_000_000);
    const topUp = (usdt: bigint): void => {
      const rest = { source: 'treasury', reason: null, reference: null } as const;
      futures.done({ type: 'moveHouseFunds', amount: toAmount(usdt * unit), ...rest });
    };
    topUp(3_400n);
    // A quarter of 3,400, then 637 of the 637.5 that are a quarter of what is left, by whole ticks.
    expect(bankrupt(futures, other, 2)).toBe('850');
    expect(bankrupt(futures, other, 3)).toBe('637');
    // 1,913 of 3,400 are left: more than 30 % are lost, both live and after a restart.
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(bankrupt(futures, other, 4)).toBe('0');
    topUp(1n);
    expect(bankrupt(futures, other, 5)).not.toBe('0');
  });

  it('drawdown: eight hours after the fall the fund reserves again', () => {
    const futures = new FuturesFixture();
    futures.setIndex(30_000);
    const other = futures.fund(1, 1_000_000);
    futures.done({
      type: 'moveHouseFunds',
      amount: toAmount(3_400n * unit),
      source: 'treasury',
      reason: null,
      reference: null,
    });
    expect(bankrupt(futures, other, 2)).toBe('850');
    expect(bankrupt(futures, other, 3)).toBe('637');
    expect(bankrupt(futures, other, 4)).toBe('0');
    futures.advance(hours8);
    expect(bankrupt(futures, other, 5)).not.toBe('0');
  });
});
