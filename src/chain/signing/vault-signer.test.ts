import { expect, test } from 'vitest';
import { addressOf } from '../../../test/support/chain/main-manifest.ts';
import type { ChainToken } from '../chain-addresses.ts';
import type { ChainAccess } from '../chain-connection.ts';
import { ChainVaultSigner } from './vault-signer.ts';

const usdt: ChainToken = {
  symbol: 'USDT',
  address: addressOf('a4'),
  decimals: 6,
  areDepositsOn: true,
  areWithdrawalsOn: true,
};

test.each([
  ['a registered asset leaves', usdt, { asWithdrawal: true, asReturn: true }],
  [
    'one that was added while the service runs only goes back',
    { ...usdt, isAddedLater: true },
    { asWithdrawal: false, asReturn: true },
  ],
  [
    'one that the manifest switches off does neither',
    { ...usdt, areWithdrawalsOn: false, isAddedLater: true },
    { asWithdrawal: false, asReturn: false },
  ],
] as const)('vault signer: %s', (_, token, expected) => {
  const access = { connection: { tokens: [token] } } as unknown as ChainAccess;
  const signer = new ChainVaultSigner(access);
  expect({
    asWithdrawal: signer.findToken('USDT') !== null,
    asReturn: signer.findToken('USDT', true) !== null,
  }).toEqual(expected);
});
