import type { Address } from '../../domain/identifiers.ts';
import { isClaimNumber } from '../../programs/referral/referral-code.ts';
import {
  type ClaimPorts,
  type RewardVoucherView,
  signVoucher,
  voucherOf,
} from './claim-use-case.ts';
import type { ReferralOutcome } from './referral-use-case.ts';

/**
 * Returns an open order's signature again, for a caller who lost it.
 * @throws DatabaseError, SigningError
 */
export async function loadClaimSignature(
  ports: ClaimPorts,
  caller: Address,
  claimNo: string,
): Promise<ReferralOutcome<RewardVoucherView, 'claim_not_found' | 'claim_not_processing'>> {
  const found = isClaimNumber(claimNo) ? await ports.claims.find(claimNo) : null;
  // Another account's order is indistinguishable from one that does not exist.
  if (found?.account !== caller) return { kind: 'refused', refusal: 'claim_not_found' };
  if (found.claim.status !== 'processing') {
    return { kind: 'refused', refusal: 'claim_not_processing' };
  }
  return { kind: 'done', value: await signVoucher(ports, voucherOf(caller, found.claim)) };
}
