import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EngineBusyError } from '../../src/application/ports/exchange.ts';
import { confirmPerpWithdrawal } from '../../src/application/wallet/confirm-perp-withdrawal.ts';
import { requestPerpWithdrawal } from '../../src/application/wallet/request-perp-withdrawal.ts';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { balancesOf, expectOk, nextUser } from '../support/spot-fixtures.ts';
import { settledUser, startReviewRig } from '../support/wallet/review-rig.ts';
import { released, type WalletParts, type WalletRig } from '../support/wallet/wallet-rig.ts';

// A process that makes a withdrawal is paused for so long that another one gives it up.

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterAll(() => rig.close());

/** The other process. */
const settle = () => rig.newSettler().run();

/** What holds once the settler has come by: the money that was set aside shows a moment later. */
async function expectSettled(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(async () => {
    await settle();
    await check();
  });
}

/** The store in a process that is paused before or after this call. */
function slowAt<T extends object>(
  store: T,
  method: keyof T,
  moment: 'before' | 'after',
  meanwhile: () => Promise<unknown> = settle,
): T {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(target) as unknown;
      return async (...args: unknown[]) => {
        if (moment === 'before') await meanwhile();
        const answer: unknown = await Reflect.apply(value, target, args);
        if (moment === 'after') await meanwhile();
        return answer;
      };
    },
  });
}

function withdraw(user: Address, amount: string, parts: Partial<WalletParts> = {}) {
  const request = { address: user, token: 'DF', amount: requireDecimal(amount) };
  return requestWithdrawal({ ...rig.parts, ...parts }, request);
}

describe('a withdrawal that another process has abandoned', () => {
  test.each([
    ['after', 'openWithdrawal'],
    ['before', 'saveSignature'],
  ] as const)(
    'slow process: %s %s it is refused, and its amount returns',
    async (moment, method) => {
      const user = await settledUser(rig);
      const walletStore = slowAt(rig.parts.walletStore, method, moment);
      await expect(withdraw(user, '2', { walletStore })).rejects.toThrow(EngineBusyError);
      await expectSettled(async () => {
        expect(await balancesOf(rig.service, user)).toEqual({ DF: '50 0' });
      });
      expect(await withdraw(user, '2')).toMatchObject({ kind: 'signed' });
    },
  );

  test.each([
    ['after', 'open'],
    ['before', 'markReview'],
  ] as const)(
    'slow process: %s %s of a review it is refused, and its amount returns',
    async (moment, method) => {
      const user = await settledUser(rig);
      const reviews = slowAt(rig.parts.reviews, method, moment);
      await expect(withdraw(user, '6', { reviews })).rejects.toThrow(EngineBusyError);
      await expectSettled(async () => {
        expect(await balancesOf(rig.service, user)).toEqual({ DF: '50 0' });
      });
      expect(await withdraw(user, '6')).toMatchObject({ kind: 'review' });
    },
  );
});

describe('a withdrawal whose payment the chain takes back and includes again', () => {
  test('slow process: what it reopens after another has settled is completed again', async () => {
    const user = await settledUser(rig);
    await withdraw(user, '2');
    const paid = released(user, 0, 2n * 10n ** 18n);
    await rig.mine([paid]);
    await expectSettled(async () => {
      expect(await balancesOf(rig.service, user)).toEqual({ DF: '48 0' });
    });
    await rig.fork(1);
    const exchange = slowAt(rig.parts.exchange, 'submit', 'before', async () => {
      await rig.mine([paid]);
      await settle();
    });
    await rig.newSettler({ exchange }).run();
    await expectSettled(async () => {
      expect(await balancesOf(rig.service, user)).toEqual({ DF: '48 0' });
    });
  });
});

describe('a withdrawal that expires after the chain has taken back its payment', () => {
  test('slow process: what another has given back is not given back again', async () => {
    const user = await settledUser(rig);
    const made = await withdraw(user, '2');
    const { deadline } = (made as { withdrawal: { deadline: number } }).withdrawal;
    await rig.mine([released(user, 0, 2n * 10n ** 18n)]);
    await expectSettled(async () => {
      expect(await balancesOf(rig.service, user)).toEqual({ DF: '48 0' });
    });
    await rig.fork(1);
    await rig.mine([], deadline + 1);
    const exchange = slowAt(rig.parts.exchange, 'submit', 'before', () =>
      expectSettled(async () => {
        expect(await balancesOf(rig.service, user)).toEqual({ DF: '50 0' });
      }),
    );
    await rig.newSettler({ exchange }).run();
    await expectSettled(async () => {
      expect(await rig.parts.walletStore.hasUnsettled()).toBe(false);
    });
    expect(await balancesOf(rig.service, user)).toEqual({ DF: '50 0' });
  });
});

describe('a perp withdrawal that another process has given up', () => {
  const terms = (address: Address) => ({
    address,
    token: 'USDT',
    amount: requireDecimal('3'),
  });

  async function perpUser(): Promise<Address> {
    const address = await nextUser(rig.service, { USDT: '100' });
    const body = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
    const path = '/api/v1/spot/transfer';
    await expectOk(rig.service.call({ method: 'POST', path, as: address, body }));
    return address;
  }

  /** Reserved for withdrawals, in whole USDT. */
  function reservedOf(address: Address): bigint {
    const { engine } = rig.service.exchange;
    return engine.futures.getPerpAccount(engine.findAccount(address)!).reserved / 10n ** 8n;
  }

  test.each([
    ['after', 'openPending'],
    ['before', 'markPending'],
  ] as const)(
    'slow process: %s %s it is refused, and its amount returns',
    async (moment, method) => {
      const address = await perpUser();
      const perpWithdrawals = slowAt(rig.parts.perpWithdrawals, method, moment);
      const made = requestPerpWithdrawal({ ...rig.parts, perpWithdrawals }, terms(address));
      await expect(made).rejects.toThrow(EngineBusyError);
      await expectSettled(() => expect(reservedOf(address)).toBe(0n));
    },
  );

  test('slow process: before its signature is stored it is refused, and waits to be confirmed', async () => {
    const address = await perpUser();
    const parts = { ...rig.parts, reviewLimits: null };
    const made = await requestPerpWithdrawal(rig.parts, terms(address));
    const { id } = (made as { withdrawal: { id: string } }).withdrawal;
    const walletStore = slowAt(rig.parts.walletStore, 'saveSignature', 'before');
    const confirmed = confirmPerpWithdrawal({ ...parts, walletStore }, { address, id });
    await expect(confirmed).rejects.toThrow(EngineBusyError);
    await settle();
    expect(reservedOf(address)).toBe(3n);
    const again = await confirmPerpWithdrawal(parts, { address, id });
    expect(again).toMatchObject({ kind: 'done', withdrawal: { status: 'signed' } });
  });
});
