import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
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

const anyNumber = expect.any(Number) as unknown;

let rig: WalletRig;
let user: Address;
beforeAll(async () => {
  rig = await WalletRig.start({ DF: '1', USDT: '2' });
});
afterAll(() => rig.close());
beforeEach(async () => {
  user = await perpUser();
});

async function perpUser(): Promise<Address> {
  const address = await nextUser(rig.service, { USDT: '100' });
  const body = { direction: 'spot_to_perp', token: 'USDT', amount: '100' };
  await expectOk(
    rig.service.call({ method: 'POST', path: '/api/v1/spot/transfer', as: address, body }),
  );
  return address;
}

function post(path: string, body?: object, as = user) {
  const call = { method: 'POST' as const, path: `/api/v1/withdraw/${path}`, as };
  return outcomeOf(rig.service.call(body === undefined ? call : { ...call, body }));
}

const request = (amount: string, token = 'USDT') => post('request', { token, amount });

interface Withdrawal {
  readonly id: string;
  readonly nonce: number | null;
  readonly deadline: number;
  readonly status: string;
}

async function pending(amount = '30'): Promise<Withdrawal> {
  const { status, body } = await request(amount);
  expect(status).toBe(200);
  return (body as { data: Withdrawal }).data;
}

async function signed(amount = '30'): Promise<Withdrawal> {
  const { id } = await pending(amount);
  const { status, body } = await post(`${id}/confirm`);
  expect(status).toBe(200);
  return (body as { data: Withdrawal }).data;
}

async function history(as = user): Promise<readonly Withdrawal[]> {
  const call = rig.service.call({ path: '/api/v1/withdraw/history', as });
  return ((await expectOk(call)) as { data: { items: Withdrawal[] } }).data.items;
}

function refused(status: number, code: string): object {
  return {
    status,
    body: { success: false, data: null, error: { code, message: anyText }, timestamp: anyNumber },
  };
}

/** `wallet reserved` of the perp wallet, and all USDT that is issued. */
function perpOf(address: Address): string {
  const { engine } = rig.service.exchange;
  const accountId = engine.findAccount(address);
  if (accountId === null) return 'none';
  const { walletBalance, reserved } = engine.futures.getPerpAccount(accountId);
  return `${walletBalance / 10n ** 8n} ${reserved / 10n ** 8n}`;
}

async function pause(paused: boolean) {
  const path = '/api/v1/admin/withdrawals/pause';
  return outcomeOf(rig.service.call({ method: 'PUT', path, isAdmin: true, body: { paused } }));
}

describe('POST /withdraw/request', () => {
  test('fault 24: an API key without withdraw is 403 PERMISSION_DENIED, and nothing is reserved', async () => {
    const body = { token: 'USDT', amount: '30' };
    const call = { method: 'POST', path: '/api/v1/withdraw/request', as: user, body } as const;
    const denied = refused(403, 'PERMISSION_DENIED');
    expect(await outcomeOf(rig.service.callSigned(call))).toEqual(denied);
    expect(await history()).toEqual([]);
    const { id } = await pending();
    const confirm = { method: 'POST', path: `/api/v1/withdraw/${id}/confirm`, as: user } as const;
    expect(await outcomeOf(rig.service.callSigned(confirm))).toEqual(denied);
    expect(await history()).toMatchObject([{ id, status: 'pending' }]);
    expect(await outcomeOf(rig.service.callSigned(confirm, ['withdraw']))).toMatchObject({
      status: 200,
      body: { data: { status: 'signed' } },
    });
  });

  test('request: reserves the amount, pending', async () => {
    expect(await request('30.1234567')).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          id: anyText,
          token: 'USDT',
          amount: '30.123456',
          raw_amount: '30123456',
          nonce: null,
          deadline: null,
          signature: null,
          contract_address: vaultAddress,
          chain_id: 31_337,
          status: 'pending',
          tx_hash: null,
          created_at: anyText,
          finished_at: null,
        },
        error: null,
        timestamp: anyNumber,
      },
    });
    expect(perpOf(user)).toBe('69 30');
  });

  test('request: token, minimum and balance are refused in this order', async () => {
    expect(await request('0', 'DF')).toEqual(refused(400, 'UNSUPPORTED_TOKEN'));
    for (const amount of ['1.99', '0', '-1']) {
      expect(await request(amount)).toEqual(refused(400, 'AMOUNT_BELOW_MINIMUM'));
    }
    expect(await request('100.000001')).toEqual(refused(400, 'INSUFFICIENT_BALANCE'));
    expect(await post('request', { token: 'USDT', amount: '5' }, nextAddress())).toEqual(
      refused(400, 'INSUFFICIENT_BALANCE'),
    );
    expect(await post('request', { token: 'USDT' })).toEqual(refused(400, 'INVALID_PARAMETER'));
    await rig.newSettler().run();
    expect(perpOf(user)).toBe('100 0');
    expect(await history()).toEqual([]);
  });

  test('request: a signed API key with permission withdraw succeeds, no credentials fail', async () => {
    const body = { token: 'USDT', amount: '5' };
    const path = '/api/v1/withdraw/request';
    const call = { method: 'POST', path, as: user, body } as const;
    const keyed = rig.service.callSigned(call, ['withdraw']);
    expect((await keyed).status).toBe(200);
    const reading = rig.service.callSigned({ method: 'POST', path, as: user, body }, ['read']);
    expect(await outcomeOf(reading)).toEqual(refused(403, 'PERMISSION_DENIED'));
    expect((await rig.service.call({ method: 'POST', path, body })).status).toBe(401);
  });
});

