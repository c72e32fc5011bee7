import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { WithdrawalDraft } from '../../application/wallet/wallet-ports.ts';
import {
  checkWithdrawalSlot,
  type SlotRejection,
  type Withdrawal,
  type WithdrawalStatus,
} from '../../programs/claims/withdrawal.ts';
import type { Tables } from '../tables.ts';

const uniqueViolation = '23505';

/**
 * Writes the withdrawal's row into its slot in one transaction, unless another withdrawal of the
 * account prevents it. The unique index decides concurrent requests.
 */
export async function takeSlot(
  db: Kysely<Tables>,
  draft: WithdrawalDraft,
  write: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<SlotRejection | null> {
  try {
    return await db.transaction().execute(async (transaction) => {
      const present = await selectLive(transaction, draft);
      const rejection =
        checkWithdrawalSlot(present, draft.nonce) ?? (await checkHistory(transaction, draft));
      if (rejection === null) await write(transaction);
      return rejection;
    });
  } catch (error) {
    // A concurrent request has taken the slot.
    if (isUniqueViolation(error)) return { reason: 'withdrawal_slot_conflict' };
    throw error;
  }
}

/** The account's withdrawals that can still hold a slot at or after the chain's nonce. */
async function selectLive(
  transaction: Transaction<Tables>,
  { id, account, chainId, nonce }: WithdrawalDraft,
): Promise<readonly Withdrawal[]> {
  const rows = await transaction
    .selectFrom('withdrawals')
    .select(['token_address', 'raw_amount', 'nonce', 'deadline', 'status'])
    .where('account', '=', account)
    .where('chain_id', '=', String(chainId))
    .where('nonce', '>=', String(nonce))
    // An approved withdrawal holds its own slot.
    .where('id', '<>', id)
    .where('status', 'not in', ['expired', 'abandoned'])
    .execute();
  return rows.map((row) => ({
    token: row.token_address,
    rawAmount: BigInt(row.raw_amount),
    nonce: Number(row.nonce),
    deadline: Number(row.deadline),
    status: row.status as WithdrawalStatus,
  }));
}

// The chain has a release that is unknown to this database, or one that waits for an operator and
// is not ignored: balances here may be too high, as after restoring an old database. The same
// applies if a returned amount waits to be set aside again.
async function checkHistory(
  transaction: Transaction<Tables>,
  { account, chainId, nonce }: WithdrawalDraft,
): Promise<SlotRejection | null> {
  const { rows } = await sql<{ is_sound: boolean }>`
    SELECT NOT EXISTS (SELECT FROM chain_parked_events
        WHERE contract = 'spotVault' AND account = ${account} AND ignored_at IS NULL)
      AND (${nonce}::bigint = 0 OR EXISTS (
        SELECT FROM withdrawals
        WHERE account = ${account} AND chain_id = ${chainId} AND nonce = ${nonce - 1}
          AND status IN ('signed', 'queued', 'completed', 'returned'))
        OR EXISTS (SELECT FROM chain_parked_events
          WHERE contract = 'spotVault' AND account = ${account} AND ignored_at IS NOT NULL
            AND (event->>'nonce')::bigint = ${nonce - 1}))
      AND NOT EXISTS (SELECT FROM withdrawals
        WHERE account = ${account} AND status = 'queued' AND NOT is_settled)
      AND NOT EXISTS (SELECT FROM withdrawals
        JOIN withdrawal_funds AS funds ON funds.withdrawal_id = withdrawals.id::text
        WHERE account = ${account} AND status = 'completed' AND NOT is_settled
          AND state = 'released') AS is_sound`.execute(transaction);
  return rows[0]?.is_sound === true ? null : { reason: 'withdrawal_slot_conflict' };
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation;
}
