import type { DeploymentManifest } from '../../../src/config/deployment-manifest.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

/** An address of twenty equal bytes. */
export const addressOf = (byte: string): Address => `0x${byte.repeat(20)}` as Address;

export const [router, register, vault, usdt] = ['a1', 'a2', 'a3', 'a4'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
];

export const mainRoles = {
  owner: addressOf('b1'),
  council: addressOf('b2'),
  guardian: addressOf('b3'),
  settler: addressOf('b4'),
  rewardSigner: addressOf('b5'),
  vaultSigner: addressOf('b6'),
  coldWallet: addressOf('b7'),
} as const;

const usdtAsset: DeploymentManifest['assets'][number] = {
  symbol: 'USDT',
  address: usdt,
  decimals: 6,
  onChainSymbol: 'USD₮0',
  startBlock: 300_000_012,
  deposits: true,
  withdrawals: true,
  minDeposit: '5',
  minWithdrawal: '5',
  limit: { I: '25000', W: '250000', D: 86_400, F: '300000', H: '1250000' },
  R: '25000',
};

const contractAt = (address: Address) => ({
  address,
  startBlock: 300_000_012,
  codeHash: null,
  predecessor: null,
});

/** The manifest of a main network with one asset, USDT; `limits` are that asset's. */
export function mainManifest(
  changes: Partial<DeploymentManifest> = {},
  limits: Pick<Partial<typeof usdtAsset>, 'limit' | 'R'> = {},
): DeploymentManifest {
  return {
    format: 1,
    chainId: 42_161,
    kind: 'main',
    finality: 'finalized',
    proofs: 'required',
    startBlock: 300_000_000,
    settlementMax: '100000',
    feeCaps: { maxFeePerGasGwei: '50', perTransaction: '0.02', perDay: '0.5' },
    contracts: {
      rewardRouter: contractAt(router),
      referralRebate: contractAt(register),
      spotVault: contractAt(vault),
    },
    roles: mainRoles,
    assets: [{ ...usdtAsset, ...limits }],
    ...changes,
  };
}
