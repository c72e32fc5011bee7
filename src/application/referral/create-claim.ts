import type { Address } from '../../domain/identifiers.ts';
import {
  type ClaimRejection,
  createClaim as judgeClaim,
} from '../../programs/claims/create-claim.ts';
import { codeBytesNeeded, generateClaimNumber } from '../../programs/referral/referral-code.ts';
import { DatabaseError } from '../ports/database.ts';
import type { Claim } from './claim-ports.ts';
import {
  type ClaimPorts,
  loadClaimMoment,
  type RewardVoucherView,
  type SignedClaimView,
  signVoucher,
  viewSignedClaim,
  voucherOf,
} from './claim-use-case.ts';
import type { ReferralOutcome } from './referral-use-case.ts';

/**
 * Creates an order of all that is claimable and signs its redemption (interface.md, claim rules 1).
 * The order is stored before the signature is made, so that every signature has an order.
 * @throws DatabaseError: there is no order; ChainError, SigningError: nothing was signed
 */
export async function createClaim(
  ports: ClaimPorts,
  account: Address,
): Promise<ReferralOutcome<SignedClaimView, ClaimRejection['reason']>> {
  const refusal = await judgeBeforehand(ports, account);
  if (refusal !== null) return { kind: 'refused', refusal };
  const { nonce, deadline } = await loadClaimMoment(ports, account);
  const time = new Date(ports.now());
  const day = time.toISOString().slice(0, 10);
  const claimNo = generateClaimNumber(ports.randomBytes(codeBytesNeeded), day);
  const result = await ports.claims.create(
    { account, claimNo, chainNonce: nonce, deadline, minimum: ports.minimumClaim },
    time,
  );
  if (result.kind === 'refused') return result;
  const voucher = await signOrErase(ports, account, result.claim);
  return { kind: 'done', value: viewSignedClaim(claimNo, voucher) };
}

/** An account with nothing to claim causes no query to the chain. */
async function judgeBeforehand(
  { claims, minimumClaim }: ClaimPorts,
  account: Address,
): Promise<ClaimRejection['reason'] | null> {
  const facts = await claims.loadFacts(account);
  const chainNonce = facts.redemptionCount;
  const decision = judgeClaim(facts, {
    claimNo: '',
    chainNonce,
    deadline: 0,
    minimum: minimumClaim,
  });
  return decision.kind === 'rejected' ? decision.rejection.reason : null;
}

// An order that nobody can redeem would hold the commission until it expires. If it cannot be
// erased either, its signature can still be requested by its number.
async function signOrErase(
  ports: ClaimPorts,
  account: Address,
  claim: Claim,
): Promise<RewardVoucherView> {
  try {
    return await signVoucher(ports, voucherOf(account, claim));
  } catch (error) {
    await ports.claims
      .erase(account, claim.claimNo, new Date(ports.now()))
      .catch((failure: unknown) => {
        if (!(failure instanceof DatabaseError)) throw failure;
        const { claimNo } = claim;
        ports.log.warn({ err: failure, claimNo }, 'an order without a signature stays open');
      });
    throw error;
  }
}
