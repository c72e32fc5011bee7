import type { Address } from '../domain/identifiers.ts';
import type { MicroUsdt } from '../domain/micro-usdt.ts';

// What referral and claims need of the chain.

/** The node did not answer, or answered what cannot be; the cause says how. */
export class ChainError extends Error {
  override readonly name = 'ChainError';
}

/** Signing is off or failed; no signature has left the process. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
}

/** What the reward router says of an account, all of it at the latest block. */
export interface RewardStanding {
  /** The nonce that the account's next redemption uses. */
  readonly nonce: number;
  /** That block's time in Unix seconds. */
  readonly blockSeconds: number;
}

/** What the operator signs so that an account may redeem (EIP-712 `RedeemReward`). */
export interface RewardVoucherTerms {
  readonly account: Address;
  readonly amount: MicroUsdt;
  readonly nonce: number;
  /** The last Unix second at which the contract takes the signature. */
  readonly deadline: number;
}

/** Signs redemptions and reads what that needs. */
export interface RewardSigner {
  /** The reward router that takes the signatures; null while the chain was never reached. */
  readonly contractAddress: Address | null;
  /**
   * Where the account stands in the contract.
   * @throws ChainError where the node does not say, SigningError where signing is off
   */
  loadStanding(account: Address): Promise<RewardStanding>;
  /**
   * A signature that was lost can be made again; keys in hardware give other bytes, equally good.
   * @throws SigningError
   */
  signRedemption(terms: RewardVoucherTerms): Promise<`0x${string}`>;
}

export interface UserRebate {
  readonly claimed: MicroUsdt;
  readonly nonce: number;
  /** Decoded from bytes32; empty where the account is bound to none. */
  readonly code: string;
  /** The zero address where there is none. */
  readonly referrer: Address;
  /** 0 to 4. */
  readonly tierLevel: number;
}

/** In basis points; the discount and the reward add up to the total. */
export interface TraderReferral {
  readonly code: string;
  readonly referrer: Address;
  readonly totalRebateBps: number;
  readonly traderDiscountBps: number;
  readonly affiliateRewardBps: number;
}

export interface OperatorStanding {
  /** The service's own signing address. */
  readonly operator: Address;
  /** Whether the contract takes signatures and settlements of that address. */
  readonly isOperator: boolean;
  /** The referral register. */
  readonly contract: Address;
}

/** Reads the referral contracts at the latest block. Each call asks the node. */
export interface OnChainReader {
  /** @throws ChainError, as all of these */
  loadUserRebate(address: Address): Promise<UserRebate>;
  loadTraderReferral(address: Address): Promise<TraderReferral>;
  loadClaimed(address: Address): Promise<MicroUsdt>;
  loadOperatorStanding(): Promise<OperatorStanding>;
}

/** A contract of the exchange or a token, as users and clients need to know it. */
export interface ChainInfo {
  readonly chainId: number;
  readonly rewardRouter: Address | null;
  readonly referralRebate: Address | null;
  readonly spotVault: Address | null;
  readonly usdt: Address | null;
  readonly df: Address | null;
  /** Of a development chain only; null where the chain is not ours. */
  readonly rpcUrl: string | null;
}

/** What the operator signs so that the vault pays (EIP-712 `VaultRelease`). */
export interface ReleaseVoucherTerms {
  readonly account: Address;
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly rawAmount: bigint;
  readonly nonce: number;
  /** The last Unix second at which the vault takes the signature. */
  readonly deadline: number;
}

/** What two people signed for one withdrawal; a signer with a policy checks it by itself. */
export interface ReleaseApproval {
  /** The withdrawal's id, which is approved for one nonce only. */
  readonly id: string;
  readonly approvals: readonly SignedApproval[];
}

/** An EIP-712 signature over `ApproveRelease`. */
export interface SignedApproval {
  /** Unix seconds; the approval's last. */
  readonly expires: number;
  readonly signature: `0x${string}`;
}

export interface MadeSignature {
  readonly signature: `0x${string}`;
  /** Whose key it is of. */
  readonly signer: Address;
}

export interface VaultToken {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
}

/** Signs withdrawals and reads what that needs. */
export interface VaultSigner {
  /** The vault; null while the chain was never reached. */
  readonly contractAddress: Address | null;
  /** Whether signatures are made now. */
  readonly isSigning: boolean;
  /** Null for a token that the vault does not take, and while the chain was never reached. */
  findToken(symbol: string): VaultToken | null;
  /** The same by the token's contract. */
  findTokenAt(address: Address): VaultToken | null;
  /**
   * The nonce that the account's next release must carry, and the latest block's time.
   * @throws ChainError
   */
  loadStanding(account: Address): Promise<RewardStanding>;
  /**
   * How much of what the vault pays at once is used up, in the token's smallest unit.
   * @throws ChainError
   */
  loadWindowUsed(token: Address): Promise<bigint>;
  /** @throws SigningError */
  signRelease(terms: ReleaseVoucherTerms, approval?: ReleaseApproval): Promise<MadeSignature>;
}

/** Whether what stands on the chain works now; the reason is for operators, not for users. */
export interface ChainStatus {
  readonly state: 'starting' | 'ready' | 'degraded' | 'unavailable';
  /** Null when ready. */
  readonly reason: string | null;
  readonly isSigning: boolean;
  /** The last block whose events are counted. */
  readonly countedBlock: number | null;
  /** Events that wait for somebody to look at them. */
  readonly parkedEvents: number;
  /** Halts of signing that people have to clear. */
  readonly openHalts: number;
  /** For how long the providers have not agreed on something; 0 while they do. */
  readonly disagreementSeconds: number;
  /** Providers that contradicted what is proven, and are not asked. */
  readonly excludedProviders: number;
}

/** What the contracts hold, all of it at one block. */
export interface ChainHoldings {
  readonly vault: readonly VaultHolding[];
  /** USDT that the reward router holds, and what it was told to pay and has not paid. */
  readonly rewardsHeld: MicroUsdt;
  readonly rewardsOwed: MicroUsdt;
}

export interface VaultHolding extends VaultToken {
  /** In the token's smallest unit. */
  readonly rawAmount: bigint;
}

export interface HoldingsReader {
  /** @throws ChainError */
  loadHoldings(blockHash: `0x${string}`): Promise<ChainHoldings>;
}
