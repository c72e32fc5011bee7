import type { Transaction } from 'kysely';
import type { OverdueSlot } from '../../application/ports/chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { expireClaim } from '../../programs/claims/expire-claim.ts';
import type { BlockMoment } from '../chain/event-program.ts';
import type { Tables } from '../tables.ts';
import { applyClaimEffects } from './claim-effects.ts';
import { loadClaimFacts, lockAccount } from './claim-facts.ts';

/** The orders whose deadline has passed at a time of the chain's clock, in Unix seconds. */
export async function listOverdueClaims(
  transaction: Transaction<Tables>,
  chainSeconds: number,
): Promise<readonly OverdueSlot[]> {
  const rows = await transaction
    .selectFrom('commission_claims')
    .innerJoin('accounts', 'accounts.account_id', 'commission_claims.account_id')
    .select(['accounts.address', 'commission_claims.nonce'])
    .where('status', '=', 'processing')
    .where('deadline', '<', String(chainSeconds))
    .orderBy('commission_claims.account_id')
    .execute();
  return rows.map(({ address, nonce }) => ({
    contract: 'rewardRouter',
    account: address as Address,
    nonce: Number(nonce),
  }));
}

/** Expires an order whose nonce the chain has provably not used up to the moment's block. */
export async function expireClaimOf(
  transaction: Transaction<Tables>,
  slot: OverdueSlot,
  { chainSeconds, time }: BlockMoment,
): Promise<void> {
  const account = await lockAccount(transaction, slot.account);
  assert(account !== null, 'a claim has an account');
  // Once locked, the processing order may be another one, or none.
  const { processing } = await loadClaimFacts(transaction, account);
  if (processing?.nonce !== slot.nonce) return;
  const effects = expireClaim(processing, chainSeconds);
  await applyClaimEffects(transaction, effects, { account, time, block: null });
}
