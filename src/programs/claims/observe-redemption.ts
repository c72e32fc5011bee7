import { toMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Claim, ClaimEffect, ClaimFacts, CountedRedemption, Redemption } from './claim.ts';

// What a redemption on the confirmed chain means (contract.md section 4). It is identified by the
// account and its nonce, which stay the same when a reorganization moves it to another block.

/** What the database has recorded about a redemption's nonce. */
export interface RedemptionContext {
  /**
   * The order that waits for the redemption's nonce and amount: one in processing, or one that lost
   * its redemption in a reorganization.
   */
  readonly match: Claim | null;
  /** The redemption already counted under this nonce. */
  readonly counted: Redemption | null;
  /** The number of the claim to create if no order matches. */
  readonly newClaimNo: string;
}

/** The chain shows something impossible; an operator has to investigate. */
export type RedemptionContradiction =
  | 'redemption_missed_before'
  | 'redemption_changed'
  | 'redeemed_beyond_settled';

/** The result of observing a redemption: the changes to make, or a contradiction. */
export type RedemptionDecision =
  | { readonly kind: 'counted'; readonly effects: readonly ClaimEffect[] }
  | { readonly kind: 'contradiction'; readonly contradiction: RedemptionContradiction };

/**
 * Decides what a redemption on the confirmed chain changes. A redemption that is already counted
 * changes nothing.
 */
export function observeRedemption(
  facts: ClaimFacts,
  redemption: Redemption,
  context: RedemptionContext,
): RedemptionDecision {
  const { nonce } = redemption;
  if (nonce < facts.redemptionCount) return decideKnown(redemption, context.counted);
  if (nonce > facts.redemptionCount) return contradict('redemption_missed_before');
  const { match } = context;
  if (match === null) return decideUnrequested(facts, redemption, context.newClaimNo);
  if (match.status === 'processing') return decideAwaited(facts, redemption, match);
  return finish(facts, redemption, { claimNo: match.claimNo, before: [] });
}

// A repeated delivery: nothing to do unless the amount differs.
function decideKnown(redemption: Redemption, counted: Redemption | null): RedemptionDecision {
  if (counted?.amount !== redemption.amount) return contradict('redemption_changed');
  return { kind: 'counted', effects: [] };
}

// The order's held commission pays for the redemption. Only if a reorganization let another
// redemption use part of it is the rest taken from free commission.
function decideAwaited(
  facts: ClaimFacts,
  redemption: Redemption,
  { claimNo }: Claim,
): RedemptionDecision {
  const missing = toMicroUsdt(redemption.amount - facts.held);
  if (missing < 0n || missing > facts.free) return contradict('redeemed_beyond_settled');
  return {
    kind: 'counted',
    effects: [
      { type: 'heldClaimed', claimNo },
      ...takeFree(claimNo, missing),
      ...success(claimNo, redemption),
    ],
  };
}

// A bare signature was redeemed. An order that waited for this nonce can never be redeemed now.
function decideUnrequested(
  facts: ClaimFacts,
  redemption: Redemption,
  claimNo: string,
): RedemptionDecision {
  const claim: Claim = {
    claimNo,
    origin: 'redemption',
    amount: redemption.amount,
    nonce: redemption.nonce,
    deadline: null,
    status: 'processing',
    failureReason: null,
    transactionHash: null,
  };
  return finish(facts, redemption, { claimNo, before: [{ type: 'claimOpened', claim }] });
}

interface Finish {
  readonly claimNo: string;
  readonly before: readonly ClaimEffect[];
}

// Pays from free commission. A processing order releases its commission if it waits for this nonce,
// or if free commission alone is not enough.
function finish(
  facts: ClaimFacts,
  redemption: Redemption,
  { claimNo, before }: Finish,
): RedemptionDecision {
  const { processing } = facts;
  const isNonceLost = processing?.nonce === redemption.nonce;
  const isNeeded = redemption.amount > facts.free;
  const givesBack = processing !== null && (isNonceLost || isNeeded);
  const available = facts.free + (givesBack ? facts.held : 0n);
  if (redemption.amount > available) return contradict('redeemed_beyond_settled');
  const failure = isNonceLost ? 'NONCE_USED' : 'CHAIN_REORGANIZED';
  const giveBack: readonly ClaimEffect[] = givesBack
    ? [
        { type: 'heldReleased', claimNo: processing.claimNo },
        { type: 'claimFailed', claimNo: processing.claimNo, failure },
      ]
    : [];
  return {
    kind: 'counted',
    effects: [
      ...giveBack,
      ...before,
      // A failed claim takes no commission, so it is marked as succeeded first.
      ...success(claimNo, redemption),
      ...takeFree(claimNo, redemption.amount),
    ],
  };
}

function takeFree(claimNo: string, amount: Redemption['amount']): readonly ClaimEffect[] {
  return amount === zeroMicroUsdt ? [] : [{ type: 'freeClaimed', claimNo, amount }];
}

function success(claimNo: string, redemption: Redemption): readonly ClaimEffect[] {
  const { transactionHash } = redemption;
  return [
    { type: 'claimSucceeded', claimNo, transactionHash },
    { type: 'redemptionCounted', redemption: { ...redemption, claimNo } },
  ];
}

function contradict(contradiction: RedemptionContradiction): RedemptionDecision {
  return { kind: 'contradiction', contradiction };
}

/**
 * Undoes the account's last redemption after a reorganization. Its order waits again, unless the
 * next order has been created meanwhile; then it is failed until its redemption returns.
 */
export function revertRedemption(
  facts: ClaimFacts,
  { nonce, claimNo }: CountedRedemption,
  origin: Claim['origin'],
): readonly ClaimEffect[] {
  const uncount: ClaimEffect = { type: 'redemptionUncounted', nonce };
  const giveBack: readonly ClaimEffect[] = [
    { type: 'claimedHeld', claimNo },
    { type: 'heldReleased', claimNo },
  ];
  if (origin === 'redemption') return [uncount, ...giveBack, { type: 'claimErased', claimNo }];
  if (facts.processing !== null) {
    return [uncount, ...giveBack, { type: 'claimFailed', claimNo, failure: 'CHAIN_REORGANIZED' }];
  }
  return [uncount, { type: 'claimedHeld', claimNo }, { type: 'claimResumed', claimNo }];
}
