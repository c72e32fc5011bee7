import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateWithdrawal } from '../../src/application/wallet/validate-withdrawal.ts';
import type { WithdrawalTerms } from '../../src/application/wallet/wallet-ports.ts';
import type { Amount } from '../../src/domain/amount.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { error } from '../support/plain-replies.ts';
import { anyText, balancesOf, expectOk, nextUser, outcomeOf } from '../support/spot-fixtures.ts';
import {
  addressOf,
  alice,
  approvalOf,
  approve,
  bob,
  dayMs,
  decide,
  refusalOf,
  reviewsOf,
  settledUser,
  startReviewRig,
  stranger,
} from '../support/wallet/review-rig.ts';
import { released, type WalletRig } from '../support/wallet/wallet-rig.ts';

const coin = 10n ** 8n;

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterAll(() => rig.close());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly nonce: number | null;
  readonly signature: string | null;
}

async function withdraw(as: Address, amount: string): Promise<Shown> {
  const path = '/api/v1/spot/withdraw/request';
  const body = { token: 'DF', amount };
  return (await expectOk(rig.service.call({ method: 'POST', path, as, body }))) as Shown;
}

async function show(as: Address, id: string): Promise<Shown> {
  return (await expectOk(
    rig.service.call({ path: `/api/v1/spot/withdrawals/${id}`, as }),
  )) as Shown;
}

const sign = (as: Address, id: string) =>
  outcomeOf(rig.service.call({ method: 'POST', path: `/api/v1/spot/withdrawals/${id}/sign`, as }));
const dfOf = async (user: Address) => (await balancesOf(rig.service, user))['DF'];
const settle = () => rig.newSettler().run();

async function reviewed(amount = '6') {
  const user = await settledUser(rig);
  const { id } = await withdraw(user, amount);
  const [review] = await reviewsOf(rig, user);
  return { user, id, review: review! };
}

async function approved() {
  const one = await reviewed();
  expect(await approve(rig, one.review)).toEqual({ status: 200, body: { ok: true } });
  return one;
}

