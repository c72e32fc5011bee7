import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
import { WalletRig } from '../support/wallet/wallet-rig.ts';

const path = '/api/v1/spot/transfer';

let rig: WalletRig;
let user: Address;
beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());
beforeEach(async () => {
  user = await nextUser(rig.service, { USDT: '100', DF: '5' });
});

function move(body: object, as = user) {
  return outcomeOf(rig.service.call({ method: 'POST', path, as, body }));
}

const out = { direction: 'spot_to_perp', token: 'USDT', amount: '40' };
const back = { ...out, direction: 'perp_to_spot' };

/** What the perp wallet holds. */
function perpOf(address: Address): bigint {
  const { engine } = rig.service.exchange;
  const accountId = engine.findAccount(address);
  return accountId === null ? 0n : engine.futures.getPerpAccount(accountId).walletBalance;
}

test('transfer: there and back, to the last unit', async () => {
  expect(await move({ ...out, amount: '40.00000001' })).toEqual({
    status: 200,
    body: {
      ok: true,
      transfer_id: anyText,
      direction: 'spot_to_perp',
      token: 'USDT',
      amount: '40.00000001',
    },
  });
  expect(await balancesOf(rig.service, user)).toMatchObject({ USDT: '59.99999999 0' });
  expect(perpOf(user)).toBe(4_000_000_001n);
  expect((await move({ ...back, amount: '40.00000001' })).status).toBe(200);
  expect(await balancesOf(rig.service, user)).toMatchObject({ USDT: '100 0' });
  expect(perpOf(user)).toBe(0n);
});

test('transfer: 401 with an empty body without a token, 403 for an API key', async () => {
  const none = await rig.service.call({ method: 'POST', path, body: out });
  expect([none.status, none.text]).toEqual([401, '']);
  const keyed = rig.service.callSigned({ method: 'POST', path, as: user, body: out });
  expect(await outcomeOf(keyed)).toEqual(
    error(403, 'API Key permission denied: transfers not allowed'),
  );
});

test('transfer: malformed first, then direction, amount, token and balance', async () => {
  for (const body of [
    {},
    { ...out, amount: '1e2' },
    { ...out, amount: '0.000000001' },
    { ...out, client_transfer_id: 'a b' },
    { ...out, to: 'me' },
    { direction: 'spot_to_perp', amount: '1' },
  ]) {
    expect(await move(body)).toEqual(invalid());
  }
  expect(await move({ direction: 'sideways', token: 'DF', amount: '0' })).toEqual(
    error(400, 'invalid direction: sideways'),
  );
  expect(await move({ ...out, token: 'DF', amount: '0' })).toEqual(
    error(400, 'amount must be positive'),
  );
  expect(await move({ ...out, amount: '-5' })).toEqual(error(400, 'amount must be positive'));
  expect(await move({ ...out, token: 'DF', amount: '1000' })).toEqual(
    error(400, 'unsupported token: DF'),
  );
  expect(await move({ ...out, amount: '100.00000001' })).toEqual(
    error(400, 'insufficient balance'),
  );
  expect(await move({ ...back, amount: '0.00000001' })).toEqual(error(400, 'insufficient balance'));
  expect(await move(out, nextAddress())).toEqual(error(400, 'insufficient balance'));
  expect(await balancesOf(rig.service, user)).toMatchObject({ USDT: '100 0' });
});

test('transfer: a repeated client_transfer_id moves nothing and returns the first transfer', async () => {
  const first = await move({ ...out, client_transfer_id: 'rebalance-1' });
  const again = await move({ ...back, amount: '3', client_transfer_id: 'rebalance-1' });
  expect(again).toEqual(first);
  expect(perpOf(user)).toBe(4_000_000_000n);
  const other = await nextUser(rig.service, { USDT: '100' });
  const own = await move({ ...out, client_transfer_id: 'rebalance-1' }, other);
  expect(own.body).not.toEqual(first.body);
  expect(perpOf(other)).toBe(4_000_000_000n);
});

test('transfer: a busy or restarting engine is 500 internal error', async () => {
  rig.service.exchange.isBusy = true;
  expect(await move(out)).toEqual(error(500, 'internal error'));
  rig.service.exchange.isBusy = false;
});

test('GET /spot/transfers: those of the caller, newest first, page by page', async () => {
  await move({ ...out, client_transfer_id: 'first' });
  await move({ ...out, client_transfer_id: 'first' });
  await move({ ...back, amount: '1' });
  await move({ ...back, amount: '2' });
  const page = async (query: Record<string, string>) => {
    const call = rig.service.call({ path: '/api/v1/spot/transfers', query, as: user });
    return (await expectOk(call)) as { items: object[]; next_cursor: string | null };
  };
  const first = await page({ limit: '2' });
  expect(first.items).toEqual(
    ['2', '1'].map((amount) => ({
      transfer_id: anyText,
      direction: 'perp_to_spot',
      token: 'USDT',
      amount,
      client_transfer_id: null,
      created_at: anyText,
    })),
  );
  const second = await page({ limit: '2', cursor: first.next_cursor ?? '' });
  expect(second.items).toMatchObject([{ direction: 'spot_to_perp', client_transfer_id: 'first' }]);
  expect(second.next_cursor).toBeNull();
});
