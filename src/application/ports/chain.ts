import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';

// What referral and claims need from the chain.

/** The node did not respond, or returned something impossible; the cause has the details. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

/** Signing is off or failed; no signature has left the process. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  /**
   * Whether signing is off or the signer does not respond; otherwise it refused or answered
   * wrongly.
   */
  readonly isUnavailable: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isUnavailable?: boolean } = {}) {
    super(message, options);
    this.isUnavailable = options.isUnavailable ?? false;
  }
}

/** An account's state in the reward router, all at the latest block. */
export interface AccountNonce {
  /** The nonce that the account's next redemption uses. */
  readonly nonce: number;
  /** That block's time in Unix seconds. */
  readonly blockSeconds: number;
}

/** What the operator signs to let an account redeem (EIP-712 `RedeemReward`). */
export interface RewardVoucherTerms {
  readonly account: Address;
  readonly amount: MicroUsdt;
  readonly nonce: number;
  /** The last Unix second at which the contract accepts the signature. */
  readonly deadline: number;
}

/** Signs redemptions and reads what that requires. */
export interface RewardSigner {
  /** The reward router that accepts the signatures; null until the chain is first reached. */
  readonly contractAddress: Address | null;
  /**
   * The account's state in the contract.
   * @throws ChainError if the node does not respond, SigningError if signing is off
   */
  loadStanding(account: Address): Promise<AccountNonce>;
  /**
   * Signs a redemption. A lost signature can be made again; hardware keys return other bytes that
   * are equally valid.
   * @throws SigningError
   */
  signRedemption(terms: RewardVoucherTerms): Promise<`0x${string}`>;
}

/** An account's rebate in the referral contracts. */
export interface UserRebate {
  readonly claimed: MicroUsdt;
  readonly nonce: number;
  /** Decoded from bytes32; empty if the account is bound to no code. */
  readonly code: string;
  /** The zero address if there is none. */
  readonly referrer: Address;
  /** 0 to 4. */
  readonly tierLevel: number;
}

/** A trader's referral, in basis points; discount and reward add up to the total. */
export interface TraderReferral {
  readonly code: string;
  readonly referrer: Address;
  readonly totalRebateBps: number;
  readonly traderDiscountBps: number;
  readonly affiliateRewardBps: number;
}

/** The service's own signing address and its role in the contracts. */
export interface OperatorStatus {
  /** The service's own signing address. */
  readonly operator: Address;
  /** Whether the contract accepts signatures and settlements from that address. */
  readonly isOperator: boolean;
  /** The referral register. */
  readonly contract: Address;
}

/** Reads the referral contracts at the latest block. Every call queries the node. */
export interface OnChainReader {
  /** @throws ChainError, as do all of these */
  loadUserRebate(address: Address): Promise<UserRebate>;
  /** The trader's affiliate as the register has it. */
  loadTraderReferral(address: Address): Promise<TraderReferral>;
  /** All that the account has redeemed from the router. */
  loadClaimed(address: Address): Promise<MicroUsdt>;
  /** Whether every contract names the key that the service uses on it. */
  loadOperatorStatus(): Promise<OperatorStatus>;
}

/**
 * The contracts and tokens of the exchange, as users and clients need them; null if not configured.
 */
export interface ChainInfo {
  readonly chainId: number;
  readonly rewardRouter: Address | null;
  readonly referralRebate: Address | null;
  readonly spotVault: Address | null;
  readonly usdt: Address | null;
  readonly df: Address | null;
  /** Only for a development chain; null for any other. */
  readonly rpcUrl: string | null;
  /** The base of links to `/tx/:hash` and `/address/:address`; null: there are none. */
  readonly explorerUrl: string | null;
}

/** What the operator signs to make the vault pay (EIP-712 `VaultRelease`). */
export interface ReleaseVoucherTerms {
  readonly account: Address;
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly rawAmount: bigint;
  readonly nonce: number;
  /** The last Unix second at which the vault accepts the signature. */
  readonly deadline: number;
}

/**
 * The approvals that two people signed for one withdrawal; a signer with a policy verifies them.
 */
export interface ReleaseApproval {
  /** The withdrawal's id, approved for one nonce only. */
  readonly id: string;
  readonly approvals: readonly SignedApproval[];
}

