import { expect, test } from 'vitest';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { checkBinding, checkCode, checkPromotion, checkSubRate } from './referral-refusal.ts';

const rate = (text: string): Decimal => parseDecimal(text) as Decimal;

// Each row fixes what the previous row was refused for: the refusals come in the table's order.

test('checkCode: INVALID_CODE, CODE_TAKEN, CODE_ALREADY_CREATED, in this order', () => {
  const facts = { code: 'abc', isTaken: true, hasCode: true };
  expect(checkCode(facts)).toBe('code_malformed');
  expect(checkCode({ ...facts, code: 'ABCD' })).toBe('code_taken');
  expect(checkCode({ ...facts, code: 'ABCD', isTaken: false })).toBe('code_already_created');
  expect(checkCode({ code: 'ABCD', isTaken: false, hasCode: false })).toBeNull();
});

test('checkBinding: CODE_NOT_FOUND, SELF_REFERRAL, ALREADY_BOUND, REFERRAL_CYCLE, in this order', () => {
  const worst = { isCodeKnown: false, isOwnCode: true, isBound: true, isOwnerBelowTrader: true };
  expect(checkBinding(worst)).toBe('code_not_found');
  expect(checkBinding({ ...worst, isCodeKnown: true })).toBe('self_referral');
  expect(checkBinding({ ...worst, isCodeKnown: true, isOwnCode: false })).toBe('already_bound');
  const free = { isCodeKnown: true, isOwnCode: false, isBound: false };
  expect(checkBinding({ ...free, isOwnerBelowTrader: true })).toBe('cycle');
  expect(checkBinding({ ...free, isOwnerBelowTrader: false })).toBeNull();
});

test('checkPromotion: the rows of POST affiliates in the order of the error table', () => {
  const worst = {
    isSelf: true,
    subRate: rate('0.2'),
    ownRate: rate('0.1'),
    isRegistered: false,
    agentStatus: null,
    isBoundToCaller: false,
    isAffiliate: true,
  } as const;
  expect(checkPromotion(worst)).toBe('self_assignment');
  const other = { ...worst, isSelf: false };
  expect(checkPromotion(other)).toBe('sub_rate_exceeds_own');
  const within = { ...other, subRate: rate('0.1') };
  expect(checkPromotion(within)).toBe('account_not_found');
  const registered = { ...within, isRegistered: true };
  expect(checkPromotion(registered)).toBe('target_not_agent');
  expect(checkPromotion({ ...registered, agentStatus: 'suspended' })).toBe('target_not_agent');
  const agent = { ...registered, agentStatus: 'active' } as const;
  expect(checkPromotion(agent)).toBe('target_not_direct_trader');
  const bound = { ...agent, isBoundToCaller: true };
  expect(checkPromotion(bound)).toBe('already_affiliate');
  expect(checkPromotion({ ...bound, isAffiliate: false })).toBeNull();
});

test.each([
  ['-0.000000000000000001', 'sub_rate_exceeds_own'],
  ['0', null],
  ['0.1', null],
  ['0.100000000000000001', 'sub_rate_exceeds_own'],
])('checkSubRate: 0 <= sub_rate <= own rate of 0.1: %s gives %s', (text, refusal) => {
  const facts = { subRate: rate(text), ownRate: rate('0.1'), isAffiliate: true };
  expect(checkSubRate(facts)).toBe(refusal);
});

test('checkSubRate: SUB_RATE_EXCEEDS_OWN comes before AFFILIATE_NOT_FOUND', () => {
  const facts = { ownRate: rate('0.1'), isAffiliate: false };
  expect(checkSubRate({ ...facts, subRate: rate('0.2') })).toBe('sub_rate_exceeds_own');
  expect(checkSubRate({ ...facts, subRate: rate('0.1') })).toBe('affiliate_not_found');
});
