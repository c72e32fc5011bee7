import { expect, test } from 'vitest';
import { isOpen, requestedNotice, stepsOf } from './withdrawal-steps.ts';

const now = Date.parse('2026-01-15T12:00:00Z');
const current = (status: string, more: { deadline?: number; payable_at?: number } = {}) =>
  stepsOf({ status, deadline: null, ...more }, now).find(({ state }) => state === 'now')?.text;

test('withdrawal steps: each open status is one step, a finished withdrawal has none', () => {
  expect(current('pending')).toBe('Confirm');
  expect(current('review')).toBe('Review by two people');
  expect(current('approved')).toBe('Request signature');
  expect(current('signed')).toBe('Send from your wallet');
  expect(current('queued')).toBe('Payment by the vault');
  const statuses = ['pending', 'review', 'approved', 'signed', 'queued'];
  expect(statuses.map((status) => isOpen({ status, deadline: null }))).toEqual(
    statuses.map(() => true),
  );
  const over = ['completed', 'returned', 'expired', 'canceled'];
  expect(over.map((status) => isOpen({ status, deadline: null }))).toEqual(over.map(() => false));
});

test("withdrawal steps: the remaining lifetime of a signature and the time of the vault's payment are shown", () => {
  const signed = stepsOf({ status: 'signed', deadline: now / 1000 + 95 }, now);
  expect(signed[1]?.text).toBe('Signed, 1:35 left');
  expect(current('queued', { payable_at: now / 1000 })).toMatch(
    /^Payment by the vault from .+ on$/,
  );
});

test('withdrawal steps: a withdrawal in review is never called signed', () => {
  expect(requestedNotice({ status: 'review' })).not.toContain('is signed');
  expect(requestedNotice({ status: 'signed' })).toContain('is signed');
});

test('withdrawal steps: what was sent waits for the chain, and then for the service', () => {
  const standing = { status: 'signed', deadline: now / 1000 + 95 };
  const present = (isMined: boolean) =>
    stepsOf(standing, now, { isMined }).filter(({ state }) => state === 'now');
  expect(present(false)).toEqual([{ text: 'Sent from your wallet', state: 'now' }]);
  expect(present(true)).toEqual([{ text: 'Completed', state: 'now' }]);
});
