import { describe, expect, it } from 'vitest';
import type { Amount } from '../../domain/amount.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import {
  findReviewReasons,
  type ReviewFacts,
  type ReviewLimits,
  type ReviewReason,
} from './withdrawal-review.ts';

const amount = (value: number) => BigInt(value) as Amount;
const dayMs = 86_400_000;
const now = (10 * dayMs) as TimestampMs;
const at = (days: number) => (now - days * dayMs) as TimestampMs;

// An account may take 10,000 / 10 in a day at tier 4, and a fifth less with each tier below.
const limits: ReviewLimits = {
  approveFrom: amount(900),
  instantMax: amount(1_000),
  windowMax: amount(10_000),
};
const usual: ReviewFacts = {
  amount: amount(50),
  now,
  vipTier: 0,
  lastHour: { count: 0, amount: amount(0) },
  lastDay: { count: 0, amount: amount(0) },
  firstDepositAt: at(2),
  withdrawKeyAt: null,
  isCredited: false,
  hasVanishedDeposit: false,
  windowUsed: amount(0),
};

describe('findReviewReasons', () => {
  it.each<[string, Partial<ReviewFacts>, ReviewReason[]]>([
    ['a usual one', {}, []],
    ['below R', { vipTier: 5, amount: amount(500) }, []],
    ['R', { vipTier: 5, amount: amount(900) }, ['large_amount', 'account_velocity']],
    ['tier 0, half of a day in an hour', { amount: amount(100) }, []],
    ['tier 0, more in an hour', { amount: amount(101) }, ['account_velocity']],
    ['tier 1 has twice as much', { vipTier: 1, amount: amount(200) }, []],
    ['tier 1, more', { vipTier: 1, amount: amount(201) }, ['account_velocity']],
    ['tier 5 is as tier 4', { vipTier: 5, amount: amount(501) }, ['account_velocity']],
    ['with earlier ones', { lastHour: { count: 1, amount: amount(50) } }, []],
    ['too much an hour', { lastHour: { count: 1, amount: amount(51) } }, ['account_velocity']],
    ['too much a day', { lastDay: { count: 1, amount: amount(151) } }, ['account_velocity']],
    ['five in an hour', { lastHour: { count: 4, amount: amount(0) } }, []],
    ['six in an hour', { lastHour: { count: 5, amount: amount(0) } }, ['account_velocity']],
    ['eleven in a day', { lastDay: { count: 10, amount: amount(0) } }, ['account_velocity']],
    ['no deposit', { firstDepositAt: null }, ['recent_deposit']],
    ['a deposit of today', { firstDepositAt: at(0.99) }, ['recent_deposit']],
    ['a deposit of 24 hours ago', { firstDepositAt: at(1) }, []],
    ['a new key', { withdrawKeyAt: at(0.5) }, ['recent_permission']],
    ['an old key', { withdrawKeyAt: at(1) }, []],
    ['credited', { isCredited: true }, ['credited_balance']],
    ['a deposit vanished', { hasVanishedDeposit: true }, ['vanished_deposit']],
    [
      'four fifths of the window',
      { vipTier: 4, amount: amount(101), windowUsed: amount(8_000) },
      [],
    ],
    ['more, and I / 10', { amount: amount(100), windowUsed: amount(8_001) }, []],
    [
      'more, and above I / 10',
      { vipTier: 4, amount: amount(101), windowUsed: amount(8_001) },
      ['vault_window'],
    ],
  ])('findReviewReasons: %s', (_, changes, reasons) => {
    expect(findReviewReasons({ ...usual, ...changes }, limits)).toEqual(reasons);
  });
});
