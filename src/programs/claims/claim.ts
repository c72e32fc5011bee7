import type { MicroUsdt } from '../../domain/micro-usdt.ts';

// A claim order as contract.md section 4 has it: processing from its creation; success when the
// chain shows the redemption of its nonce and amount; failed when the chain proves that this can
// no longer come. A redemption that no order asked for (a bare signature was redeemed) is written
// down as a claim of its own, so that chain and database always agree.

export type ClaimStatus = 'processing' | 'success' | 'failed';

/** CHAIN_REORGANIZED: the chain took the redemption back while the next claim was under way. */
export type ClaimFailure = 'SIGNATURE_EXPIRED' | 'NONCE_USED' | 'CHAIN_REORGANIZED';

export type ClaimOrigin = 'order' | 'redemption';

export interface Claim {
  readonly claimNo: string;
  readonly origin: ClaimOrigin;
  readonly amount: MicroUsdt;
  /** The account's nonce in the reward contract that the redemption uses. */
  readonly nonce: number;
  /** Unix seconds of the chain's clock; null where no order gave one. */
  readonly deadline: number | null;
  readonly status: ClaimStatus;
  readonly failureReason: ClaimFailure | null;
  readonly transactionHash: string | null;
}

/** What decisions about an account's claims stand on; read and changed under one lock. */
export interface ClaimFacts {
  /** Redemptions of the account that were seen on the confirmed chain: its nonce there. */
  readonly redemptionCount: number;
  readonly processing: Claim | null;
  /** Commission that the processing order holds. */
  readonly held: MicroUsdt;
  /** Commission that is on chain, unclaimed and held by no order. */
  readonly free: MicroUsdt;
}

/** A RewardRedeemed event of the account. */
export interface Redemption {
  readonly nonce: number;
  readonly amount: MicroUsdt;
  readonly transactionHash: string;
}

/**
 * What changes with a decision. Commission is taken oldest first; where the last row is more than
 * what is wanted, it is split in two.
 */
export type ClaimEffect =
  /** A claim comes into being. */
  | { readonly type: 'claimOpened'; readonly claim: Claim }
  /** A failed order is processing again under another nonce and deadline. */
  | {
      readonly type: 'claimReopened';
      readonly claimNo: string;
      readonly nonce: number;
      readonly deadline: number;
    }
  /** All free commission goes into an order. */
  | { readonly type: 'allFreeHeld'; readonly claimNo: string }
  /** So much free commission goes into an order. */
  | { readonly type: 'freeHeld'; readonly claimNo: string; readonly amount: MicroUsdt }
  /** What an order holds is claimed. */
  | { readonly type: 'heldClaimed'; readonly claimNo: string }
  /** So much free commission is claimed by a claim. */
  | { readonly type: 'freeClaimed'; readonly claimNo: string; readonly amount: MicroUsdt }
  /** What an order holds is free again. */
  | { readonly type: 'heldReleased'; readonly claimNo: string }
  /** What a claim has claimed is held by it again. */
  | { readonly type: 'claimedHeld'; readonly claimNo: string }
  | { readonly type: 'claimSucceeded'; readonly claimNo: string; readonly transactionHash: string }
  | { readonly type: 'claimFailed'; readonly claimNo: string; readonly failure: ClaimFailure }
  /** The order waits for its redemption again. */
  | { readonly type: 'claimResumed'; readonly claimNo: string }
  /** The claim was never made. */
  | { readonly type: 'claimErased'; readonly claimNo: string }
  | { readonly type: 'redemptionCounted'; readonly redemption: CountedRedemption }
  | { readonly type: 'redemptionUncounted'; readonly nonce: number };

/** A redemption and the claim that it finished. */
export interface CountedRedemption extends Redemption {
  readonly claimNo: string;
}
