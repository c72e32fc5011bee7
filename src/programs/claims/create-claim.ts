import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimEffect, ClaimFacts } from './claim.ts';

// A claim covers all commission that is claimable now (interface.md, claim rules 1) and waits for
// one redemption, at the contract's current nonce. It is only created if the database has seen
// every redemption before that nonce: otherwise commission that is already paid would look
// claimable, and the order could never be redeemed.

/** Why a claim or a retry is refused. */
export type ClaimRejection =
  | { readonly reason: 'claim_already_processing' }
  | { readonly reason: 'no_claimable' }
  | { readonly reason: 'claim_below_minimum' }
  | { readonly reason: 'claim_not_failed' };

/** The result of a claim or a retry: the changes to make, or the refusal. */
export type ClaimDecision =
  | { readonly kind: 'accepted'; readonly effects: readonly ClaimEffect[] }
  | { readonly kind: 'rejected'; readonly rejection: ClaimRejection };

/** The terms of a new claim. */
export interface ClaimTerms {
  readonly claimNo: string;
  /** The account's current nonce in the contract. */
  readonly chainNonce: number;
  /** Unix seconds. */
  readonly deadline: number;
}

/**
 * Creates a claim of all free commission. Refusals are checked in the order of the interface's
 * error table. The minimum is inclusive.
 */
export function createClaim(
  facts: ClaimFacts,
  terms: ClaimTerms & { readonly minimum: MicroUsdt },
): ClaimDecision {
  if (isUnderWay(facts, terms)) return reject('claim_already_processing');
  if (facts.free === 0n) return reject('no_claimable');
  if (facts.free < terms.minimum) return reject('claim_below_minimum');
  const claim: Claim = {
    claimNo: terms.claimNo,
    origin: 'order',
    amount: facts.free,
    nonce: terms.chainNonce,
    deadline: terms.deadline,
    status: 'processing',
    failureReason: null,
    transactionHash: null,
  };
  return accept([
    { type: 'claimOpened', claim },
    { type: 'allFreeHeld', claimNo: claim.claimNo },
  ]);
}

/**
 * Retries a failed claim: the same order and amount with a current nonce and deadline (contract.md
 * section 4).
 */
export function retryClaim(
  facts: ClaimFacts,
  claim: Claim,
  terms: Omit<ClaimTerms, 'claimNo'>,
): ClaimDecision {
  if (claim.status !== 'failed') return reject('claim_not_failed');
  if (isUnderWay(facts, terms)) return reject('claim_already_processing');
  // What other claims left over does not cover this one.
  if (facts.free < claim.amount) return reject('no_claimable');
  const { claimNo, amount } = claim;
  return accept([
    { type: 'claimReopened', claimNo, nonce: terms.chainNonce, deadline: terms.deadline },
    { type: 'freeHeld', claimNo, amount },
  ]);
}

// A redemption that is on chain but not yet in the database belongs to an order in processing.
function isUnderWay(facts: ClaimFacts, { chainNonce }: Pick<ClaimTerms, 'chainNonce'>): boolean {
  return facts.processing !== null || chainNonce !== facts.redemptionCount;
}

function accept(effects: readonly ClaimEffect[]): ClaimDecision {
  return { kind: 'accepted', effects };
}

function reject(reason: ClaimRejection['reason']): ClaimDecision {
  return { kind: 'rejected', rejection: { reason } };
}
