import { type Hex, keccak256, type TransactionSerializableEIP1559 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../domain/identifiers.ts';
import { fromHexAddress, type Hash, toHexAddress } from './evm-values.ts';
import {
  type ReleaseVoucher,
  type RewardVoucher,
  releaseTypedData,
  rewardTypedData,
  type SigningDomain,
} from './typed-data.ts';

// The only place that holds the operator's key. It signs three things and nothing else: a reward
// voucher, a release voucher, a transaction of its own account. All signatures are deterministic
// (RFC 6979), so what is signed again after a crash is the same bytes.

/** A transaction before signing; fees in wei. */
export interface TransactionDraft {
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface SignedTransaction {
  readonly hash: Hash;
  readonly bytes: Hex;
}

export interface ChainSigner {
  readonly address: Address;
  signReward(domain: SigningDomain, voucher: RewardVoucher): Promise<Hex>;
  signRelease(domain: SigningDomain, voucher: ReleaseVoucher): Promise<Hex>;
  signTransaction(chainId: number, draft: TransactionDraft): Promise<SignedTransaction>;
}

const privateKeyPattern = /^0x[0-9a-fA-F]{64}$/;

/** @throws Error that does not name the key where it is not one. */
export function createSigner(privateKey: string): ChainSigner {
  if (!privateKeyPattern.test(privateKey)) throw new Error('the signer key is not 32 bytes of hex');
  const account = accountOf(privateKey as Hex);
  return {
    address: fromHexAddress(account.address),
    signReward: async (domain, voucher) => account.signTypedData(rewardTypedData(domain, voucher)),
    signRelease: async (domain, voucher) =>
      account.signTypedData(releaseTypedData(domain, voucher)),
    signTransaction: async (chainId, draft) => {
      const bytes = await account.signTransaction(serializable(chainId, draft));
      return { hash: keccak256(bytes), bytes };
    },
  };
}

function accountOf(privateKey: Hex) {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // The library's own error could quote the key.
    throw new Error('the signer key is not a key of the curve');
  }
}

function serializable(chainId: number, draft: TransactionDraft): TransactionSerializableEIP1559 {
  return {
    type: 'eip1559',
    chainId,
    nonce: draft.nonce,
    to: toHexAddress(draft.to),
    data: draft.data,
    value: 0n,
    gas: draft.gasLimit,
    maxFeePerGas: draft.maxFeePerGas,
    maxPriorityFeePerGas: draft.maxPriorityFeePerGas,
  };
}
