import { retryClaim as judgeRetry } from '../../programs/claims/create-claim.ts';
import { isClaimNumber } from '../../programs/referral/referral-code.ts';
import type { OwnedClaim } from './claim-ports.ts';
import {
  type ClaimPorts,
  type ClaimRefusal,
  loadClaimMoment,
  type SignedClaimView,
  signVoucher,
  viewSignedClaim,
} from './claim-use-case.ts';
import type { ReferralOutcome } from './referral-use-case.ts';

/**
 * Reopens a failed order for an administrator: the same amount with a current nonce, deadline and
 * signature. The amount is known, so the signature is made first; it only leaves the process once
 * the order is open.
 * @throws DatabaseError, ChainError, SigningError: the order is unchanged
 */
export async function retryClaim(
  ports: ClaimPorts,
  claimNo: string,
): Promise<ReferralOutcome<SignedClaimView, ClaimRefusal>> {
  const found = isClaimNumber(claimNo) ? await ports.claims.find(claimNo) : null;
  if (found === null) return { kind: 'refused', refusal: 'claim_not_found' };
  const refusal = await judgeBeforehand(ports, found);
  if (refusal !== null) return { kind: 'refused', refusal };
  const { account, claim } = found;
  const { nonce, deadline } = await loadClaimMoment(ports, account);
  const voucher = await signVoucher(ports, { account, amount: claim.amount, nonce, deadline });
  const retry = { account, claimNo, chainNonce: nonce, deadline };
  const result = await ports.claims.retry(retry, new Date(ports.now()));
  if (result.kind === 'refused') return result;
  return { kind: 'done', value: viewSignedClaim(claimNo, voucher) };
}

async function judgeBeforehand(
  { claims }: ClaimPorts,
  { account, claim }: OwnedClaim,
): Promise<ClaimRefusal | null> {
  const facts = await claims.loadFacts(account);
  const chainNonce = facts.redemptionCount;
  const decision = judgeRetry(facts, claim, { chainNonce, deadline: 0 });
  return decision.kind === 'rejected' ? decision.rejection.reason : null;
}
