import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import { balancesOf, expectOk, nextAddress, nextUser } from '../support/spot-fixtures.ts';
import { CrashPoints, survives } from '../support/wallet/crash-points.ts';
import { deposited, released, WalletRig } from '../support/wallet/wallet-rig.ts';

// Every step of a deposit and of a withdrawal is cut off, before it and right after it; then the
// service starts again, with nothing but the journal and the database.

const twoDf = 2n * 10n ** 18n;
const moments = ['before', 'after'] as const;
// More than any of the ways has, so that the last round runs undisturbed.
const stepsMax = 24;

let rig: WalletRig;
beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());

async function request(user: Address, crash: CrashPoints): Promise<boolean> {
  const ports = crash.wrap(rig.parts);
  const walletSettler = rig.newSettler(ports);
  const [token, amount] = ['DF', requireDecimal('2')];
  return survives(async () => {
    const outcome = await requestWithdrawal(
      { ...ports, walletSettler },
      { address: user, token, amount },
    );
    expect(outcome.kind).toBe('signed');
  });
}

async function settle(crash: CrashPoints): Promise<boolean> {
  return survives(() => rig.newSettler(crash.wrap(rig.parts)).run());
}

async function restart(): Promise<void> {
  await rig.newSettler().run();
  await rig.newSettler().run();
  expect(findViolations(rig.service.exchange.engine as Engine)).toEqual([]);
}

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly nonce: number;
  readonly deadline: number;
}

async function listed(user: Address): Promise<readonly Listed[]> {
  const call = rig.service.call({ path: '/api/v1/spot/withdrawals', as: user });
  return ((await expectOk(call)) as { items: Listed[] }).items;
}

async function dfOf(user: Address): Promise<string | undefined> {
  return (await balancesOf(rig.service, user))['DF'];
}

async function signedWithdrawal(): Promise<{ user: Address; deadline: number }> {
  const user = await nextUser(rig.service, { DF: '10' });
  expect(await request(user, new CrashPoints(-1, 'before'))).toBe(true);
  const [withdrawal] = await listed(user);
  return { user, deadline: withdrawal?.deadline ?? 0 };
}

/** Each step and moment, and the round without a crash at the end. */
async function atEachStep(round: (crash: CrashPoints) => Promise<boolean>): Promise<number> {
  for (const moment of moments) {
    for (let step = 0; step < stepsMax; step += 1) {
      const isWhole = await round(new CrashPoints(step, moment));
      if (isWhole) break;
      expect(step).toBeLessThan(stepsMax - 1);
    }
  }
  const undisturbed = new CrashPoints(-1, 'before');
  expect(await round(undisturbed)).toBe(true);
  return undisturbed.steps;
}

describe('withdrawal requests that are interrupted', () => {
  test('request: after a restart it is either signed with its lock, or absent without a trace', async () => {
    const steps = await atEachStep(async (crash) => {
      const user = await nextUser(rig.service, { DF: '10' });
      const isAnswered = await request(user, crash);
      await restart();
      const withdrawals = await listed(user);
      expect(await dfOf(user)).toBe(withdrawals.length === 0 ? '10 0' : '8 2');
      if (isAnswered) expect(withdrawals).toMatchObject([{ status: 'signed' }]);
      // The slot is free, or the caller learns which withdrawal holds it.
      const again = await request(user, new CrashPoints(-1, 'before')).catch(() => false);
      expect(again).toBe(withdrawals.length === 0);
      return isAnswered;
    });
    // Standing, slot, lock, signature, its saving.
    expect(steps).toBe(5);
  });

  test('request: a signature saved too late finds the withdrawal abandoned', async () => {
    const user = await nextUser(rig.service, { DF: '10' });
    // It dies after the lock; the settler of the next process abandons it.
    expect(await request(user, new CrashPoints(3, 'before'))).toBe(false);
    const [id = ''] = await rig.parts.walletStore.listUnfinishedWithdrawals();
    await restart();
    const slot = { id, nonce: 0, deadline: rig.vault.blockSeconds + 3_600 };
    const late = { signature: '0x01', signer: rig.vault.signer } as const;
    expect(await rig.parts.walletStore.saveSignature(slot, late)).toBe(false);
    expect(await dfOf(user)).toBe('10 0');
  });
});

