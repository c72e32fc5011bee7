import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type {
  DepositEnd,
  OperatorReason,
  UnbookedEnd,
} from '../../application/ports/waiting-events.ts';
import { formatAmount, zeroAmount } from '../../domain/amount.ts';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';
import { decodeEvent } from './event-codec.ts';
import { contractIdOf } from './event-contract.ts';
import { lockLedger } from './ledger-lock.ts';
import { linkEntry } from './vault-queue.ts';

// How people end what waits. Each end and its audit row are one transaction; whatever the engine
// has to do for it follows from the rows.

interface DatedReason extends OperatorReason {
  readonly at: Date;
}

/** Takes the event out of the way; its row stays, because the chain has done it. */
export async function writeOffEvent(
  transaction: Transaction<Tables>,
  { id, as }: { readonly id: string; readonly as: UnbookedEnd },
  word: DatedReason,
): Promise<boolean> {
  await lockLedger(transaction);
  const row = await transaction
    .updateTable('chain_parked_events')
    .set({ ignored_at: word.at, ignored_by: word.by, reason: word.reason })
    .where('id', '=', id)
    .where('ignored_at', 'is', null)
    // The engine counts an account's deposits in order: only a counted one can be skipped.
    .where(
      sql<boolean>`event->>'type' <> 'vaultDeposited' OR EXISTS (
        SELECT FROM spot_deposits AS deposit
        WHERE deposit.account = chain_parked_events.account
          AND deposit.number = (event->>'number')::bigint AND credited_at IS NOT NULL)`,
    )
    .returning(['account', 'event', 'error'])
    .executeTakeFirst();
  if (row === undefined) return false;
  await audit(transaction, word, { id, end: as, ...row });
  return true;
}

/** Writes off a deposit that nothing is credited for, or that was credited and has vanished. */
export async function writeOffDeposit(
  transaction: Transaction<Tables>,
  position: string,
  word: DatedReason,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('spot_deposits')
    .set({ vanishing_written_off_at: word.at })
    .where(sql<boolean>`position = ${position}`)
    .where('block_number', 'is', null)
    .where('vanishing_written_off_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    return endDeposit(transaction, { position, end: { action: 'write_off' } }, word);
  }
  await audit(transaction, word, { id: `deposit-${position}`, end: 'write_off' });
  return true;
}

/** The statuses of a withdrawal whose money the engine has had. */
const linkable = [
  'pending',
  'review',
  'approved',
  'refused',
  'signed',
  'queued',
  'returned',
  'expired',
  'canceled',
];
/** Stands for a signature that this database does not have. */
const unknownSignature = '0x';

export async function linkEvent(
  transaction: Transaction<Tables>,
  { id, withdrawalId }: { readonly id: string; readonly withdrawalId: string },
  word: DatedReason,
): Promise<boolean> {
  await lockLedger(transaction);
  const parked = await transaction
    .selectFrom('chain_parked_events')
    .selectAll()
    .where('id', '=', id)
    .where('ignored_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (parked === undefined) return false;
  const event = decodeEvent(parked.event);
  if (event.type !== 'vaultReleased' && event.type !== 'vaultReleaseQueued') return false;
  const isPaid = event.type === 'vaultReleased';
  await sql`SAVEPOINT link`.execute(transaction);
  const linked = await sql`
    UPDATE withdrawals SET status = ${isPaid ? 'completed' : 'queued'}, is_settled = false,
      contract_id = ${contractIdOf(event)}, nonce = ${event.nonce},
      deadline = coalesce(deadline, ${parked.block_seconds}::bigint),
      signature = coalesce(signature, ${unknownSignature}),
      tx_hash = ${isPaid ? event.transactionHash : null},
      block_number = ${isPaid ? parked.block_number : null}::bigint,
      finished_at = ${isPaid ? word.at : null}
    WHERE id = ${withdrawalId}::uuid AND account = ${event.account}
      AND token_address = ${event.token} AND raw_amount = ${String(event.rawAmount)}::numeric
      AND is_settled AND status = ANY (${linkable})`
    .execute(transaction)
    .catch((error: unknown) => {
      // Another withdrawal holds the nonce.
      if (error instanceof pg.DatabaseError && error.code === '23505') return null;
      throw error;
    });
  if (linked?.numAffectedRows !== 1n) {
    await sql`ROLLBACK TO SAVEPOINT link`.execute(transaction);
    return false;
  }
  if (!isPaid) await linkEntry(transaction, event, withdrawalId);
  await transaction
    .updateTable('chain_parked_events')
    .set({ ignored_at: word.at, ignored_by: word.by, reason: word.reason })
    .set({ linked_withdrawal: withdrawalId })
    .where('id', '=', id)
    .execute();
  await audit(transaction, word, { id, end: 'link', withdrawal: withdrawalId });
  return true;
}

export async function endDeposit(
  transaction: Transaction<Tables>,
  { position, end }: { readonly position: string; readonly end: DepositEnd },
  word: DatedReason,
): Promise<boolean> {
  const amount = end.action === 'credit_as' ? end.amount : zeroAmount;
  const token = end.action === 'write_off' ? sql`token_address` : sql`${end.token}`;
  const { rows } = await sql<{ account: string; token_address: string; raw_amount: string }>`
    UPDATE spot_deposits AS deposit SET resolution = ${end.action}, token = ${token},
      amount = ${formatAmount(amount)}::numeric, handed_over_at = ${word.at}
    WHERE position = ${position} AND credited_at IS NULL AND handed_over_at IS NULL
      AND block_number IS NOT NULL AND NOT EXISTS (
        SELECT FROM spot_deposits AS earlier
        WHERE earlier.account = deposit.account AND earlier.number < deposit.number
          AND earlier.credited_at IS NULL AND earlier.block_number IS NOT NULL)
    RETURNING account, token_address, raw_amount::text`.execute(transaction);
  const [deposit] = rows;
  if (deposit === undefined) return false;
  if (end.action === 'return') {
    await transaction
      .insertInto('withdrawals')
      .values({
        id: end.withdrawalId,
        wallet: 'spot',
        account: deposit.account,
        token: end.token,
        token_address: deposit.token_address,
        amount: formatAmount(end.amount),
        raw_amount: deposit.raw_amount,
        chain_id: end.chainId,
        contract_address: end.contractAddress,
        nonce: null,
        deadline: null,
        signature: null,
        status: 'review',
        is_settled: true,
        returned_deposit: position,
        tx_hash: null,
        block_number: null,
        created_at: word.at,
        finished_at: null,
      })
      .execute();
    await transaction
      .insertInto('withdrawal_reviews')
      .values({ withdrawal_id: end.withdrawalId, reasons: ['returned_deposit'] })
      .execute();
  }
  const { account, token_address, raw_amount } = deposit;
  const id = `deposit-${position}`;
  const credited = { token: end.action === 'credit_as' ? end.token : null, amount };
  await audit(transaction, word, {
    id,
    end: end.action,
    account,
    token_address,
    raw_amount,
    token: credited.token,
    amount: formatAmount(amount),
    withdrawal: end.action === 'return' ? end.withdrawalId : null,
  });
  return true;
}

async function audit(
  transaction: Transaction<Tables>,
  { by, reason }: OperatorReason,
  detail: object,
): Promise<void> {
  const entry = { action: 'resolve_chain_event', detail: { ...detail, reason } };
  await insertAudit(transaction, entry, { by });
}
