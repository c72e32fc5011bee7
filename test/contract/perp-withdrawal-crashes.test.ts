import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelPerpWithdrawal } from '../../src/application/wallet/cancel-perp-withdrawal.ts';
import { confirmPerpWithdrawal } from '../../src/application/wallet/confirm-perp-withdrawal.ts';
import {
  type PerpWithdrawPorts,
  requestPerpWithdrawal,
} from '../../src/application/wallet/request-perp-withdrawal.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import { expectOk, nextUser } from '../support/spot-fixtures.ts';
import { CrashPoints, survives } from '../support/wallet/crash-points.ts';
import { usdtToken } from '../support/wallet/scripted-vault.ts';
import { released, WalletRig } from '../support/wallet/wallet-rig.ts';

// Each step of a perp withdrawal is cut off, before it and right after it, and the service starts
// again with nothing but the journal and the database.

const stepsMax = 14;

let rig: WalletRig;
beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());

async function perpUser(): Promise<Address> {
  const address = await nextUser(rig.service, { USDT: '100' });
  const body = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
  const path = '/api/v1/spot/transfer';
  await expectOk(rig.service.call({ method: 'POST', path, as: address, body }));
  return address;
}

interface Listed {
  readonly id: string;
  readonly status: string;
}

async function listed(address: Address): Promise<readonly Listed[]> {
  const call = rig.service.call({ path: '/api/v1/withdraw/history', as: address });
  return ((await expectOk(call)) as { data: { items: Listed[] } }).data.items;
}

/** `wallet reserved`, in whole USDT. */
function perpOf(address: Address): string {
  const { engine } = rig.service.exchange;
  const accountId = engine.findAccount(address);
  if (accountId === null) return 'none';
  const { walletBalance, reserved } = engine.futures.getPerpAccount(accountId);
  return `${walletBalance / 10n ** 8n} ${reserved / 10n ** 8n}`;
}

/** The ports of a process that dies there. */
function dying(crash: CrashPoints): PerpWithdrawPorts {
  const ports = crash.wrap(rig.parts);
  return { ...ports, walletSettler: rig.newSettler(ports) };
}

async function request(address: Address, crash = new CrashPoints(-1, 'before')): Promise<boolean> {
  const terms = { address, token: 'USDT', amount: requireDecimal('30') };
  return survives(() => requestPerpWithdrawal(dying(crash), terms));
}

async function restart(): Promise<void> {
  await rig.newSettler().run();
  await rig.newSettler().run();
  expect(findViolations(rig.service.exchange.engine as Engine)).toEqual([]);
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

test('request: after a restart it is pending with its amount reserved, or absent', async () => {
  await atEachStep(async (crash) => {
    const user = await perpUser();
    const isWhole = await request(user, crash);
    await restart();
    const withdrawals = await listed(user);
    expect(withdrawals.map(({ status }) => status)).toEqual(
      withdrawals.length === 0 ? [] : ['pending'],
    );
    expect(perpOf(user)).toBe(withdrawals.length === 0 ? '100 0' : '70 30');
    if (isWhole) expect(withdrawals).toHaveLength(1);
    return isWhole;
  });
});

test('confirm: after a restart it is signed or pending, and its amount reserved once', async () => {
  await atEachStep(async (crash) => {
    const user = await perpUser();
    await request(user);
    const [{ id } = { id: '' }] = await listed(user);
    const isWhole = await survives(() =>
      confirmPerpWithdrawal(dying(crash), { address: user, id }),
    );
    await restart();
    const [{ status } = { status: 'none' }] = await listed(user);
    expect(isWhole ? ['signed'] : ['signed', 'pending']).toContain(status);
    expect(perpOf(user)).toBe('70 30');
    const again = await confirmPerpWithdrawal(rig.parts, { address: user, id });
    expect(again).toMatchObject({ kind: 'done', withdrawal: { status: 'signed' } });
    return isWhole;
  });
});

test('cancel: after a restart it is canceled with the amount returned once, or pending', async () => {
  await atEachStep(async (crash) => {
    const user = await perpUser();
    await request(user);
    const [{ id } = { id: '' }] = await listed(user);
    const isWhole = await survives(() => cancelPerpWithdrawal(dying(crash), { address: user, id }));
    await restart();
    const [{ status } = { status: 'none' }] = await listed(user);
    expect(isWhole ? ['canceled'] : ['canceled', 'pending']).toContain(status);
    expect(perpOf(user)).toBe(status === 'canceled' ? '100 0' : '70 30');
    return isWhole;
  });
});

test('release and expiry: the amount leaves or comes back exactly once', async () => {
  for (const isReleased of [true, false]) {
    await atEachStep(async (crash) => {
      const user = await perpUser();
      await request(user);
      const [{ id } = { id: '' }] = await listed(user);
      await confirmPerpWithdrawal(rig.parts, { address: user, id });
      if (isReleased) {
        await rig.mine([released(user, 0, 30_000_000n, { token: usdtToken.address })]);
      } else {
        rig.vault.blockSeconds += 10_000;
        await rig.mine([], rig.vault.blockSeconds);
      }
      const isWhole = await survives(() => rig.newSettler(crash.wrap(rig.parts)).run());
      await restart();
      expect(await listed(user)).toMatchObject([{ status: isReleased ? 'completed' : 'expired' }]);
      expect(perpOf(user)).toBe(isReleased ? '70 0' : '100 0');
      return isWhole;
    });
  }
});

test('expiry: several concurrent settlers return the amount once', async () => {
  const user = await perpUser();
  await request(user);
  await request(user);
  const [{ id } = { id: '' }] = await listed(user);
  await confirmPerpWithdrawal(rig.parts, { address: user, id });
  rig.vault.blockSeconds += 10_000;
  await rig.mine([], rig.vault.blockSeconds);
  await Promise.all(Array.from({ length: 5 }, () => rig.newSettler().run()));
  await restart();
  expect(perpOf(user)).toBe('70 30');
});