describe('settling that is interrupted', () => {
  test('completion: the amount leaves exactly once', async () => {
    const steps = await atEachStep(async (crash) => {
      const { user } = await signedWithdrawal();
      await rig.mine([released(user, 0, twoDf)]);
      const isWhole = await settle(crash);
      await restart();
      expect(await dfOf(user)).toBe('8 0');
      expect(await listed(user)).toMatchObject([{ status: 'completed' }]);
      return isWhole;
    });
    expect(steps).toBe(10);
  });

  test('expiry: the amount is returned exactly once', async () => {
    const steps = await atEachStep(async (crash) => {
      const { user, deadline } = await signedWithdrawal();
      rig.vault.blockSeconds = deadline + 1;
      await rig.mine([], deadline + 1);
      const isWhole = await settle(crash);
      await restart();
      expect(await dfOf(user)).toBe('10 0');
      expect(await listed(user)).toMatchObject([{ status: 'expired' }]);
      return isWhole;
    });
    expect(steps).toBe(10);
  });

  test('reorganized release: reserved again, and paid once when it reappears', async () => {
    await atEachStep(async (crash) => {
      const { user } = await signedWithdrawal();
      await rig.mine([released(user, 0, twoDf)]);
      await rig.newSettler().run();
      expect(await dfOf(user)).toBe('8 0');
      await rig.fork(1);
      const isWhole = await settle(crash);
      await restart();
      expect(await dfOf(user)).toBe('8 2');
      expect(await listed(user)).toMatchObject([{ status: 'signed' }]);
      await rig.mine();
      await rig.mine([released(user, 0, twoDf)]);
      await restart();
      expect(await dfOf(user)).toBe('8 0');
      return isWhole;
    });
  });

  test('reorganized release that never reappears: returned once its deadline has passed', async () => {
    await atEachStep(async (crash) => {
      const { user, deadline } = await signedWithdrawal();
      await rig.mine([released(user, 0, twoDf)]);
      await rig.newSettler().run();
      await rig.fork(1);
      // Nobody has looked since: paid out in the engine, and expired on chain.
      rig.vault.blockSeconds = deadline + 1;
      await rig.mine([], deadline + 1);
      const isWhole = await settle(crash);
      await restart();
      expect(await dfOf(user)).toBe('10 0');
      return isWhole;
    });
  });

  test('completion: several concurrent settlers pay out once', async () => {
    const { user } = await signedWithdrawal();
    await rig.mine([released(user, 0, twoDf), deposited(user, 0, { logIndex: 1 })]);
    await Promise.all(Array.from({ length: 6 }, () => rig.newSettler().run()));
    await restart();
    expect(await dfOf(user)).toBe('9 0');
  });

  test('completion against expiry: a release in the last second wins over a later expiry', async () => {
    const { user, deadline } = await signedWithdrawal();
    const { number } = rig.head;
    const event = released(user, 0, twoDf);
    await rig.mine([event], deadline);
    rig.vault.blockSeconds = deadline + 1;
    await rig.mine([], deadline + 1);
    expect(rig.head.number).toBe(number + 2);
    await restart();
    expect(await dfOf(user)).toBe('8 0');
    expect(await listed(user)).toMatchObject([{ status: 'completed' }]);
  });

  test('release of an expired withdrawal: waits for an operator, and nothing is paid twice automatically', async () => {
    const { user, deadline } = await signedWithdrawal();
    rig.vault.blockSeconds = deadline + 1;
    await rig.mine([], deadline + 1);
    await restart();
    const before = await rig.ledger.countParkedEvents();
    await rig.mine([released(user, 0, twoDf)]);
    await restart();
    expect(await rig.ledger.countParkedEvents()).toBe(before + 1);
    expect(await dfOf(user)).toBe('10 0');
  });

  test('a release that could not be applied keeps its withdrawal from expiring', async () => {
    const { user, deadline } = await signedWithdrawal();
    await rig.mine([released(user, 0, 1n)]);
    rig.vault.blockSeconds = deadline + 1;
    await rig.mine([], deadline + 1);
    await restart();
    expect(await dfOf(user)).toBe('8 2');
    expect(await listed(user)).toMatchObject([{ status: 'signed' }]);
  });
});

describe('deposits that are interrupted', () => {
  test('deposit: credited exactly once', async () => {
    const steps = await atEachStep(async (crash) => {
      const user = nextAddress();
      await rig.mine([deposited(user, 0), deposited(user, 1)]);
      const isWhole = await settle(crash);
      await restart();
      expect(await dfOf(user)).toBe('2 0');
      return isWhole;
    });
    // The check and the list, three steps per deposit, the two lists of withdrawals.
    expect(steps).toBe(10);
  });

  test('deposit in another block after a reorganization: credited exactly once', async () => {
    await atEachStep(async (crash) => {
      const user = nextAddress();
      await rig.mine([deposited(user, 0)]);
      const isWhole = await settle(crash);
      await rig.fork(1);
      await rig.newSettler().run();
      await rig.mine();
      await rig.mine([deposited(user, 0, { logIndex: 7 })]);
      await restart();
      expect(await dfOf(user)).toBe('1 0');
      return isWhole;
    });
  });

  test('deposit that the chain rolls back: credited before, or never', async () => {
    await atEachStep(async (crash) => {
      const user = nextAddress();
      await rig.mine([deposited(user, 0)]);
      const isWhole = await settle(crash);
      await rig.fork(1);
      const isCredited = (await dfOf(user)) === '1 0';
      await rig.mine();
      await restart();
      expect(await dfOf(user)).toBe(isCredited ? '1 0' : undefined);
      return isWhole;
    });
  });

  test('deposit of a different amount with a credited number: waits for an operator', async () => {
    const user = nextAddress();
    await rig.mine([deposited(user, 0)]);
    await restart();
    await rig.fork(1);
    const before = await rig.ledger.countParkedEvents();
    await rig.mine([deposited(user, 0, { rawAmount: 5n * 10n ** 18n })]);
    await restart();
    expect(await rig.ledger.countParkedEvents()).toBe(before + 1);
    expect(await dfOf(user)).toBe('1 0');
  });
});
