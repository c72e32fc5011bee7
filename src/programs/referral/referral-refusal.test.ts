import { expect, test } from 'vitest';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { judgeBinding, judgeCode, judgePromotion, judgeSubRate } from './referral-refusal.ts';

const rate = (text: string): Decimal => parseDecimal(text) as Decimal;

// Each row mends what the row before was refused for: the refusals come in the table's order.

test('judgeCode: INVALID_CODE, CODE_TAKEN, CODE_ALREADY_CREATED, in this order', () => {
  const facts = { code: 'abc', isTaken: true, hasCode: true };
  expect(judgeCode(facts)).toBe('code_malformed');
  expect(judgeCode({ ...facts, code: 'ABCD' })).toBe('code_taken');
  expect(judgeCode({ ...facts, code: 'ABCD', isTaken: false })).toBe('code_already_created');
  expect(judgeCode({ code: 'ABCD', isTaken: false, hasCode: false })).toBeNull();
});

test('judgeBinding: CODE_NOT_FOUND, SELF_REFERRAL, ALREADY_BOUND, REFERRAL_CYCLE, in this order', () => {
  const worst = { isCodeKnown: false, isOwnCode: true, isBound: true, isOwnerBelowTrader: true };
  expect(judgeBinding(worst)).toBe('code_not_found');
  expect(judgeBinding({ ...worst, isCodeKnown: true })).toBe('self_referral');
  expect(judgeBinding({ ...worst, isCodeKnown: true, isOwnCode: false })).toBe('already_bound');
  const free = { isCodeKnown: true, isOwnCode: false, isBound: false };
  expect(judgeBinding({ ...free, isOwnerBelowTrader: true })).toBe('cycle');
  expect(judgeBinding({ ...free, isOwnerBelowTrader: false })).toBeNull();
});

test('judgePromotion: the rows of POST affiliates in the order of the error table', () => {
  const worst = {
    isSelf: true,
    subRate: rate('0.2'),
    ownRate: rate('0.1'),
    isRegistered: false,
    agentStatus: null,
    isBoundToCaller: false,
    isAffiliate: true,
  } as const;
  expect(judgePromotion(worst)).toBe('self_assignment');
  const other = { ...worst, isSelf: false };
  expect(judgePromotion(other)).toBe('sub_rate_exceeds_own');
  const within = { ...other, subRate: rate('0.1') };
  expect(judgePromotion(within)).toBe('account_not_found');
  const registered = { ...within, isRegistered: true };
  expect(judgePromotion(registered)).toBe('target_not_agent');
  expect(judgePromotion({ ...registered, agentStatus: 'suspended' })).toBe('target_not_agent');
  const agent = { ...registered, agentStatus: 'active' } as const;
  expect(judgePromotion(agent)).toBe('target_not_direct_trader');
  const bound = { ...agent, isBoundToCaller: true };
  expect(judgePromotion(bound)).toBe('already_affiliate');
  expect(judgePromotion({ ...bound, isAffiliate: false })).toBeNull();
});

test.each([
  ['-0.000000000000000001', 'sub_rate_exceeds_own'],
  ['0', null],
  ['0.1', null],
  ['0.100000000000000001', 'sub_rate_exceeds_own'],
])('judgeSubRate: 0 <= sub_rate <= own rate of 0.1: %s gives %s', (text, refusal) => {
  const facts = { subRate: rate(text), ownRate: rate('0.1'), isAffiliate: true };
  expect(judgeSubRate(facts)).toBe(refusal);
});

test('judgeSubRate: SUB_RATE_EXCEEDS_OWN comes before AFFILIATE_NOT_FOUND', () => {
  const facts = { ownRate: rate('0.1'), isAffiliate: false };
  expect(judgeSubRate({ ...facts, subRate: rate('0.2') })).toBe('sub_rate_exceeds_own');
  expect(judgeSubRate({ ...facts, subRate: rate('0.1') })).toBe('affiliate_not_found');
});