describe('which withdrawals wait for people', () => {
  test('review: a typical withdrawal of an account that deposited two days ago is signed at once', async () => {
    const user = await settledUser(rig);
    expect(await withdraw(user, '4.9')).toMatchObject({ status: 'signed', nonce: 0 });
    expect(await reviewsOf(rig, user)).toEqual([]);
  });

  test('review: at R and above the amount is reserved, no nonce is taken, and nothing is signed', async () => {
    const user = await settledUser(rig);
    const signatures = rig.vault.signed.length;
    const answer = await withdraw(user, '5');
    expect(answer).toMatchObject({
      status: 'review',
      signature: null,
      nonce: null,
      deadline: null,
    });
    expect(await dfOf(user)).toBe('45 5');
    expect(rig.vault.signed).toHaveLength(signatures);
    expect(await show(user, answer.id)).toMatchObject({ status: 'review', finished_at: null });
    expect(await reviewsOf(rig, user)).toMatchObject([
      { id: answer.id, status: 'review', reasons: ['large_amount'], wallet: 'spot', amount: '5' },
    ]);
    // The slot is free for another one.
    expect(await withdraw(user, '1')).toMatchObject({ status: 'signed', nonce: 0 });
  });

  test('review: a balance that an administrator credited, and an account without deposits', async () => {
    const user = await nextUser(rig.service, { DF: '10' });
    expect(await withdraw(user, '1')).toMatchObject({ status: 'review' });
    expect(await reviewsOf(rig, user)).toMatchObject([
      { reasons: ['recent_deposit', 'credited_balance'] },
    ]);
  });

  test('review: an account with a credit of one token may have traded it for another', async () => {
    const user = await settledUser(rig, await nextUser(rig.service, { USDT: '10' }));
    expect(await withdraw(user, '1')).toMatchObject({ status: 'review' });
    expect(await reviewsOf(rig, user)).toMatchObject([{ reasons: ['credited_balance'] }]);
  });

  test('review: signatures that are not on chain yet count against the window', async () => {
    const limits = {
      approveFrom: (100n * coin) as Amount,
      instantMax: (5n * coin) as Amount,
      windowMax: (100n * coin) as Amount,
    };
    const [account, other] = [await settledUser(rig), await settledUser(rig)];
    const terms = { id: randomUUID(), account, token: 'DF', amount: ((coin * 9n) / 10n) as Amount };
    const accountId = rig.service.exchange.engine.findAccount(account)!;
    const { outstanding } = await rig.parts.reviews.loadFacts({ ...terms, ...limits, accountId });
    // Four fifths exactly; the vault counts in 10^-18.
    rig.vault.windowUsed = (80n * coin - outstanding) * 10n ** 10n;
    const judge = () =>
      validateWithdrawal(
        { ...rig.parts, reviewLimits: new Map([['DF', limits]]) },
        terms as WithdrawalTerms,
      );
    expect(await judge()).toEqual([]);
    await withdraw(other, '1');
    expect(await judge()).toEqual(['vault_window']);
    rig.vault.windowUsed = 0n;
  });

  test('review: an unreachable vault is a failed query, and nothing is reserved', async () => {
    const user = await settledUser(rig);
    rig.vault.isQueryFailing = true;
    const path = '/api/v1/spot/withdraw/request';
    const call = { method: 'POST', path, as: user, body: { token: 'DF', amount: '6' } } as const;
    expect(await outcomeOf(rig.service.call(call))).toEqual(error(500, 'chain query failed'));
    rig.vault.isQueryFailing = false;
    rig.vault.isSigning = false;
    expect(await outcomeOf(rig.service.call(call))).toEqual(error(500, 'signer unavailable'));
    rig.vault.isSigning = true;
    expect(await dfOf(user)).toBe('50 0');
  });

  test('review: while withdrawals are paused nothing is taken into review', async () => {
    const user = await settledUser(rig);
    const pause = (paused: boolean) =>
      expectOk(
        rig.service.call({
          method: 'PUT',
          path: '/api/v1/admin/withdrawals/pause',
          isAdmin: true,
          body: { paused },
        }),
      );
    await pause(true);
    const path = '/api/v1/spot/withdraw/request';
    const call = { method: 'POST', path, as: user, body: { token: 'DF', amount: '6' } } as const;
    expect(await outcomeOf(rig.service.call(call))).toEqual(error(500, 'signer unavailable'));
    await pause(false);
    expect(await dfOf(user)).toBe('50 0');
  });
});

