import type { Address } from '../domain/identifiers.ts';
import { toHexAddress } from './evm-values.ts';

// The two EIP-712 structs that this exchange signs (interface.md, claim rules; contract.md 5).
// Their names differ, so a signature over one can never be used as the other.

/** An account may redeem an amount of its settled rewards, in 10^-6 USDT. */
export interface RewardVoucher {
  readonly account: Address;
  readonly value: bigint;
  readonly nonce: bigint;
  /** Unix seconds; the last one at which the contract accepts the signature. */
  readonly deadline: bigint;
}

/** The vault may pay an account, in the token's smallest unit. */
export interface ReleaseVoucher extends RewardVoucher {
  readonly token: Address;
}

export interface SigningDomain {
  readonly name: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

const rewardTypes = {
  RedeemReward: [
    { name: 'account', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

const releaseTypes = {
  VaultRelease: [
    { name: 'account', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

const valueMax = 1n << 128n;
const secondsMax = 1n << 64n;

export function rewardTypedData(domain: SigningDomain, voucher: RewardVoucher) {
  requireSignable(voucher);
  return {
    domain: contractDomain(domain),
    types: rewardTypes,
    primaryType: 'RedeemReward' as const,
    message: {
      account: toHexAddress(voucher.account),
      value: voucher.value,
      nonce: voucher.nonce,
      deadline: voucher.deadline,
    },
  };
}

export function releaseTypedData(domain: SigningDomain, voucher: ReleaseVoucher) {
  requireSignable(voucher);
  return {
    domain: contractDomain(domain),
    types: releaseTypes,
    primaryType: 'VaultRelease' as const,
    message: {
      account: toHexAddress(voucher.account),
      token: toHexAddress(voucher.token),
      value: voucher.value,
      nonce: voucher.nonce,
      deadline: voucher.deadline,
    },
  };
}

function contractDomain({ name, chainId, verifyingContract }: SigningDomain) {
  return {
    name,
    version: '1',
    chainId,
    verifyingContract: toHexAddress(verifyingContract),
  } as const;
}

// Values that cannot be intended are not signed, wherever the request comes from.
function requireSignable({ value, nonce, deadline }: RewardVoucher): void {
  if (value <= 0n || value >= valueMax) throw new RangeError('value to sign is out of range');
  if (nonce < 0n || nonce >= secondsMax) throw new RangeError('nonce to sign is out of range');
  if (deadline <= 0n || deadline >= secondsMax) {
    throw new RangeError('deadline to sign is out of range');
  }
}
