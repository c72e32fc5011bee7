import { sql, type Transaction } from 'kysely';
import type { RewardSettledEvent } from '../../application/ports/chain-ledger.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { isSettledBy } from '../../programs/claims/settlement.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';
import { lockAccount } from './claim-facts.ts';
import { addSettled, changeSyncStatus, subtractSettled } from './sync-sums.ts';

// A confirmed RewardSettled event syncs the commission of every open batch that its total covers.

/** Runs within the transaction that moves the cursor past the event's block. */
export async function countSettlement(
  transaction: Transaction<Tables>,
  event: RewardSettledEvent,
  block: number,
): Promise<void> {
  const account = await lockAccount(transaction, event.account);
  // The total of an unknown account was never requested; nothing waits for it.
  if (account === null) return;
  const items = await transaction
    .selectFrom('settlement_items')
    .selectAll()
    .where('account_id', '=', String(account))
    .where('is_open', '=', true)
    .orderBy('batch_id')
    .execute();
  for (const item of items) {
    const asked = { account: event.account, total: microUsdtOf(item.total) };
    if (!isSettledBy(asked, event.settledTotal)) continue;
    await transaction
      .updateTable('settlement_items')
      .set({ is_open: false, settled_block: block })
      .where('batch_id', '=', item.batch_id)
      .where('account_id', '=', item.account_id)
      .execute();
    await markSynced(transaction, account, {
      through: item.through_place,
      generation: item.generation,
      hash: event.transactionHash,
      block,
    });
  }
}

interface Settled {
  readonly through: string;
  readonly generation: number;
  readonly hash: string;
  readonly block: number;
}

async function markSynced(
  transaction: Transaction<Tables>,
  account: AccountId,
  { through, generation, hash, block }: Settled,
): Promise<void> {
  const changed = await changeSyncStatus(
    transaction,
    sql`UPDATE referral_earnings SET chain_sync_status = 'synced', chain_sync_tx = ${hash},
          chain_sync_block = ${block}, chain_sync_error = NULL
        WHERE beneficiary_id = ${account} AND place <= ${through}
          AND settle_generation <= ${generation} AND chain_sync_status = 'pending'`,
  );
  if (changed.length === 0) return;
  await addSettled(transaction, account, changed);
}

/**
 * Undoes every settlement counted after a block; later redemptions must already be undone. The
 * batches wait for their transactions again.
 */
export async function uncountSettlements(
  transaction: Transaction<Tables>,
  block: number,
): Promise<void> {
  const reopened = await sql<{ account_id: string }>`
    UPDATE settlement_items SET is_open = true, settled_block = NULL
    WHERE settled_block > ${block} RETURNING account_id`.execute(transaction);
  const accounts = [...new Set(reopened.rows.map((row) => Number(row.account_id)))];
  for (const account of accounts.sort((left, right) => left - right)) {
    await unmarkSynced(transaction, account as AccountId, block);
  }
}

async function unmarkSynced(
  transaction: Transaction<Tables>,
  account: AccountId,
  block: number,
): Promise<void> {
  const changed = await changeSyncStatus(
    transaction,
    sql`UPDATE referral_earnings SET chain_sync_status = 'pending', chain_sync_tx = NULL,
          chain_sync_block = NULL
        WHERE beneficiary_id = ${account} AND status = 'pending'
          AND chain_sync_status = 'synced' AND chain_sync_block > ${block}`,
  );
  if (changed.length === 0) return;
  await subtractSettled(transaction, account, changed);
}
