import type { MicroUsdt } from '../../domain/micro-usdt.ts';

// A claim order (contract.md section 4): processing from its creation; success when the chain shows
// the redemption of its nonce and amount; failed when the chain proves that this can no longer
// happen. A redemption without an order (a bare signature was redeemed) is recorded as a separate
// claim, so that chain and database always agree.

/** A claim is `processing` until its redemption is confirmed, or can no longer happen. */
export type ClaimStatus = 'processing' | 'success' | 'failed';

/**
 * Why a claim failed. CHAIN_REORGANIZED: a reorganization removed the redemption while the next
 * claim was processing.
 */
export type ClaimFailure = 'SIGNATURE_EXPIRED' | 'NONCE_USED' | 'CHAIN_REORGANIZED';

/** What created a claim: an order of the account, or a redemption without an order. */
export type ClaimOrigin = 'order' | 'redemption';

/** A claim of commission by one account. */
export interface Claim {
  readonly claimNo: string;
  readonly origin: ClaimOrigin;
  readonly amount: MicroUsdt;
  /** The account's nonce in the reward contract that the redemption spends. */
  readonly nonce: number;
  /** Unix seconds on the chain's clock; null for a claim without an order. */
  readonly deadline: number | null;
  readonly status: ClaimStatus;
  readonly failureReason: ClaimFailure | null;
  readonly transactionHash: string | null;
}

/**
 * The facts that decisions about an account's claims are based on; read and changed under one lock.
 */
export interface ClaimFacts {
  /**
   * The number of the account's redemptions seen on the confirmed chain, which is its nonce there.
   */
  readonly redemptionCount: number;
  readonly processing: Claim | null;
  /** Commission held by the processing order. */
  readonly held: MicroUsdt;
  /** Commission that is settled on chain, unclaimed and held by no order. */
  readonly free: MicroUsdt;
}

/** A RewardRedeemed event of the account. */
export interface Redemption {
  readonly nonce: number;
  readonly amount: MicroUsdt;
  readonly transactionHash: string;
}

/**
 * A change that a decision makes. Commission is taken oldest first; a last row that is larger than
 * needed is split in two.
 */
export type ClaimEffect =
  /** A claim is created. */
  | { readonly type: 'claimOpened'; readonly claim: Claim }
  /** A failed order returns to processing with a new nonce and deadline. */
  | {
      readonly type: 'claimReopened';
      readonly claimNo: string;
      readonly nonce: number;
      readonly deadline: number;
    }
  /** The order takes all free commission. */
  | { readonly type: 'allFreeHeld'; readonly claimNo: string }
  /** The order takes this much free commission. */
  | { readonly type: 'freeHeld'; readonly claimNo: string; readonly amount: MicroUsdt }
  /** The commission that the order holds becomes claimed. */
  | { readonly type: 'heldClaimed'; readonly claimNo: string }
  /** The claim takes this much free commission as claimed. */
  | { readonly type: 'freeClaimed'; readonly claimNo: string; readonly amount: MicroUsdt }
  /** The commission that the order holds becomes free. */
  | { readonly type: 'heldReleased'; readonly claimNo: string }
  /** The commission that the claim claimed becomes held by it. */
  | { readonly type: 'claimedHeld'; readonly claimNo: string }
  | { readonly type: 'claimSucceeded'; readonly claimNo: string; readonly transactionHash: string }
  | { readonly type: 'claimFailed'; readonly claimNo: string; readonly failure: ClaimFailure }
  /** The order waits for its redemption again. */
  | { readonly type: 'claimResumed'; readonly claimNo: string }
  /** The claim is deleted, as if it had never been made. */
  | { readonly type: 'claimErased'; readonly claimNo: string }
  | { readonly type: 'redemptionCounted'; readonly redemption: CountedRedemption }
  | { readonly type: 'redemptionUncounted'; readonly nonce: number };

/** A redemption and the claim that it completed. */
export interface CountedRedemption extends Redemption {
  readonly claimNo: string;
}
