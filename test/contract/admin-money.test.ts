import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChainError } from '../../src/application/ports/chain.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anyText, expectOk, nextAddress, nextUser } from '../support/spot-fixtures.ts';
import { dfToken } from '../support/wallet/scripted-vault.ts';
import { deposited, WalletRig } from '../support/wallet/wallet-rig.ts';

// What an administrator reads about money in and out of all accounts.

let rig: WalletRig;
let user: Address;
beforeAll(async () => {
  rig = await WalletRig.start({ DF: '1', USDT: '0.5' });
});
afterAll(() => rig.close());
beforeEach(() => {
  user = nextAddress();
});

const read = (path: string, query: Record<string, string> = {}) =>
  expectOk(rig.service.call({ path: `/api/v1/admin/${path}`, query, isAdmin: true }));

async function withdraw(as: Address, amount: string): Promise<{ readonly id: string }> {
  const path = '/api/v1/spot/withdraw/request';
  const body = { token: 'DF', amount };
  return (await expectOk(rig.service.call({ method: 'POST', path, as, body }))) as { id: string };
}

test.each(['wallet/deposits', 'wallet/withdrawals', 'solvency'])(
  'admin money: GET %s accepts the administrator key and nothing else',
  async (path) => {
    const reply = await rig.service.call({ path: `/api/v1/admin/${path}`, as: user });
    expect([reply.status, reply.body]).toEqual([401, { error: 'UNAUTHORIZED' }]);
  },
);

describe('GET /admin/wallet/deposits', () => {
  test('admin money: a deposit from its block to its credit', async () => {
    const event = deposited(user, 0, { rawAmount: 2_500_000_000_000_000_000n });
    await rig.mine([event]);
    const seen = {
      id: anyText,
      account: user,
      token_address: dfToken.address,
      raw_amount: '2500000000000000000',
      tx_hash: event.transactionHash,
      block: expect.any(Number) as number,
      reason: null,
      seen_at: anyText,
    };
    const waiting = { ...seen, token: null, amount: null, state: 'waiting', credited_at: null };
    const page = { total: 1, page: 1, page_size: 20 };
    expect(await read('wallet/deposits', { account: user })).toEqual({ items: [waiting], ...page });
    await rig.newSettler().run();
    const credited = { token: 'DF', amount: '2.5', state: 'credited', credited_at: anyText };
    expect(await read('wallet/deposits', { account: user })).toEqual({
      items: [{ ...seen, ...credited }],
      ...page,
    });
  });

  test('admin money: of all accounts, newest first, page by page', async () => {
    const other = nextAddress();
    await rig.mine([deposited(user, 0), deposited(other, 0)]);
    const all = (await read('wallet/deposits', { page_size: '2' })) as { items: object[] };
    expect(all.items).toMatchObject([{ account: other }, { account: user }]);
    const second = await read('wallet/deposits', { page_size: '1', page: '2' });
    expect(second).toMatchObject({ items: [{ account: user }], page: 2, page_size: 1 });
  });
});

describe('GET /admin/wallet/withdrawals', () => {
  test('admin money: a withdrawal with its nonce and deadline, by account and by status', async () => {
    const owner = await nextUser(rig.service, { DF: '10' });
    const { id } = await withdraw(owner, '2.5');
    const row = {
      id,
      wallet: 'spot',
      account: owner,
      token: 'DF',
      amount: '2.5',
      status: 'signed',
      nonce: 0,
      deadline: expect.any(Number) as number,
      tx_hash: null,
      created_at: anyText,
      finished_at: null,
    };
    const page = { total: 1, page: 1, page_size: 20 };
    const asked = { account: owner, status: 'signed' };
    expect(await read('wallet/withdrawals', asked)).toEqual({ items: [row], ...page });
    expect(await read('wallet/withdrawals', { ...asked, status: 'completed' })).toMatchObject({
      items: [],
      total: 0,
    });
  });
});

describe('GET /admin/solvency', () => {
  test('admin money: what is held and owed for each token, and which tokens are short', async () => {
    await rig.newSettler().run();
    rig.loadHoldings = async () => ({
      vault: [{ ...dfToken, rawAmount: 10n ** 16n }],
      rewardsHeld: toMicroUsdt(5_500_000n),
      rewardsOwed: toMicroUsdt(5_000_000n),
    });
    const before = (await read('solvency')) as Solvency;
    expect(before).toEqual({
      is_still: true,
      tokens: [{ token: 'DF', held: '0.01', owed: anyText, unbacked: anyText, is_short: true }],
      rewards: { held: '5.5', owed: '5', is_short: false },
    });
    // A deposit that is counted is owed, whether or not it is credited.
    await rig.mine([deposited(user, 0, { rawAmount: 10n ** 18n })]);
    const [token] = ((await read('solvency')) as Solvency).tokens;
    expect(Number(token?.owed)).toBe(Number(before.tokens[0]?.owed) + 1);
  });

  test('admin money: without the chain there is no answer', async () => {
    rig.loadHoldings = () => Promise.reject(new ChainError('the chain is unreachable'));
    const reply = await rig.service.call({ path: '/api/v1/admin/solvency', isAdmin: true });
    expect([reply.status, reply.body]).toEqual([500, { error: 'CHAIN_ERROR' }]);
  });
});

interface Solvency {
  readonly tokens: readonly { readonly owed: string }[];
}
