import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal, parseDecimal } from '../../domain/decimal.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { amountFromMicroUsdt, formatMicroUsdt } from '../../domain/micro-usdt.ts';
import {
  type AgentStatus,
  commissionOf,
  ownRate,
  type PaidFee,
  type ReferralRelations,
  shareFee,
} from './share-fee.ts';

const rate = (text: string): Decimal => parseDecimal(text) as Decimal;
const account = (number: number): AccountId => number as AccountId;

interface Link {
  readonly referrer: number;
  readonly subRate?: string;
}
interface Terms {
  readonly rate: string;
  readonly status?: AgentStatus;
}

function relations(
  links: Readonly<Record<number, Link>>,
  agents: Readonly<Record<number, Terms>>,
): ReferralRelations {
  return {
    findReferral: (of) => {
      const link = links[of];
      if (link === undefined) return null;
      const subRate = link.subRate === undefined ? null : rate(link.subRate);
      return { referrer: account(link.referrer), subRate };
    },
    findAgent: (of) => {
      const terms = agents[of];
      if (terms === undefined) return null;
      return { rebateRate: rate(terms.rate), status: terms.status ?? 'active' };
    },
  };
}

function paid(value: bigint, payer = 1): PaidFee {
  return {
    businessLine: 'spot',
    tradeNumber: 7,
    side: 'taker',
    payer: account(payer),
    value: toAmount(value),
  };
}

function shares(fee: PaidFee, all: ReferralRelations): readonly string[] {
  return shareFee(fee, all).map(
    ({ type, beneficiary, source, rate: at, commission }) =>
      `${type} ${beneficiary} from ${source}: ${formatMicroUsdt(commission)} at ${formatDecimal(at)}`,
  );
}

// Trader 1 is bound to 2; 2 is bound to 3.
const oneUsdt = 100_000_000n;

