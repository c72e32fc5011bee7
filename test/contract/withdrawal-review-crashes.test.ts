import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  approveWithdrawal,
  type ReviewPorts,
  refuseWithdrawal,
} from '../../src/application/admin/withdrawal-reviews.ts';
import { confirmPerpWithdrawal } from '../../src/application/wallet/confirm-perp-withdrawal.ts';
import { requestPerpWithdrawal } from '../../src/application/wallet/request-perp-withdrawal.ts';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { signSpotWithdrawal } from '../../src/application/wallet/sign-spot-withdrawal.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import { balancesOf, expectOk, nextUser } from '../support/spot-fixtures.ts';
import { CrashPoints, survives } from '../support/wallet/crash-points.ts';
import {
  addressOf,
  alice,
  approvalOf,
  approve,
  bob,
  chainId,
  dayMs,
  refusalOf,
  reviewsOf,
  settledUser,
  startReviewRig,
} from '../support/wallet/review-rig.ts';
import { released, type WalletRig } from '../support/wallet/wallet-rig.ts';

// Each step of a withdrawal that people look at is cut off, before it and right after it, and the
// service starts again with nothing but the journal and the database.

const stepsMax = 14;
const undisturbed = () => new CrashPoints(-1, 'before');

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterAll(() => rig.close());

/** The ports of a process that dies there. */
function dying(crash: CrashPoints) {
  const ports = crash.wrap(rig.parts);
  return { ...ports, walletSettler: rig.newSettler(ports) };
}

function people(crash: CrashPoints): ReviewPorts {
  return {
    reviews: crash.wrap(rig.parts).reviews,
    approvers: [alice, bob].map(addressOf),
    chainId,
    vaultDomainName: 'SpotVault',
    now: () => (Date.now() + rig.laterMs) as TimestampMs,
  };
}

async function request(address: Address, crash = undisturbed()): Promise<boolean> {
  const terms = { address, token: 'DF', amount: requireDecimal('6') };
  return survives(() => requestWithdrawal(dying(crash), terms));
}

async function restart(): Promise<void> {
  await rig.newSettler().run();
  await rig.newSettler().run();
  expect(findViolations(rig.service.exchange.engine as Engine)).toEqual([]);
}

interface Listed {
  readonly id: string;
  readonly status: string;
}

async function listed(as: Address): Promise<readonly Listed[]> {
  const call = rig.service.call({ path: '/api/v1/spot/withdrawals', as });
  return ((await expectOk(call)) as { items: Listed[] }).items;
}

const dfOf = async (user: Address) => (await balancesOf(rig.service, user))['DF'];

async function reviewed() {
  const user = await settledUser(rig);
  await request(user);
  const [review] = await reviewsOf(rig, user);
  return { user, review: review! };
}

async function atEachStep(round: (crash: CrashPoints) => Promise<boolean>): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    let isWhole = false;
    for (let step = 0; step < stepsMax && !isWhole; step += 1) {
      isWhole = await round(new CrashPoints(step, moment));
    }
    expect(isWhole).toBe(true);
  }
}

test('request: after a restart it is in review with its amount set aside, or gone', async () => {
  await atEachStep(async (crash) => {
    const user = await settledUser(rig);
    const isWhole = await request(user, crash);
    await restart();
    const shown = await listed(user);
    expect(shown.map(({ status }) => status)).toEqual(shown.length === 0 ? [] : ['review']);
    expect(await dfOf(user)).toBe(shown.length === 0 ? '50 0' : '44 6');
    if (isWhole) expect(shown).toHaveLength(1);
    return isWhole;
  });
});

test('fault 26: approve: after a restart it is approved or in review, and may be approved', async () => {
  await atEachStep(async (crash) => {
    const { user, review } = await reviewed();
    const approvals = [await approvalOf(rig, alice, review), await approvalOf(rig, bob, review)];
    const isWhole = await survives(() => approveWithdrawal(people(crash), review.id, approvals));
    await restart();
    const [shown] = await listed(user);
    expect(isWhole ? ['approved'] : ['approved', 'review']).toContain(shown?.status);
    await approveWithdrawal(people(undisturbed()), review.id, approvals);
    expect(await listed(user)).toMatchObject([{ status: 'approved' }]);
    expect(await dfOf(user)).toBe('44 6');
    return isWhole;
  });
});

test('fault 26: sign: after a restart it is signed or approved, and is paid once', async () => {
  await atEachStep(async (crash) => {
    const { user, review } = await reviewed();
    await approve(rig, review);
    const isWhole = await survives(() => signSpotWithdrawal(dying(crash), user, review.id));
    await restart();
    const [shown] = await listed(user);
    expect(isWhole ? ['signed'] : ['signed', 'approved']).toContain(shown?.status);
    expect(await dfOf(user)).toBe('44 6');
    const again = await signSpotWithdrawal(dying(undisturbed()), user, review.id);
    expect(again).toMatchObject({ kind: 'done', withdrawal: { status: 'signed', nonce: 0 } });
    // Whatever was signed is for one nonce, which the vault spends once.
    const own = rig.vault.signed.filter(({ account }) => account === user);
    expect(new Set(own.map(({ nonce }) => nonce))).toEqual(new Set([0]));
    rig.vault.nonces.set(user, 1);
    await rig.mine([released(user, 0, 6n * 10n ** 18n)]);
    await restart();
    expect(await listed(user)).toMatchObject([{ status: 'completed' }]);
    expect(await dfOf(user)).toBe('44 0');
    return isWhole;
  });
});

test('refuse and run out: after a restart the amount is back once, or still set aside', async () => {
  for (const isRefused of [true, false]) {
    await atEachStep(async (crash) => {
      const { user, review } = await reviewed();
      const reason = 'not asked for';
      const approvals = [
        await refusalOf(alice, review.id, reason),
        await refusalOf(bob, review.id, reason),
      ];
      if (!isRefused) {
        await approve(rig, review);
        rig.laterMs += 4 * dayMs;
      }
      const isWhole = await survives(async () => {
        if (isRefused) await refuseWithdrawal(people(crash), review.id, { reason, approvals });
        await rig.newSettler(crash.wrap(rig.parts)).run();
      });
      await restart();
      const [shown] = await listed(user);
      expect(isWhole ? ['returned'] : ['returned', 'review']).toContain(shown?.status);
      expect(await dfOf(user)).toBe(shown?.status === 'returned' ? '50 0' : '44 6');
      return isWhole;
    });
  }
});

test('perp confirm: after a restart it is pending or in review, its amount set aside once', async () => {
  await atEachStep(async (crash) => {
    const user = await nextUser(rig.service, { USDT: '100' });
    const body = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
    const path = '/api/v1/spot/transfer';
    await expectOk(rig.service.call({ method: 'POST', path, as: user, body }));
    const terms = { address: user, token: 'USDT', amount: requireDecimal('30') };
    const asked = await requestPerpWithdrawal(dying(undisturbed()), terms);
    if (asked.kind !== 'done') throw new Error(asked.refusal);
    const { id } = asked.withdrawal;
    const name = { address: user, id };
    const isWhole = await survives(() => confirmPerpWithdrawal(dying(crash), name));
    await restart();
    const shown = await rig.parts.walletHistory.findPerpWithdrawal(user, id);
    expect(isWhole ? ['review'] : ['review', 'pending']).toContain(shown?.status);
    const { engine } = rig.service.exchange;
    const accountId = engine.findAccount(user);
    expect(engine.futures.getPerpAccount(accountId!).reserved).toBe(30n * 10n ** 8n);
    return isWhole;
  });
});
