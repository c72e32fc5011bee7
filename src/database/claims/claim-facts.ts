import { sql, type Transaction } from 'kysely';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { toMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import type { ClaimFacts } from '../../programs/claims/claim.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';
import { type ClaimRow, claimFromRow } from './claim-rows.ts';

/**
 * Locks the account until the transaction ends: its claims and the state of its commission only
 * change under this lock. The projector, which only adds commission, does not take it. Null if the
 * address has no account.
 */
export async function lockAccount(
  transaction: Transaction<Tables>,
  address: Address,
): Promise<AccountId | null> {
  const row = await transaction
    .selectFrom('accounts')
    .select('account_id')
    .where('address', '=', address)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : (Number(row.account_id) as AccountId);
}

export async function loadClaimFacts(
  transaction: Transaction<Tables>,
  account: AccountId,
): Promise<ClaimFacts> {
  const { rows } = await sql<{ claimable: string; redemptions: string }>`
    SELECT coalesce((SELECT claimable FROM referral_settled WHERE account_id = ${account}), 0)
        AS claimable,
      (SELECT count(*) FROM reward_redemptions WHERE account_id = ${account})
        AS redemptions`.execute(transaction);
  const processing = await findProcessing(transaction, account);
  const claimable = microUsdtOf(rows[0]?.claimable ?? '0');
  const heldSynced =
    processing === null ? zeroMicroUsdt : await sumHeldSynced(transaction, processing.id);
  return {
    redemptionCount: Number(rows[0]?.redemptions ?? 0),
    processing: processing === null ? null : claimFromRow(processing),
    held: processing === null ? zeroMicroUsdt : microUsdtOf(processing.covered),
    free: toMicroUsdt(claimable - heldSynced),
  };
}

async function findProcessing(
  transaction: Transaction<Tables>,
  account: AccountId,
): Promise<ClaimRow | null> {
  const row = await transaction
    .selectFrom('commission_claims')
    .selectAll()
    .where('account_id', '=', String(account))
    .where('status', '=', 'processing')
    .where('origin', '=', 'order')
    .executeTakeFirst();
  return row ?? null;
}

// A reorganization may have undone the settlement of held commission for a while.
async function sumHeldSynced(transaction: Transaction<Tables>, claimId: string) {
  const { rows } = await sql<{ sum: string }>`
    SELECT coalesce(sum(commission), 0) AS sum FROM commission_claim_items
    JOIN referral_earnings ON id = earning_id
    WHERE claim_id = ${claimId} AND chain_sync_status = 'synced'`.execute(transaction);
  return microUsdtOf(rows[0]?.sum ?? '0');
}