describe('confirm, cancel, history', () => {
  test('confirm: signs for the vault; a repetition returns the same', async () => {
    const withdrawal = await signed();
    expect(withdrawal).toMatchObject({
      status: 'signed',
      nonce: 0,
      deadline: rig.vault.blockSeconds + 3_600,
      signature: anyText,
    });
    expect(rig.vault.signed.at(-1)).toMatchObject({
      account: user,
      token: usdtToken.address,
      rawAmount: 30_000_000n,
    });
    expect(await post(`${withdrawal.id}/confirm`)).toMatchObject({ body: { data: withdrawal } });
    expect(await history()).toEqual([withdrawal]);
  });

  test('confirm: completed when the release is on chain, expired by the time of the chain', async () => {
    const first = await signed();
    await rig.mine([released(user, 0, 30_000_000n, { token: usdtToken.address })]);
    await rig.newSettler().run();
    expect(await history()).toMatchObject([{ id: first.id, status: 'completed' }]);
    expect(perpOf(user)).toBe('70 0');
    rig.vault.nonces.set(user, 1);
    const second = await signed('20');
    rig.vault.blockSeconds = second.deadline + 1;
    await rig.mine([], second.deadline + 1);
    await rig.newSettler().run();
    await rig.newSettler().run();
    expect(await history()).toMatchObject([{ id: second.id, status: 'expired' }, { id: first.id }]);
    expect(perpOf(user)).toBe('70 0');
  });

  test('confirm: one signed withdrawal at a time, of both wallets together', async () => {
    await signed();
    const { id } = await pending('10');
    expect(await post(`${id}/confirm`)).toEqual(refused(409, 'SIGNED_WITHDRAWAL_EXISTS'));
    expect(await history()).toMatchObject([{ id, status: 'pending' }, { status: 'signed' }]);
    const body = { token: 'USDT', amount: '5' };
    const spot = rig.service.call({
      method: 'POST',
      path: '/api/v1/spot/withdraw/request',
      as: await richInSpot(user),
      body,
    });
    expect((await spot).status).toBe(409);
  });

  test('confirm: chain failures leave it pending', async () => {
    const { id } = await pending();
    rig.vault.isSigningFailing = true;
    expect(await post(`${id}/confirm`)).toEqual(refused(500, 'SIGNATURE_ERROR'));
    rig.vault.isSigning = false;
    expect(await post(`${id}/confirm`)).toEqual(refused(500, 'SIGNER_UNAVAILABLE'));
    rig.vault.isQueryFailing = true;
    expect(await post(`${id}/confirm`)).toEqual(refused(500, 'CHAIN_ERROR'));
    rig.vault.contractAddress = null;
    expect(await post(`${id}/confirm`)).toEqual(refused(503, 'CHAIN_NOT_INITIALIZED'));
    const { tokens } = rig.vault;
    Object.assign(rig.vault, { contractAddress: vaultAddress, tokens: [dfToken] });
    expect(await post(`${id}/confirm`)).toEqual(refused(503, 'CHAIN_NOT_INITIALIZED'));
    Object.assign(rig.vault, {
      tokens,
      isQueryFailing: false,
      isSigning: true,
      isSigningFailing: false,
    });
    expect(await history()).toMatchObject([{ status: 'pending' }]);
    expect((await post(`${id}/confirm`)).status).toBe(200);
  });

  test('fault 23: confirm while paused signs; while halted it is signer unavailable, stays pending', async () => {
    const [first, second] = [await pending('20'), await pending('30')];
    const pause = (paused: boolean) =>
      expectOk(
        rig.service.call({
          method: 'PUT',
          path: '/api/v1/admin/withdrawals/pause',
          isAdmin: true,
          body: { paused },
        }),
      );
    const shown = async (id: string) => (await history()).find((each) => each.id === id)!;
    await pause(true);
    expect((await post(`${first.id}/confirm`)).status).toBe(200);
    await pause(false);
    const { nonce } = await shown(first.id);
    rig.vault.nonces.set(user, (nonce ?? 0) + 1);
    await rig.mine([released(user, nonce ?? 0, 20_000_000n, { token: usdtToken.address })]);
    rig.vault.isSigning = false;
    expect(await post(`${second.id}/confirm`)).toEqual(refused(500, 'SIGNER_UNAVAILABLE'));
    expect((await shown(second.id)).status).toBe('pending');
    rig.vault.isSigning = true;
    expect((await post(`${second.id}/confirm`)).status).toBe(200);
  });

  test('cancel: returns the amount, once, and only while it is pending', async () => {
    const { id } = await pending();
    expect(await post(`${id}/cancel`)).toMatchObject({
      status: 200,
      body: { data: { id, status: 'canceled', finished_at: anyText } },
    });
    expect(perpOf(user)).toBe('100 0');
    expect(await post(`${id}/cancel`)).toMatchObject({ status: 200 });
    expect(perpOf(user)).toBe('100 0');
    expect(await post(`${id}/confirm`)).toEqual(refused(409, 'WITHDRAWAL_NOT_PENDING'));
    const other = await signed();
    expect(await post(`${other.id}/cancel`)).toEqual(refused(409, 'WITHDRAWAL_NOT_PENDING'));
    expect(perpOf(user)).toBe('70 30');
  });

  test('cancel against confirm: only one of the two wins', async () => {
    const { id } = await pending();
    const replies = await Promise.all([
      post(`${id}/cancel`),
      post(`${id}/confirm`),
      post(`${id}/cancel`),
      post(`${id}/confirm`),
    ]);
    await rig.newSettler().run();
    const [{ status } = { status: 'none' }] = await history();
    expect(['canceled', 'signed']).toContain(status);
    expect(perpOf(user)).toBe(status === 'canceled' ? '100 0' : '70 30');
    const isSigned = replies.some((reply) => JSON.stringify(reply).includes('"signature":"0x'));
    expect(isSigned).toBe(status === 'signed');
  });

  test("others' and malformed ids", async () => {
    const { id } = await pending();
    const thief = nextAddress();
    for (const step of ['confirm', 'cancel']) {
      expect(await post(`${id}/${step}`, undefined, thief)).toEqual(
        refused(404, 'WITHDRAWAL_NOT_FOUND'),
      );
      expect(await post(`42/${step}`)).toEqual(refused(400, 'INVALID_PARAMETER'));
    }
    expect(await history(thief)).toEqual([]);
    const spot = rig.service.call({ path: `/api/v1/spot/withdrawals/${id}`, as: user });
    expect((await spot).status).toBe(404);
  });

  test('crash: an interrupted withdrawal is completed after the next start', async () => {
    const terms = {
      id: '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11',
      account: user,
      token: 'USDT',
      tokenAddress: usdtToken.address,
      amount: 500_000_000n as never,
      rawAmount: 5_000_000n,
      chainId: 31_337,
      contractAddress: vaultAddress,
    };
    const { perpWithdrawals, exchange } = rig.parts;
    await perpWithdrawals.openPending(terms);
    await exchange.submit({
      type: 'reservePerpFunds',
      accountId: exchange.peek((view) => view.findAccount(user)) ?? (0 as never),
      amount: terms.amount,
      step: 'reserve',
      reference: terms.id,
    });
    expect(perpOf(user)).toBe('95 5');
    const { id } = await pending('10');
    await perpWithdrawals.takeSlot({ ...terms, id, nonce: 0, deadline: 9_999_999 });
    await rig.newSettler().run();
    await rig.newSettler().run();
    expect(perpOf(user)).toBe('90 10');
    expect(await history()).toMatchObject([{ id, status: 'pending', nonce: null }]);
  });

  test('reorganized release: the amount is reserved in the spot wallet, and returns there', async () => {
    const { deadline } = await signed();
    await rig.mine([released(user, 0, 30_000_000n, { token: usdtToken.address })]);
    await rig.newSettler().run();
    await rig.fork(1);
    await rig.newSettler().run();
    expect(await balancesOf(rig.service, user)).toEqual({ USDT: '0 30' });
    expect(await history()).toMatchObject([{ status: 'signed' }]);
    rig.vault.blockSeconds = deadline + 1;
    await rig.mine([], deadline + 1);
    await rig.newSettler().run();
    expect(await balancesOf(rig.service, user)).toEqual({ USDT: '30 0' });
    expect(perpOf(user)).toBe('70 0');
  });
});

