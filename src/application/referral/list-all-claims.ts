import type { ClaimStatus } from './claim-ports.ts';
import { type ClaimPorts, type ClaimView, viewClaim } from './claim-use-case.ts';
import type { Page, PageOf } from './referral-ports.ts';

export const claimStatuses = ['processing', 'success', 'failed'] as const;

export interface AdminClaimView extends ClaimView {
  readonly address: string;
  readonly nonce: number;
  readonly deadline: number | null;
}

export interface ClaimFilter extends Page {
  /** Null: all. */
  readonly status: ClaimStatus | null;
}

/**
 * All accounts' claims for an administrator, newest first.
 * @throws DatabaseError
 */
export async function listAllClaims(
  { claims }: ClaimPorts,
  { status, ...page }: ClaimFilter,
): Promise<PageOf<AdminClaimView>> {
  const { items, total } = await claims.listAll(status, page);
  return {
    items: items.map((listed) => ({
      ...viewClaim(listed),
      address: listed.account,
      nonce: listed.claim.nonce,
      deadline: listed.claim.deadline,
    })),
    total,
  };
}