/** An EIP-712 signature over `ApproveRelease`. */
export interface SignedApproval {
  /** The last Unix second at which the approval is valid. */
  readonly expires: number;
  readonly signature: `0x${string}`;
}

/** A signature and the key that made it. */
export interface IssuedSignature {
  readonly signature: `0x${string}`;
  /** The address of the signing key. */
  readonly signer: Address;
}

/** A token that the vault accepts. */
export interface VaultToken {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
}

/** What the vault would do with a release now; later releases of others can change it. */
export interface InstantCapacity {
  /** The maximum that it pays immediately, in the token's smallest unit. */
  readonly rawAmount: bigint;
  /** How long it keeps anything above that in its queue. */
  readonly delaySeconds: number;
  /** The latest block's time in Unix seconds. */
  readonly blockSeconds: number;
}

/** Signs withdrawals and reads what that requires. */
export interface VaultSigner {
  /** The vault; null until the chain is first reached. */
  readonly contractAddress: Address | null;
  /** Whether signing is on now. */
  readonly isSigning: boolean;
  /**
   * Null for a token that the vault does not accept, and until the chain is first reached.
   * @param isReturn - whether a deposit goes back, which needs none of the terms of withdrawals
   */
  findToken(symbol: string, isReturn?: boolean): VaultToken | null;
  /** As findToken, by the token's contract. */
  findTokenAt(address: Address): VaultToken | null;
  /**
   * The nonce that the account's next release must carry, and the time of the latest block.
   * @throws ChainError
   */
  loadStanding(account: Address): Promise<AccountNonce>;
  /**
   * How much of the vault's instant release window is used, in the token's smallest unit.
   * @throws ChainError
   */
  loadWindowUsed(token: Address): Promise<bigint>;
  /**
   * Null if the vault has no limits.
   * @throws ChainError
   */
  loadInstantCapacity(token: Address): Promise<InstantCapacity | null>;
  /** @throws SigningError */
  signRelease(terms: ReleaseVoucherTerms, approval?: ReleaseApproval): Promise<IssuedSignature>;
}

/** The state of the on-chain features. The reason is for operators, not for users. */
export interface ChainStatus {
  readonly state: 'starting' | 'ready' | 'degraded' | 'unavailable';
  /** Null when ready. */
  readonly reason: string | null;
  readonly isSigning: boolean;
  /** The last block whose events are counted. */
  readonly countedBlock: number | null;
  /** Events that wait for an operator. */
  readonly parkedEvents: number;
  /** Halts of signing that operators have to clear. */
  readonly openHalts: number;
  /** Those of them that are about the log of a signer. */
  readonly signerLogHalts: number;
  /** Seconds for which the providers have disagreed on something; 0 while they agree. */
  readonly disagreementSeconds: number;
  /** Providers that contradicted what is proven and are no longer queried. */
  readonly excludedProviders: number;
}

/** What the contracts hold, all at one block. */
export interface ChainHoldings {
  readonly vault: readonly VaultHolding[];
  /** USDT that the reward router holds, and the USDT that it owes and has not paid. */
  readonly rewardsHeld: MicroUsdt;
  readonly rewardsOwed: MicroUsdt;
}

/** The tokens that the vault holds of one token. */
export interface VaultHolding extends VaultToken {
  /** In the token's smallest unit. */
  readonly rawAmount: bigint;
}

/** Reads what the contracts hold. */
export interface HoldingsReader {
  /** @throws ChainError */
  loadHoldings(blockHash: `0x${string}`): Promise<ChainHoldings>;
  /**
   * The tokens that the vault holds of each token beyond its own books, at the latest block: plain
   * transfers, which belong to nobody here and which its owner may rescue.
   * @throws ChainError
   */
  loadSurplus(): Promise<readonly VaultHolding[]>;
  /**
   * What the vault accounts for of each token, at the latest block; empty for the first version.
   * @throws ChainError
   */
  loadAccounted(): Promise<readonly VaultHolding[]>;
  /**
   * The settler's balance for gas, in wei, at the latest block.
   * @throws ChainError
   */
  loadSettlerCoin(): Promise<bigint>;
}
