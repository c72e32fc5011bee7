import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Amount } from '../../src/domain/amount.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { error } from '../support/plain-replies.ts';
import { balancesOf, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';
import { dfToken } from '../support/wallet/scripted-vault.ts';
import { deposited, WalletRig } from '../support/wallet/wallet-rig.ts';

// An amount that was returned is owed again, while its owner uses it for something else.

let rig: WalletRig;
beforeAll(async () => {
  rig = await WalletRig.start({ DF: '1' });
});
afterAll(() => rig.close());

const ask = (as: Address) =>
  rig.service.call({
    method: 'POST',
    path: '/api/v1/spot/withdraw/request',
    as,
    body: { token: 'DF', amount: '2' },
  });
const settle = () => rig.newSettler().run();
const dfOf = async (user: Address) => (await balancesOf(rig.service, user))['DF'];

test('fault 22: if the returned amount cannot be reserved again the account is held', async () => {
  const user = nextAddress();
  await rig.mine([deposited(user, 0, { rawAmount: 10n ** 19n })]);
  await settle();
  await expectOk(ask(user));
  const place = { transactionHash: `0x${'77'.repeat(32)}`, logIndex: 0 } as const;
  const release = { account: user, token: dfToken.address, rawAmount: 2n * 10n ** 18n, nonce: 0 };
  const entry = { queueId: 1, payableAt: 2_000_000 };
  await rig.mine([{ ...place, type: 'vaultReleaseQueued', ...release, ...entry }]);
  rig.vault.nonces.set(user, 1);
  await rig.mine([{ ...place, type: 'vaultSignerVoided', account: rig.vault.signer }]);
  await settle();
  expect(await dfOf(user)).toBe('10 0');
  const accountId = rig.service.exchange.engine.findAccount(user)!;
  const use = { withdrawalId: 'in use', token: 'DF', amount: (9n * 10n ** 8n) as Amount };
  await rig.service.exchange.submit({ type: 'reserveWithdrawal', ...use, accountId });
  await rig.fork(1);
  await settle();
  expect(await dfOf(user)).toBe('1 9');
  await rig.service.exchange.submit({ type: 'releaseWithdrawal', withdrawalId: 'in use' });
  // Nothing is signed in between, although the balance would suffice.
  expect(await outcomeOf(ask(user))).toEqual(
    error(409, 'withdrawal slot conflict - try again in a moment'),
  );
  await settle();
  expect(await dfOf(user)).toBe('8 2');
  expect(await expectOk(ask(user))).toMatchObject({ status: 'signed', nonce: 1 });
});