describe('shareFee', () => {
  test('shareFee: a trader without a referrer earns no one a commission', () => {
    expect(shares(paid(oneUsdt), relations({}, { 2: { rate: '0.1' } }))).toEqual([]);
  });

  test("shareFee: the referrer earns the fee times the referrer's rate", () => {
    const all = relations({ 1: { referrer: 2 } }, { 2: { rate: '0.1' } });
    expect(shares(paid(oneUsdt), all)).toEqual(['direct 2 from 1: 0.1 at 0.1']);
  });

  test("shareFee: an affiliate earns its sub_rate, its parent the parent's rate less that", () => {
    const all = relations(
      { 1: { referrer: 2 }, 2: { referrer: 3, subRate: '0.12' } },
      { 2: { rate: '0.1' }, 3: { rate: '0.3' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual([
      'direct 2 from 1: 0.12 at 0.12',
      'spread 3 from 2: 0.18 at 0.18',
    ]);
  });

  test('shareFee: a referrer that is bound but not an affiliate earns only its own rate', () => {
    const all = relations(
      { 1: { referrer: 2 }, 2: { referrer: 3 } },
      { 2: { rate: '0.1' }, 3: { rate: '0.3' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual(['direct 2 from 1: 0.1 at 0.1']);
  });

  test('shareFee: a parent that is an affiliate itself has its own sub_rate as its rate', () => {
    const all = relations(
      {
        1: { referrer: 2 },
        2: { referrer: 3, subRate: '0.1' },
        3: { referrer: 4, subRate: '0.25' },
      },
      { 2: { rate: '0.3' }, 3: { rate: '0.3' }, 4: { rate: '0.3' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual([
      'direct 2 from 1: 0.1 at 0.1',
      'spread 3 from 2: 0.15 at 0.15',
    ]);
  });

  test('shareFee: a sub_rate above the parent rate leaves no spread, and no row', () => {
    const all = relations(
      { 1: { referrer: 2 }, 2: { referrer: 3, subRate: '0.2' } },
      { 2: { rate: '0.1' }, 3: { rate: '0.15' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual(['direct 2 from 1: 0.2 at 0.2']);
  });

  test('shareFee: a suspended agent earns nothing, its parent still the spread', () => {
    const all = relations(
      { 1: { referrer: 2 }, 2: { referrer: 3, subRate: '0.1' } },
      { 2: { rate: '0.1', status: 'suspended' }, 3: { rate: '0.3' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual(['spread 3 from 2: 0.2 at 0.2']);
  });

  test('shareFee: a suspended parent earns no spread, its affiliate still its sub_rate', () => {
    const all = relations(
      { 1: { referrer: 2 }, 2: { referrer: 3, subRate: '0.1' } },
      { 2: { rate: '0.1' }, 3: { rate: '0.3', status: 'suspended' } },
    );
    expect(shares(paid(oneUsdt), all)).toEqual(['direct 2 from 1: 0.1 at 0.1']);
  });

  test.each([
    [999n, []],
    [1_000n, ['direct 2 from 1: 0.000001 at 0.1']],
    [1_999n, ['direct 2 from 1: 0.000001 at 0.1']],
    [2_000n, ['direct 2 from 1: 0.000002 at 0.1']],
  ])('shareFee: a fee of %i x 10^-8 is shared rounded down, and zero makes no row', (fee, rows) => {
    const all = relations({ 1: { referrer: 2 } }, { 2: { rate: '0.1' } });
    expect(shares(paid(fee), all)).toEqual(rows);
  });
});

const anyRate = fc.bigInt({ min: 0n, max: 10n ** 18n }).map((units) => units as Decimal);
const anyFee = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(toAmount);
const anyStatus = fc.constantFrom<AgentStatus>('active', 'suspended');

const anyRelations = fc
  .record({
    rates: fc.tuple(anyRate, anyRate, anyRate),
    statuses: fc.tuple(anyStatus, anyStatus, anyStatus),
    subRates: fc.tuple(fc.option(anyRate), fc.option(anyRate)),
  })
  .map(({ rates, statuses, subRates }): ReferralRelations => {
    const isAbove = (of: number): boolean => of >= 2 && of <= 4;
    return {
      findReferral: (of) => {
        if (of >= 4) return null;
        const subRate = of === 1 ? null : (subRates[of - 2] ?? null);
        return { referrer: account(of + 1), subRate };
      },
      findAgent: (of) =>
        isAbove(of)
          ? { rebateRate: rates[of - 2] as Decimal, status: statuses[of - 2] as AgentStatus }
          : null,
    };
  });

describe('shareFee, of any fee and any rates', () => {
  test('shareFee: the parts together never exceed the fee, and none is zero or negative', () => {
    fc.assert(
      fc.property(anyFee, anyRelations, (value, all) => {
        const earnings = shareFee({ ...paid(0n), value }, all);
        const sum = earnings.reduce((total, { commission }) => total + commission, 0n);
        expect(amountFromMicroUsdt(sum as never) <= value).toBe(true);
        expect(earnings.every(({ commission }) => commission > 0n)).toBe(true);
      }),
    );
  });

  test('shareFee: the rates of one fee add up to at most the greater of own rate and sub_rate', () => {
    fc.assert(
      fc.property(anyFee, anyRelations, (value, all) => {
        const earnings = shareFee({ ...paid(0n), value }, all);
        const sum = earnings.reduce((total, { rate: at }) => total + at, 0n);
        const above = all.findReferral(account(2));
        const direct = ownRate(account(2), all);
        const parent = above === null ? 0n : ownRate(above.referrer, all);
        expect(sum <= (direct > parent ? direct : parent)).toBe(true);
      }),
    );
  });

  test('shareFee: no account earns twice from one fee in the same way, or from its own trading', () => {
    fc.assert(
      fc.property(anyFee, anyRelations, (value, all) => {
        const earnings = shareFee({ ...paid(0n), value }, all);
        const keys = earnings.map(({ type, beneficiary }) => `${type} ${beneficiary}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(earnings.every(({ beneficiary }) => beneficiary !== 1)).toBe(true);
      }),
    );
  });

  test('commissionOf: is the exact product cut to micro-USDT', () => {
    fc.assert(
      fc.property(anyFee, anyRate, (fee, at) => {
        const exact = fee * at;
        const cut = commissionOf(fee, at) * 10n ** 20n;
        expect(cut <= exact && exact - cut < 10n ** 20n).toBe(true);
      }),
    );
  });
});
