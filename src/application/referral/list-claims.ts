import type { Address } from '../../domain/identifiers.ts';
import { type ClaimPorts, type ClaimView, viewClaim } from './claim-use-case.ts';
import type { Page, PageOf } from './referral-ports.ts';

/**
 * The caller's claims, failed ones included, newest first.
 * @throws DatabaseError
 */
export async function listClaims(
  { claims }: ClaimPorts,
  caller: Address,
  page: Page,
): Promise<PageOf<ClaimView>> {
  const { items, total } = await claims.list(caller, page);
  return { items: items.map(viewClaim), total };
}