async function richInSpot(address: Address): Promise<Address> {
  const body = { user_address: address, token: 'USDT', amount: '50' };
  const path = '/api/v1/admin/spot/balances/credit';
  await expectOk(rig.service.call({ method: 'POST', path, isAdmin: true, body }));
  return address;
}

describe('PUT /admin/withdrawals/pause', () => {
  test('pause: 503 WITHDRAWALS_PAUSED on request only', async () => {
    const waiting = await pending('10');
    const other = await pending('5');
    expect(await pause(true)).toEqual({ status: 200, body: { ok: true } });
    expect(await request('10')).toEqual(refused(503, 'WITHDRAWALS_PAUSED'));
    expect((await post(`${waiting.id}/confirm`)).status).toBe(200);
    expect((await post(`${other.id}/cancel`)).status).toBe(200);
    expect(await history()).toHaveLength(2);
    expect(await pause(false)).toEqual({ status: 200, body: { ok: true } });
    expect((await request('10')).status).toBe(200);
  });

  test('gate: 503 WITHDRAWALS_PAUSED, nothing locked; cancel and confirm still work', async () => {
    const waiting = await pending('10');
    const { exchange } = rig.service;
    // A pause of the whole exchange: nobody takes out before the others could act.
    exchange.time = Math.max(exchange.time, Date.now()) + 300_001;
    await nextUser(rig.service, { USDT: '1' });
    expect(await request('10')).toEqual(refused(503, 'WITHDRAWALS_PAUSED'));
    expect(perpOf(user)).toBe('90 10');
    expect((await post(`${waiting.id}/cancel`)).status).toBe(200);
    expect((await history()).map(({ status }) => status)).toEqual(['canceled']);
    const path = '/api/v1/spot/transfer';
    const body = { direction: 'perp_to_spot', token: 'USDT', amount: '1' };
    const transfer = await outcomeOf(rig.service.call({ method: 'POST', path, as: user, body }));
    expect(transfer).toMatchObject({ status: 400, body: { error: 'insufficient balance' } });
    exchange.time += 60_000;
    expect((await request('10')).status).toBe(200);
  });

  test('pause: of the administrator only, with an audit row, and strictly a boolean', async () => {
    const path = '/api/v1/admin/withdrawals/pause';
    const body = { paused: true };
    expect((await rig.service.call({ method: 'PUT', path, body, as: user })).status).toBe(401);
    const malformed = rig.service.call({ method: 'PUT', path, isAdmin: true, body: { paused: 1 } });
    expect((await malformed).status).toBe(400);
    await pause(false);
    const rows = await rig.service.query((db) =>
      db
        .selectFrom('admin_audit')
        .select(['action', 'detail'])
        .where('action', '=', 'pause_withdrawals')
        .execute(),
    );
    expect(rows.at(-1)).toEqual({ action: 'pause_withdrawals', detail: { paused: false } });
  });
});
