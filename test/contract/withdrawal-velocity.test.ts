import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import { dayMs, reviewsOf, startReviewRig } from '../support/wallet/review-rig.ts';
import { dfToken, usdtToken } from '../support/wallet/scripted-vault.ts';
import { deposited, released, type WalletRig } from '../support/wallet/wallet-rig.ts';

// How much an account takes out in an hour and in a day: at tier 0 of these limits 10 and 20 of a
// token, and five and ten withdrawals; and how many of its withdrawals wait.

const coin = 10n ** 18n;
const hourMs = 3_600_000;

let rig: WalletRig;
let user: Address;
let nonce: number;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  user = nextAddress();
  nonce = 0;
  const usdt = { token: usdtToken.address, rawAmount: 50_000_000n };
  await rig.mine([deposited(user, 0, { rawAmount: 50n * coin }), deposited(user, 1, usdt)]);
  await rig.newSettler().run();
  goOn(2 * dayMs);
});

/** Moves the clocks of the reviews and of the chain to this time from now. */
function goOn(laterMs: number): void {
  rig.laterMs = laterMs;
  rig.vault.blockSeconds = Math.floor((Date.now() + laterMs) / 1_000);
}

interface Shown {
  readonly id: string;
  readonly status: string;
}

async function withdraw(token: string, amount: string): Promise<string> {
  const path = '/api/v1/spot/withdraw/request';
  const body = { token, amount };
  const call = rig.service.call({ method: 'POST', path, as: user, body });
  return ((await expectOk(call)) as Shown).status;
}

async function askOfPerp(amount: string): Promise<string> {
  const path = '/api/v1/withdraw/request';
  const body = { token: 'USDT', amount };
  const call = rig.service.call({ method: 'POST', path, as: user, body });
  return ((await expectOk(call)) as { data: Shown }).data.id;
}

async function confirm(id: string): Promise<string> {
  const path = `/api/v1/withdraw/${id}/confirm`;
  const call = rig.service.call({ method: 'POST', path, as: user });
  return ((await expectOk(call)) as { data: Shown }).data.status;
}

/** The vault pays what was signed last. */
async function paid(rawAmount: bigint, token = usdtToken.address): Promise<void> {
  await rig.mine([released(user, nonce, rawAmount, { token })]);
  nonce += 1;
  rig.vault.nonces.set(user, nonce);
}

const reasons = async () => (await reviewsOf(rig, user)).map((each) => each.reasons);

test('velocity: withdrawals that were requested days ago count when they are confirmed', async () => {
  const path = '/api/v1/spot/transfer';
  const body = { direction: 'spot_to_perp', token: 'USDT', amount: '50' };
  await expectOk(rig.service.call({ method: 'POST', path, as: user, body }));
  const ids: string[] = [];
  for (let i = 0; i < 6; i += 1) ids.push(await askOfPerp('4.9'));
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = ids;
  for (const id of [first, second]) {
    expect(await confirm(id)).toBe('signed');
    await paid(4_900_000n);
  }
  expect(await confirm(third)).toBe('review');
  // In another hour of the same day, what is in review was requested before both.
  goOn(2 * dayMs + hourMs + 60_000);
  for (const id of [fourth, fifth]) {
    expect(await confirm(id)).toBe('signed');
    await paid(4_900_000n);
  }
  goOn(2 * dayMs + 3 * hourMs);
  expect(await confirm(sixth)).toBe('review');
  expect(await reasons()).toEqual([['account_velocity'], ['account_velocity']]);
});

test('velocity: withdrawals of all tokens count together, amounts by token', async () => {
  for (const [token, raw, address] of [
    ['DF', coin, dfToken.address],
    ['USDT', 1_000_000n, usdtToken.address],
    ['DF', coin, dfToken.address],
    ['USDT', 1_000_000n, usdtToken.address],
    ['DF', coin, dfToken.address],
  ] as const) {
    expect(await withdraw(token, '1')).toBe('signed');
    await paid(raw, address);
  }
  expect(await withdraw('USDT', '1')).toBe('review');
  goOn(2 * dayMs + hourMs + 60_000);
  expect(await withdraw('USDT', '4.9')).toBe('signed');
});

test.each(['spot', 'perp'] as const)(
  'velocity: what is paid while a %s withdrawal is judged counts in it',
  async (wallet) => {
    const body = { direction: 'spot_to_perp', token: 'USDT', amount: '20' };
    const path = '/api/v1/spot/transfer';
    await expectOk(rig.service.call({ method: 'POST', path, as: user, body }));
    const pending = await askOfPerp('4.9');
    expect(await withdraw('USDT', '4.9')).toBe('signed');
    await paid(4_900_000n);
    const { vault } = rig;
    const loadStanding = vault.loadStanding.bind(vault);
    let paidMeanwhile: string | null = null;
    vault.loadStanding = async (account) => {
      vault.loadStanding = loadStanding;
      paidMeanwhile = await withdraw('USDT', '4.9');
      await paid(4_900_000n);
      return loadStanding(account);
    };
    const outcome = wallet === 'spot' ? await withdraw('USDT', '4.9') : await confirm(pending);
    expect([paidMeanwhile, outcome]).toEqual(['signed', 'review']);
  },
);

/** The outcomes of 25 requests at once, by status and error. */
async function countAtOnce(path: string, body: object): Promise<Record<string, number>> {
  const call = { method: 'POST', path, as: user, body } as const;
  const counts: Record<string, number> = {};
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => outcomeOf(rig.service.call(call))),
  );
  for (const { status, body: answer } of answers) {
    const { error } = answer as { error?: string | { code: string } | null };
    const name = `${status} ${typeof error === 'object' ? (error?.code ?? '') : (error ?? '')}`;
    counts[name.trim()] = (counts[name.trim()] ?? 0) + 1;
  }
  return counts;
}

test('waiting: 20 withdrawals of each wallet at most, however many are requested at once', async () => {
  await rig.mine([deposited(user, 2, { rawAmount: 100n * coin })]);
  await rig.newSettler().run();
  const spot = '/api/v1/spot/withdraw/request';
  expect(await countAtOnce(spot, { token: 'DF', amount: '6' })).toEqual({
    '200': 20,
    '409 you have a pending withdrawal - submit it on-chain or wait for expiry': 5,
  });
  const transfer = { direction: 'spot_to_perp', token: 'USDT', amount: '50' };
  const path = '/api/v1/spot/transfer';
  await expectOk(rig.service.call({ method: 'POST', path, as: user, body: transfer }));
  const perp = { token: 'USDT', amount: '1' };
  expect(await countAtOnce('/api/v1/withdraw/request', perp)).toEqual({
    '200': 20,
    '409 TOO_MANY_WITHDRAWALS': 5,
  });
  const list = rig.service.call({ path: '/api/v1/withdraw/history', as: user });
  const { data } = (await expectOk(list)) as { data: { items: Shown[] } };
  const cancel = `/api/v1/withdraw/${data.items[0]?.id}/cancel`;
  await expectOk(rig.service.call({ method: 'POST', path: cancel, as: user }));
  expect(await countAtOnce('/api/v1/withdraw/request', perp)).toEqual({
    '200': 1,
    '409 TOO_MANY_WITHDRAWALS': 24,
  });
});
