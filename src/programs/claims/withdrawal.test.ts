import { describe, expect, it } from 'vitest';
import {
  checkWithdrawalSlot,
  isWithdrawalExpired,
  observeRelease,
  type Withdrawal,
  type WithdrawalStatus,
} from './withdrawal.ts';

function withdrawal(status: WithdrawalStatus, changes: Partial<Withdrawal> = {}): Withdrawal {
  return { token: '0xdf', rawAmount: 5n, nonce: 3, deadline: 1_000, status, ...changes };
}

const release = { token: '0xdf', rawAmount: 5n, nonce: 3 };

describe('checkWithdrawalSlot', () => {
  it.each<[WithdrawalStatus, number, string | null]>([
    ['signed', 3, 'withdrawal_pending'],
    ['signed', 2, 'withdrawal_pending'],
    // Its nonce is spent on chain, though the release is not confirmed yet.
    ['signed', 4, null],
    ['reserved', 3, 'withdrawal_slot_conflict'],
    ['reserved', 2, null],
    // It keeps the nonce for which it was signed once.
    ['approved', 3, 'withdrawal_slot_conflict'],
    ['approved', 2, null],
    ['review', 3, null],
    ['refused', 3, null],
    ['completed', 3, 'withdrawal_slot_conflict'],
    ['completed', 4, null],
    ['queued', 3, 'withdrawal_slot_conflict'],
    ['queued', 4, null],
    ['returned', 3, 'withdrawal_slot_conflict'],
    ['returned', 4, null],
    ['expired', 3, null],
    ['abandoned', 3, null],
    ['canceled', 3, null],
    ['pending', 3, null],
    ['opening', 3, null],
  ])(
    'checkWithdrawalSlot: %s at nonce 3 where the vault expects %d: %s',
    (status, nonce, reason) => {
      const expected = reason === null ? null : { reason };
      expect(checkWithdrawalSlot([withdrawal(status)], nonce)).toEqual(expected);
    },
  );

  it('checkWithdrawalSlot: a pending one counts before a conflict', () => {
    const live = [withdrawal('reserved'), withdrawal('signed', { nonce: 4 })];
    expect(checkWithdrawalSlot(live, 3)).toEqual({ reason: 'withdrawal_pending' });
  });
});

describe('observeRelease', () => {
  const changed = { kind: 'contradiction', contradiction: 'release_changed' };
  const ofExpired = { kind: 'contradiction', contradiction: 'release_of_expired' };
  const notSigned = { kind: 'contradiction', contradiction: 'release_not_signed' };
  it.each<[WithdrawalStatus, object, object]>([
    // The vault has paid it, or has put it into its queue.
    ['signed', { kind: 'completed' }, { kind: 'queued' }],
    ['completed', { kind: 'known' }, changed],
    ['queued', changed, { kind: 'known' }],
    ['returned', ofExpired, ofExpired],
    ['expired', ofExpired, ofExpired],
    ['approved', ofExpired, ofExpired],
    ['review', notSigned, notSigned],
    ['refused', notSigned, notSigned],
    ['reserved', notSigned, notSigned],
    ['abandoned', notSigned, notSigned],
    ['opening', notSigned, notSigned],
    ['pending', notSigned, notSigned],
    ['canceled', notSigned, notSigned],
  ])('observeRelease: of a withdrawal that is %s', (status, paid, queued) => {
    expect(observeRelease(withdrawal(status), release, 'completed')).toEqual(paid);
    expect(observeRelease(withdrawal(status), release, 'queued')).toEqual(queued);
  });

  it('observeRelease: of an unknown withdrawal, or with a different nonce, token or amount', () => {
    const observe = (row: Withdrawal | null, seen: object = {}) =>
      observeRelease(row, { ...release, ...seen }, 'completed');
    const signed = withdrawal('signed');
    expect(observe(null)).toEqual(notSigned);
    expect(observe(signed, { nonce: 4 })).toEqual(notSigned);
    expect(observe(signed, { token: '0xdd' })).toEqual(changed);
    expect(observe(signed, { rawAmount: 6n })).toEqual(changed);
  });
});

it('isWithdrawalExpired: only a signed one, after its deadline, with its nonce proven unused', () => {
  const { nonce } = withdrawal('signed');
  expect(isWithdrawalExpired(withdrawal('signed'), 1_000, nonce)).toBe(false);
  expect(isWithdrawalExpired(withdrawal('signed'), 1_001, nonce)).toBe(true);
  expect(isWithdrawalExpired(withdrawal('signed'), 1_001, nonce + 1)).toBe(false);
  for (const status of ['reserved', 'completed', 'pending', 'expired'] as const) {
    expect(isWithdrawalExpired(withdrawal(status), 2_000, nonce)).toBe(false);
  }
});
