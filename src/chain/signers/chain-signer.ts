import type { Hex } from 'viem';
import type { ReleaseApproval } from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Hash } from '../evm-values.ts';
import type { ReleaseVoucher, RewardVoucher, SigningDomain } from '../typed-data.ts';

// What a key can sign, wherever it is stored: a reward voucher, a release voucher, a transaction of
// its own account, and nothing else. Hardware keys do not sign the same message with the same bytes
// twice, so no caller may rely on that: every signature is saved before it is used.

/** A transaction before signing; fees in wei. */
export interface TransactionDraft {
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

interface SignedTransaction {
  readonly hash: Hash;
  readonly bytes: Hex;
}

export interface ChainSigner {
  readonly address: Address;
  signReward(domain: SigningDomain, voucher: RewardVoucher): Promise<Hex>;
  signRelease(
    domain: SigningDomain,
    voucher: ReleaseVoucher,
    approval?: ReleaseApproval,
  ): Promise<Hex>;
  signTransaction(chainId: number, draft: TransactionDraft): Promise<SignedTransaction>;
  /** Whether the key can be reached, without making it sign anything. */
  isReachable(): Promise<boolean>;
  /**
   * The head that the signer's log had after that many signatures; null if it has fewer. Absent if
   * the signer keeps no log; undefined if it turns out to keep none.
   */
  readonly findLogHead?: ((signatures: number) => Promise<string | null | undefined>) | undefined;
}

/** The keys of the service by role; contracts of the first version have a single operator. */
export interface ChainSigners {
  /** Settles and writes to the register; the only key that holds coin. */
  readonly settler: ChainSigner;
  readonly reward: ChainSigner;
  readonly vault: ChainSigner;
}

/** The addresses of the three. */
export type SignerAddresses = { readonly [Role in keyof ChainSigners]: Address };

export function addressesOf({ settler, reward, vault }: ChainSigners): SignerAddresses {
  return { settler: settler.address, reward: reward.address, vault: vault.address };
}
