import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimEffect, ClaimFacts } from './claim.ts';

// A claim covers all commission that is claimable now (interface.md, claim rules 1). It waits for
// one redemption, that of the contract's present nonce. So it is only made while the database has
// seen every redemption up to that nonce: otherwise commission that is paid already would look
// claimable, and the order could never be redeemed.

export type ClaimRejection =
  | { readonly reason: 'claim_already_processing' }
  | { readonly reason: 'no_claimable' }
  | { readonly reason: 'claim_below_minimum' }
  | { readonly reason: 'claim_not_failed' };

export type ClaimDecision =
  | { readonly kind: 'accepted'; readonly effects: readonly ClaimEffect[] }
  | { readonly kind: 'rejected'; readonly rejection: ClaimRejection };

export interface ClaimTerms {
  readonly claimNo: string;
  /** The account's nonce as the contract has it at this moment. */
  readonly chainNonce: number;
  /** Unix seconds. */
  readonly deadline: number;
}

/** Refusals in the order of the interface's error table. */
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

/** The same order and amount with a nonce and deadline of now (contract.md section 4). */
export function retryClaim(
  facts: ClaimFacts,
  claim: Claim,
  terms: Omit<ClaimTerms, 'claimNo'>,
): ClaimDecision {
  if (claim.status !== 'failed') return reject('claim_not_failed');
  if (isUnderWay(facts, terms)) return reject('claim_already_processing');
  // What is left after other claims does not cover this one.
  if (facts.free < claim.amount) return reject('no_claimable');
  const { claimNo, amount } = claim;
  return accept([
    { type: 'claimReopened', claimNo, nonce: terms.chainNonce, deadline: terms.deadline },
    { type: 'freeHeld', claimNo, amount },
  ]);
}

// A redemption that the chain has and the database has not is an order still being processed.
function isUnderWay(facts: ClaimFacts, { chainNonce }: Pick<ClaimTerms, 'chainNonce'>): boolean {
  return facts.processing !== null || chainNonce !== facts.redemptionCount;
}

function accept(effects: readonly ClaimEffect[]): ClaimDecision {
  return { kind: 'accepted', effects };
}

function reject(reason: ClaimRejection['reason']): ClaimDecision {
  return { kind: 'rejected', rejection: { reason } };
}
