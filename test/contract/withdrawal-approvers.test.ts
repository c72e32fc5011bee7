import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolvingText } from '../../src/application/admin/waiting-events.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { error } from '../support/plain-replies.ts';
import { expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import {
  alice,
  approvalOf,
  bob,
  stranger as carol,
  chainId,
  dayMs,
  decide,
  type ListedReview,
  refusalOf,
  reviewsOf,
  settledUser,
  startReviewRig,
} from '../support/wallet/review-rig.ts';
import { deposited, type WalletRig } from '../support/wallet/wallet-rig.ts';

const ok = { status: 200, body: { ok: true } };
const required = error(403, 'APPROVALS_REQUIRED');
const unknown = `0x${'77'.repeat(20)}` as Address;

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig([alice, bob, carol]);
});
afterAll(() => rig.close());

/** A deposit of an unknown token, which Alice and Bob have had credited as 50 DF. */
async function creditedUser(): Promise<Address> {
  const account = nextAddress();
  const rawAmount = 50n * 10n ** 18n;
  await rig.mine([deposited(account, 0, { token: unknown, rawAmount })]);
  await rig.newSettler().run();
  const path = '/api/v1/admin/chain/parked';
  const list = rig.service.call({ path: `${path}?account=${account}`, isAdmin: true });
  const { items } = (await expectOk(list)) as { items: { id: string }[] };
  const { id } = items[0]!;
  const end = { action: 'credit_as', token: 'DF' } as const;
  const event = await rig.eventPorts.events.find(id);
  const reason = 'it is DF';
  const message = resolvingText(chainId, event!, {
    end: { ...end, amount: rawAmount as never },
    reason,
  });
  const approvals = await Promise.all([alice, bob].map((each) => each.signMessage({ message })));
  const body = { ...end, amount: '50', reason, approvals };
  const resolved = { method: 'POST', path: `${path}/${id}/resolve`, isAdmin: true, body } as const;
  expect(await outcomeOf(rig.service.call(resolved))).toEqual(ok);
  return account;
}

async function reviewOf(account: Address): Promise<ListedReview> {
  const path = '/api/v1/spot/withdraw/request';
  const body = { token: 'DF', amount: '6' };
  const call = rig.service.call({ method: 'POST', path, as: account, body });
  expect(await expectOk(call)).toMatchObject({ status: 'review' });
  const [review] = await reviewsOf(rig, account);
  return review!;
}

async function approveBy(people: readonly (typeof alice)[], review: ListedReview) {
  const approvals = await Promise.all(people.map((each) => approvalOf(rig, each, review)));
  return decide(rig, review.id, 'approve', { approvals });
}

test('fault 25: someone who credited the account within 30 days cannot approve its withdrawal', async () => {
  const account = await creditedUser();
  const review = await reviewOf(account);
  expect(await approveBy([alice, bob], review)).toEqual(required);
  expect(await approveBy([alice, bob, carol], review)).toEqual(required);
  expect(await reviewsOf(rig, account)).toMatchObject([{ id: review.id, status: 'review' }]);
  // Another account is not theirs.
  const other = await settledUser(rig);
  expect(await approveBy([alice, bob], await reviewOf(other))).toEqual(ok);
  rig.laterMs += 30 * dayMs;
  expect(await approveBy([alice, bob], review)).toEqual(ok);
});

test('review: someone who credited the account may refuse its withdrawal', async () => {
  rig.laterMs = 0;
  const review = await reviewOf(await creditedUser());
  const reason = 'not theirs';
  const approvals = await Promise.all(
    [alice, bob].map((each) => refusalOf(each, review.id, reason)),
  );
  expect(await decide(rig, review.id, 'refuse', { reason, approvals })).toEqual(ok);
});
