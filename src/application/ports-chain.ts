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
   * The same terms give the same bytes, so a signature that was lost can be made again.
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
