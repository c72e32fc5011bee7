import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, invalid } from '../support/plain-replies.ts';
import {
  anyText,
  balancesOf,
  expectOk,
  nextAddress,
  nextUser,
  outcomeOf,
} from '../support/spot-fixtures.ts';
import { dfToken, usdtToken, vaultAddress } from '../support/wallet/scripted-vault.ts';
import { released, WalletRig } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/spot/withdraw/request';

let rig: WalletRig;
let user: Address;
beforeAll(async () => {
  rig = await WalletRig.start({ DF: '1', USDT: '0.5', NOPE: '1' });
});
afterAll(() => rig.close());
beforeEach(async () => {
  user = await nextUser(rig.service, { DF: '10', USDT: '10' });
});

function ask(body: object, as = user) {
  return outcomeOf(rig.service.call({ method: 'POST', path, as, body }));
}

interface Signed {
  readonly id: string;
  readonly deadline: number;
}

async function withdraw(body: object): Promise<Signed> {
  return (await expectOk(rig.service.call({ method: 'POST', path, as: user, body }))) as Signed;
}

async function one(id: string, as = user) {
  return outcomeOf(rig.service.call({ path: `/api/v1/spot/withdrawals/${id}`, as }));
}

describe('POST /spot/withdraw/request', () => {
  test('withdraw: locks the amount and returns what the vault requires', async () => {
    expect(await ask({ token: 'DF', amount: '2.5' })).toEqual({
      status: 200,
      body: {
        id: anyText,
        token: 'DF',
        amount: '2.5',
        raw_amount: '2500000000000000000',
        nonce: 0,
        deadline: rig.vault.blockSeconds + 3_600,
        signature: anyText,
        contract_address: vaultAddress,
        chain_id: 31_337,
        status: 'signed',
      },
    });
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '7.5 2.5' });
    expect(rig.vault.signed.at(-1)).toEqual({
      account: user,
      token: dfToken.address,
      rawAmount: 25n * 10n ** 17n,
      nonce: 0,
      deadline: rig.vault.blockSeconds + 3_600,
    });
  });

  test('withdraw: 401 with an empty body without a valid token, 403 with a key', async () => {
    const body = { token: 'DF', amount: '1' };
    const none = await rig.service.call({ method: 'POST', path, body });
    expect([none.status, none.text]).toEqual([401, '']);
    const headers = { authorization: 'Bearer of.another.account' };
    const foreign = await rig.service.call({ method: 'POST', path, body, headers });
    expect([foreign.status, foreign.text]).toEqual([401, '']);
    const keyed = rig.service.callSigned({ method: 'POST', path, as: user, body });
    expect(await outcomeOf(keyed)).toEqual(
      error(403, 'API Key permission denied: withdraws not allowed'),
    );
    const reading = rig.service.callSigned({ method: 'POST', path, as: user, body }, ['read']);
    expect(await outcomeOf(reading)).toEqual(
      error(403, 'API Key permission denied: withdraws not allowed'),
    );
  });

  test('withdraw: while withdrawals are paused nothing is signed and nothing reserved', async () => {
    const turn = (paused: boolean) =>
      outcomeOf(
        rig.service.call({
          method: 'PUT',
          path: '/api/v1/admin/withdrawals/pause',
          isAdmin: true,
          body: { paused },
        }),
      );
    const before = await balancesOf(rig.service, user);
    expect(await turn(true)).toMatchObject({ status: 200 });
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(error(500, 'signer unavailable'));
    expect(await balancesOf(rig.service, user)).toEqual(before);
    expect(await turn(false)).toMatchObject({ status: 200 });
    expect(await ask({ token: 'DF', amount: '1' })).toMatchObject({ status: 200 });
  });

  test('withdraw: malformed fields come before the error table', async () => {
    for (const body of [
      {},
      { token: 'DF' },
      { amount: '1' },
      { token: 'DF', amount: '1e3' },
      { token: 'DF', amount: 'NaN' },
      { token: 'NONE', amount: '' },
      { token: 5, amount: '1' },
      { token: 'DF', amount: '1', to: user },
    ]) {
      expect(await ask(body)).toEqual(invalid());
    }
  });

  test('withdraw: unsupported token, with its name, before the amount is checked', async () => {
    expect(await ask({ token: 'BTC', amount: '0' })).toEqual(error(400, 'unsupported token: BTC'));
    expect(await ask({ token: 'df', amount: '5' })).toEqual(error(400, 'unsupported token: df'));
    expect(await ask({ token: '<min>', amount: '5' })).toEqual(
      error(400, 'unsupported token: <min>'),
    );
    // It is in the settings, but the vault does not accept it.
    expect(await ask({ token: 'NOPE', amount: '5' })).toEqual(
      error(400, 'unsupported token: NOPE'),
    );
  });

  test('withdraw: below the minimum, zero and negative: amount below minimum <min>', async () => {
    for (const amount of ['0.99999999', '0', '-3', 0.5]) {
      expect(await ask({ token: 'DF', amount })).toEqual(error(400, 'amount below minimum 1'));
    }
    expect(await ask({ token: 'USDT', amount: '0.49' })).toEqual(
      error(400, 'amount below minimum 0.5'),
    );
  });

  test('withdraw: more than is available: insufficient balance, and nothing is queried or locked', async () => {
    expect(await ask({ token: 'DF', amount: '10.00000001' })).toEqual(
      error(400, 'insufficient balance'),
    );
    expect(await ask({ token: 'DF', amount: '1' }, nextAddress())).toEqual(
      error(400, 'insufficient balance'),
    );
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '10 0' });
  });

  test("withdraw: decimals beyond 8 or the token's are truncated, never rounded up", async () => {
    expect(await ask({ token: 'DF', amount: '1.999999999999999999' })).toMatchObject({
      body: { amount: '1.99999999', raw_amount: '1999999990000000000' },
    });
    rig.vault.nonces.set(user, 1);
    expect(await ask({ token: 'USDT', amount: '1.9999999' })).toMatchObject({
      body: { amount: '1.999999', raw_amount: '1999999', nonce: 1 },
    });
    expect(rig.vault.signed.at(-1)?.token).toBe(usdtToken.address);
    expect(await balancesOf(rig.service, user)).toMatchObject({
      DF: '8.00000001 1.99999999',
      USDT: '8.000001 1.999999',
    });
  });

  test('withdraw: a signed withdrawal at or after the nonce: 409 pending', async () => {
    await withdraw({ token: 'DF', amount: '2' });
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(
      error(409, 'you have a pending withdrawal - submit it on-chain or wait for expiry'),
    );
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '8 2' });
    // The chain has seen it, though its block is not confirmed: the next nonce is free.
    rig.vault.nonces.set(user, 1);
    expect(await ask({ token: 'DF', amount: '1' })).toMatchObject({ body: { nonce: 1 } });
  });

  test('withdraw: a completed withdrawal at the nonce of a lagging node: 409 slot conflict', async () => {
    await withdraw({ token: 'DF', amount: '2' });
    await rig.mine([released(user, 0, 2n * 10n ** 18n)]);
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(
      error(409, 'withdrawal slot conflict - try again in a moment'),
    );
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '8 2' });
  });

  test('withdraw: if the chain has paid an unknown release, nothing is signed', async () => {
    const conflict = error(409, 'withdrawal slot conflict - try again in a moment');
    rig.vault.nonces.set(user, 3);
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(conflict);
    // The release of another database: it waits for a person, and so does the account.
    rig.vault.nonces.set(user, 0);
    await rig.mine([released(user, 0, 7n)]);
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(conflict);
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '10 0' });
  });

  test('withdraw: fifty at once: one is signed, and the others get one of the two 409', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => ask({ token: 'DF', amount: '1' })),
    );
    const conflict = error(409, 'withdrawal slot conflict - try again in a moment');
    const pending = error(
      409,
      'you have a pending withdrawal - submit it on-chain or wait for expiry',
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.filter(({ status }) => status !== 200);
    for (const reply of refused) expect([conflict, pending]).toContainEqual(reply);
    await rig.newSettler().run();
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '9 1' });
  });

  test('withdraw: chain failures in the order of the table, and none changes the balance', async () => {
    const body = { token: 'DF', amount: '1' };
    rig.vault.isSigningFailing = true;
    expect(await ask(body)).toEqual(error(500, 'sign failed'));
    rig.vault.isSigning = false;
    expect(await ask(body)).toEqual(error(500, 'signer unavailable'));
    rig.vault.isQueryFailing = true;
    expect(await ask(body)).toEqual(error(500, 'chain query failed'));
    expect(await ask({ token: 'DF', amount: '11' })).toEqual(error(400, 'insufficient balance'));
    rig.vault.contractAddress = null;
    expect(await ask(body)).toEqual(error(503, 'spot blockchain not initialized'));
    expect(await ask({ token: 'BTC', amount: '1' })).toEqual(error(400, 'unsupported token: BTC'));
    expect(await ask({ token: 'DF', amount: '0' })).toEqual(error(400, 'amount below minimum 1'));
    Object.assign(rig.vault, {
      contractAddress: vaultAddress,
      isQueryFailing: false,
      isSigning: true,
      isSigningFailing: false,
    });
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '10 0' });
    expect((await ask(body)).status).toBe(200);
  });

  test('withdraw: storage and engine failures are 500 internal error, never DB_ERROR', async () => {
    const { service } = rig;
    service.exchange.isBusy = true;
    expect(await ask({ token: 'DF', amount: '1' })).toEqual(error(500, 'internal error'));
    service.exchange.isBusy = false;
    // Nothing was locked, and once the settler has cleaned up, the slot is free.
    await rig.newSettler().run();
    expect(await balancesOf(service, user)).toMatchObject({ DF: '10 0' });
    expect((await ask({ token: 'DF', amount: '1' })).status).toBe(200);
  });
});