describe('two people', () => {
  test('fault 25: one person twice, a stranger, a different amount, or an expired approval approve nothing', async () => {
    const { id, review } = await reviewed();
    const refused = error(403, 'APPROVALS_REQUIRED');
    const [ours, theirs] = [
      await approvalOf(rig, alice, review),
      await approvalOf(rig, bob, review),
    ];
    const wrong = [
      [],
      [ours],
      [ours, await approvalOf(rig, alice, review, { expires: ours.expires + 1 })],
      [ours, await approvalOf(rig, stranger, review)],
      [ours, await approvalOf(rig, bob, review, { rawAmount: 1n })],
      [ours, await approvalOf(rig, bob, review, { expires: 1_000_000 })],
      [ours, { ...theirs, expires: theirs.expires + 1 }],
    ];
    for (const approvals of wrong) {
      expect(await decide(rig, id, 'approve', { approvals })).toEqual(refused);
    }
    expect(await decide(rig, id, 'approve', { approvals: [ours, theirs] })).toMatchObject({
      status: 200,
    });
    const again = await decide(rig, id, 'approve', { approvals: [ours, theirs] });
    expect(again).toEqual(error(404, 'WITHDRAWAL_NOT_IN_REVIEW'));
    const audit = await rig.service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select('admin_actor')
        .where('action', '=', 'approve_withdrawal')
        .orderBy('id', 'desc')
        .executeTakeFirst(),
    );
    expect(audit?.admin_actor).toBe([alice, bob].map(addressOf).join(' and '));
  });

  test('fault 25: an approver cannot approve or refuse a withdrawal to their own wallet', async () => {
    const user = await settledUser(rig, addressOf(alice));
    const { id } = await withdraw(user, '6');
    const [review] = await reviewsOf(rig, user);
    expect(await approve(rig, review!)).toEqual(error(403, 'APPROVALS_REQUIRED'));
    const approvals = [await refusalOf(alice, id, 'no'), await refusalOf(bob, id, 'no')];
    const refused = await decide(rig, id, 'refuse', { reason: 'no', approvals });
    expect(refused).toEqual(error(403, 'APPROVALS_REQUIRED'));
  });

  test('review: refused by two people it is returned, and the amount is credited once', async () => {
    const { user, id } = await reviewed();
    const reason = 'the owner did not ask for it';
    const good = [await refusalOf(alice, id, reason), await refusalOf(bob, id, reason)];
    const other = [await refusalOf(alice, id, reason), await refusalOf(bob, id, 'another')];
    expect(await decide(rig, id, 'refuse', { reason, approvals: other })).toEqual(
      error(403, 'APPROVALS_REQUIRED'),
    );
    expect(await decide(rig, id, 'refuse', { reason, approvals: good })).toMatchObject({
      status: 200,
    });
    expect(await show(user, id)).toMatchObject({ status: 'review' });
    await settle();
    expect(await show(user, id)).toMatchObject({ status: 'returned', finished_at: anyText });
    expect(await dfOf(user)).toBe('50 0');
    expect(await decide(rig, id, 'refuse', { reason, approvals: good })).toEqual(
      error(404, 'WITHDRAWAL_NOT_IN_REVIEW'),
    );
    expect(await sign(user, id)).toEqual(error(409, 'withdrawal is not approved'));
  });

  test('review: unknown and malformed ids are not found', async () => {
    for (const id of ['nonsense', '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11']) {
      const answer = await decide(rig, id, 'approve', { approvals: [] });
      expect(answer).toEqual(error(404, 'WITHDRAWAL_NOT_IN_REVIEW'));
    }
  });
});

