import { assert } from '../../domain/assert.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import { formatMicroUsdt, type MicroUsdt } from '../../domain/micro-usdt.ts';
import type { ClaimRejection } from '../../programs/claims/create-claim.ts';
import { type RewardSigner, type RewardVoucherTerms, SigningError } from '../ports/chain.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import type { OperatorLog } from '../ports/operators.ts';
import type { Claim, ClaimStore, ListedClaim } from './claim-ports.ts';
import type { ReferralReader } from './referral-ports.ts';

// Shared by the claim use cases. The service never pays: it signs what the caller then submits to
// the reward router, and the listener observes the redemption.

export interface ClaimPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly claims: ClaimStore;
  readonly referralReader: ReferralReader;
  readonly rewardSigner: RewardSigner;
  readonly minimumClaim: MicroUsdt;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly now: () => TimestampMs;
  readonly log: OperatorLog;
}

export type ClaimRefusal = ClaimRejection['reason'] | 'claim_not_found' | 'claim_not_processing';

export interface RewardVoucherView {
  /** In 10^-6 USDT. */
  readonly amount: string;
  readonly nonce: number;
  /** Unix seconds. */
  readonly deadline: number;
  readonly signature: string;
  readonly contract_address: string;
}

export interface SignedClaimView extends RewardVoucherView {
  readonly success: true;
  readonly claim_no: string;
  readonly status: 'processing';
  readonly message: string;
}

export interface ClaimView {
  readonly claim_no: string;
  readonly amount: string;
  readonly status: Claim['status'];
  readonly tx_hash: string | null;
  readonly failure_reason: string | null;
  readonly applied_at: string;
  readonly finished_at: string | null;
}

/** Validity of a signature: one hour (interface.md, limits). */
const signatureLifetimeSeconds = 3_600;

const redeemMessage =
  'Call redeemReward(amount, deadline, signature) of the contract at contract_address from your ' +
  'wallet before the deadline to receive the commission.';

export interface ClaimMoment {
  /** The nonce that the account's next redemption uses. */
  readonly nonce: number;
  readonly deadline: number;
}

/**
 * The account's nonce, and the deadline for a signature made now. The contract uses the chain's
 * clock, which may be ahead of the service's.
 * @throws ChainError, SigningError
 */
export async function loadClaimMoment(
  { rewardSigner, now }: ClaimPorts,
  account: Address,
): Promise<ClaimMoment> {
  const { nonce, blockSeconds } = await rewardSigner.loadStanding(account);
  const seconds = Math.max(Math.floor(now() / 1000), blockSeconds);
  return { nonce, deadline: seconds + signatureLifetimeSeconds };
}

/** @throws SigningError */
export async function signVoucher(
  { rewardSigner }: ClaimPorts,
  terms: RewardVoucherTerms,
): Promise<RewardVoucherView> {
  const signature = await rewardSigner.signRedemption(terms);
  const { contractAddress } = rewardSigner;
  if (contractAddress === null) throw new SigningError('the chain is not connected');
  return {
    amount: String(terms.amount),
    nonce: terms.nonce,
    deadline: terms.deadline,
    signature,
    contract_address: contractAddress,
  };
}

/** The terms that are signed for an open order; always the same. */
export function voucherOf(
  account: Address,
  { amount, nonce, deadline }: Claim,
): RewardVoucherTerms {
  assert(deadline !== null, 'a waiting order has a deadline');
  return { account, amount, nonce, deadline };
}

export function viewSignedClaim(claimNo: string, voucher: RewardVoucherView): SignedClaimView {
  return {
    success: true,
    claim_no: claimNo,
    status: 'processing',
    ...voucher,
    message: redeemMessage,
  };
}

export function viewClaim({ claim, appliedAt, finishedAt }: ListedClaim): ClaimView {
  return {
    claim_no: claim.claimNo,
    amount: formatMicroUsdt(claim.amount),
    status: claim.status,
    tx_hash: claim.transactionHash,
    failure_reason: claim.failureReason,
    applied_at: appliedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