describe('GET /spot/withdrawals', () => {
  test('withdrawals: signed, then completed with the transaction of the release', async () => {
    const { id, ...terms } = await withdraw({ token: 'DF', amount: '2' });
    expect(await one(id)).toEqual({
      status: 200,
      body: { id, ...terms, tx_hash: null, created_at: anyText, finished_at: null },
    });
    const release = released(user, 0, 2n * 10n ** 18n);
    await rig.mine([release]);
    await rig.newSettler().run();
    expect(await one(id.toUpperCase())).toMatchObject({
      body: { status: 'completed', tx_hash: release.transactionHash, finished_at: anyText },
    });
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '8 0' });
  });

  test('withdrawals: expired only when a confirmed block is later than the deadline', async () => {
    const { id, deadline } = await withdraw({ token: 'DF', amount: '2' });
    await rig.mine([], deadline);
    await rig.newSettler().run();
    expect(await one(id)).toMatchObject({ body: { status: 'signed' } });
    await rig.mine([], deadline + 1);
    // The chain has answered, but the amount is not back yet: the caller sees it expired with its
    // money.
    expect(await one(id)).toMatchObject({ body: { status: 'signed', finished_at: null } });
    await rig.newSettler().run();
    expect(await one(id)).toMatchObject({ body: { status: 'expired', finished_at: anyText } });
    expect(await balancesOf(rig.service, user)).toMatchObject({ DF: '10 0' });
    // The nonce is free again.
    expect(await ask({ token: 'DF', amount: '1' })).toMatchObject({ body: { nonce: 0 } });
  });

  test("withdrawals: 400 invalid id, 404 not found for unknown ids and other accounts'", async () => {
    const { id } = await withdraw({ token: 'DF', amount: '2' });
    expect(await one('42')).toEqual(error(400, 'invalid id'));
    expect(await one('6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11')).toEqual(error(404, 'not found'));
    expect(await one(id, nextAddress())).toEqual(error(404, 'not found'));
    const none = await rig.service.call({ path: `/api/v1/spot/withdrawals/${id}` });
    expect([none.status, none.text]).toEqual([401, '']);
  });

  test("withdrawals: pages of the caller's, newest first; one that was never signed is not shown", async () => {
    rig.vault.isSigningFailing = true;
    await ask({ token: 'DF', amount: '1' });
    rig.vault.isSigningFailing = false;
    const ids: string[] = [];
    for (let nonce = 0; nonce < 3; nonce += 1) {
      rig.vault.nonces.set(user, nonce);
      ids.unshift((await withdraw({ token: 'DF', amount: '1' })).id);
    }
    const page = async (query: Record<string, string>) => {
      const call = rig.service.call({ path: '/api/v1/spot/withdrawals', query, as: user });
      const body = (await expectOk(call)) as { items: { id: string }[]; next_cursor: string };
      return { ids: body.items.map(({ id }) => id), cursor: body.next_cursor };
    };
    const first = await page({ limit: '2' });
    expect(first.ids).toEqual(ids.slice(0, 2));
    const second = await page({ limit: '2', cursor: first.cursor });
    expect(second).toEqual({ ids: ids.slice(2), cursor: null });
    for (const query of [{ limit: '0' }, { limit: '501' }, { limit: 'x' }, { cursor: 'x' }]) {
      const call = rig.service.call({ path: '/api/v1/spot/withdrawals', query, as: user });
      expect(await outcomeOf(call)).toEqual(invalid());
    }
  });

  test('withdrawals: an API key with the read permission sees them', async () => {
    await withdraw({ token: 'DF', amount: '1' });
    const call = rig.service.callSigned({ path: '/api/v1/spot/withdrawals', as: user }, ['read']);
    expect((await expectOk(call)) as object).toMatchObject({ items: [{ status: 'signed' }] });
  });
});