describe('approved withdrawals', () => {
  test('sign: only the owner can have it signed, once, with the approvals for the signer', async () => {
    const { user, id } = await approved();
    const other = await settledUser(rig);
    expect(await sign(other, id)).toEqual(error(404, 'not found'));
    const before = rig.vault.signed.length;
    const answer = await sign(user, id);
    expect(answer).toMatchObject({ status: 200, body: { id, status: 'signed', nonce: 0 } });
    expect(rig.vault.approvals.at(-1)).toMatchObject({ id, approvals: [{}, {}] });
    expect(await sign(user, id)).toEqual(answer);
    expect(rig.vault.signed).toHaveLength(before + 1);
    rig.vault.nonces.set(user, 1);
    await rig.mine([released(user, 0, 6n * 10n ** 18n)]);
    await settle();
    expect(await show(user, id)).toMatchObject({ status: 'completed' });
    expect(await dfOf(user)).toBe('44 0');
  });

  test('sign: an asset that was switched off after the approval is not signed until it is on', async () => {
    const { user, id } = await approved();
    const [tokens, signatures] = [rig.vault.tokens, rig.vault.signed.length];
    for (const others of [
      tokens.filter(({ symbol }) => symbol !== 'DF'),
      tokens.map((token) => (token.symbol === 'DF' ? { ...token, address: user } : token)),
    ]) {
      rig.vault.tokens = others;
      expect(await sign(user, id)).toEqual(error(503, 'spot blockchain not initialized'));
    }
    rig.vault.tokens = tokens;
    expect(rig.vault.signed).toHaveLength(signatures);
    expect(await sign(user, id)).toMatchObject({ status: 200, body: { status: 'signed' } });
  });

  test('fault 26: a withdrawal in review is not signed, whatever its owner requests', async () => {
    const { user, id } = await reviewed();
    expect(await sign(user, id)).toEqual(error(409, 'withdrawal is not approved'));
    expect(await show(user, id)).toMatchObject({ status: 'review' });
  });

  test('fault 23: while signing is halted it stays approved, and is signed afterwards', async () => {
    const { user, id } = await approved();
    rig.vault.isSigning = false;
    expect(await sign(user, id)).toEqual(error(500, 'signer unavailable'));
    rig.vault.isSigning = true;
    rig.vault.isSigningFailing = true;
    expect(await sign(user, id)).toEqual(error(500, 'sign failed'));
    rig.vault.isSigningFailing = false;
    expect(await show(user, id)).toMatchObject({ status: 'approved', signature: null });
    expect(await dfOf(user)).toBe('44 6');
    expect(await sign(user, id)).toMatchObject({ status: 200, body: { status: 'signed' } });
  });

  test('sign: an expired signature leaves it approved, for the same nonce only', async () => {
    const { user, id } = await approved();
    expect(await sign(user, id)).toMatchObject({ status: 200 });
    rig.vault.blockSeconds += 10_000;
    await rig.mine([], rig.vault.blockSeconds);
    await settle();
    expect(await show(user, id)).toMatchObject({ status: 'approved', nonce: null });
    expect(await dfOf(user)).toBe('44 6');
    // Its nonce is kept for it, so that two people's word is good for one payment.
    const path = '/api/v1/spot/withdraw/request';
    const call = { method: 'POST', path, as: user, body: { token: 'DF', amount: '1' } } as const;
    expect(await outcomeOf(rig.service.call(call))).toMatchObject({ status: 409 });
    rig.vault.nonces.set(user, 1);
    expect(await sign(user, id)).toMatchObject({ status: 409 });
    rig.vault.nonces.set(user, 0);
    expect(await sign(user, id)).toMatchObject({ body: { status: 'signed', nonce: 0 } });
  });

  test('fault 26: after 72 hours it is no longer signed, and the amount is returned once', async () => {
    const { user, id } = await approved();
    rig.laterMs += 3 * dayMs + 1_000;
    expect(await sign(user, id)).toEqual(error(409, 'withdrawal is not approved'));
    await settle();
    await settle();
    expect(await show(user, id)).toMatchObject({ status: 'returned' });
    expect(await dfOf(user)).toBe('50 0');
    expect(await sign(user, id)).toEqual(error(409, 'withdrawal is not approved'));
  });
});

describe('withdrawals of the perp wallet', () => {
  async function perpPending() {
    const user = await nextUser(rig.service, { USDT: '100' });
    const move = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
    const path = '/api/v1/spot/transfer';
    await expectOk(rig.service.call({ method: 'POST', path, as: user, body: move }));
    const body = { token: 'USDT', amount: '30' };
    const asked = rig.service.call({
      method: 'POST',
      path: '/api/v1/withdraw/request',
      as: user,
      body,
    });
    const { data } = (await expectOk(asked)) as { data: Shown };
    return { user, id: data.id };
  }
  const confirm = (as: Address, id: string) =>
    outcomeOf(rig.service.call({ method: 'POST', path: `/api/v1/withdraw/${id}/confirm`, as }));

  test('confirm: it waits for two people, and a second confirm signs it', async () => {
    const { user, id } = await perpPending();
    expect(await confirm(user, id)).toMatchObject({
      status: 200,
      body: { data: { status: 'review', signature: null, nonce: null } },
    });
    expect(await confirm(user, id)).toMatchObject({ status: 409 });
    const [review] = await reviewsOf(rig, user);
    expect(await approve(rig, review!)).toMatchObject({ status: 200 });
    expect(await confirm(user, id)).toMatchObject({
      status: 200,
      body: { data: { status: 'signed', nonce: 0 } },
    });
  });
});
