import type { Claim, ClaimEffect } from './claim.ts';

/**
 * Gives an order up once the chain proves that it can never be redeemed: a confirmed block, all of
 * whose events are counted, is later than the deadline. The contract refuses the signature in every
 * block after it. The server's own clock proves nothing.
 */
export function expireClaim(
  processing: Claim,
  /** Unix seconds of the last confirmed block whose events are counted. */
  chainSeconds: number,
): readonly ClaimEffect[] {
  if (processing.deadline === null || chainSeconds <= processing.deadline) return [];
  return [
    { type: 'heldReleased', claimNo: processing.claimNo },
    { type: 'claimFailed', claimNo: processing.claimNo, failure: 'SIGNATURE_EXPIRED' },
  ];
}
