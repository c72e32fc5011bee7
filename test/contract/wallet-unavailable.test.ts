import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, invalid } from '../support/plain-replies.ts';
import { balancesOf, expectOk, nextUser, outcomeOf } from '../support/spot-fixtures.ts';
import type { Call } from '../support/spot-service.ts';
import { WalletRig } from '../support/wallet/wallet-rig.ts';

// Wallet-side endpoints while the storage is down: they never answer DB_ERROR.

let rig: WalletRig;
let user: Address;

beforeAll(async () => {
  rig = await WalletRig.start();
  user = await nextUser(rig.service, { USDT: '100', DF: '5' });
  await expectOk(rig.service.call({ ...transfer, as: user }));
});
afterEach(() => {
  rig.service.isDatabaseDown = false;
});
afterAll(() => rig.close());

const transfer: Call = {
  method: 'POST',
  path: '/api/v1/spot/transfer',
  body: { direction: 'spot_to_perp', token: 'USDT', amount: '40', client_transfer_id: 'once' },
};
const withdraw: Call = {
  method: 'POST',
  path: '/api/v1/spot/withdraw/request',
  body: { token: 'DF', amount: '1' },
};
const withdrawals = '/api/v1/spot/withdrawals';

test.each<[string, Call]>([
  ['POST transfer', transfer],
  ['POST withdraw/request', withdraw],
  ['GET withdrawals', { path: withdrawals }],
  ['GET withdrawals/:id', { path: `${withdrawals}/6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11` }],
  ['GET transfers', { path: '/api/v1/spot/transfers' }],
  ['GET deposits', { path: '/api/v1/spot/deposits' }],
])('wallet: storage error on %s is 500 internal error, never DB_ERROR', async (_name, call) => {
  const before = await balancesOf(rig.service, user);
  rig.service.isDatabaseDown = true;
  expect(await outcomeOf(rig.service.call({ ...call, as: user }))).toEqual(
    error(500, 'internal error'),
  );
  rig.service.isDatabaseDown = false;
  await rig.newSettler().run();
  expect(await balancesOf(rig.service, user)).toEqual(before);
});

test('wallet: malformed requests are still reported', async () => {
  rig.service.isDatabaseDown = true;
  const call = { ...withdraw, as: user, body: { token: 'DF' } };
  expect(await outcomeOf(rig.service.call(call))).toEqual(invalid('amount: required'));
});
