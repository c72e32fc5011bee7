import type { Claim, ClaimEffect } from './claim.ts';

/**
 * Fails an order once the chain proves that it can never be redeemed: a confirmed block, up to
 * which all events are counted, is later than the deadline, and the contract rejects the signature
 * in every later block. The server's clock proves nothing. Returns no effects if the order can
 * still be redeemed.
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
