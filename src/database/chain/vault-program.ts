import { sql, type Transaction } from 'kysely';
import type {
  ChainEvent,
  VaultDepositedEvent,
  VaultEvent,
  VaultQueuedEndedEvent,
  VaultQueuedPaidEvent,
  VaultReleasedEvent,
  VaultReleaseQueuedEvent,
} from '../../application/ports/chain-ledger.ts';
import { AssertionError } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { observeRelease, type Withdrawal } from '../../programs/claims/withdrawal.ts';
import type { Tables } from '../tables.ts';
import { contractIdOf } from './event-contract.ts';
import type { BlockMoment, EventProgram } from './event-program.ts';
import { findQueuedWithdrawal, linkEntry, recordVaultEvent, rollBackQueue } from './vault-queue.ts';

// Deposits and withdrawals of the spot vault. The engine's balances follow from these rows: a
// deposit is credited by its account and number, an expired or returned withdrawal is given back by
// its id.

export const vaultProgram: EventProgram = {
  contract: 'spotVault',
  eventTypes: [
    'vaultDeposited',
    'vaultReleased',
    'vaultReleaseQueued',
    'vaultQueuedPaid',
    'vaultQueuedEnded',
    'vaultSignerVoided',
    'vaultRetired',
    'vaultMoved',
  ],
  record: async (transaction, event, { block }) =>
    isVaultEvent(event) ? recordVaultEvent(transaction, event, block) : [event],
  apply: async (transaction, event, moment) => {
    switch (event.type) {
      case 'vaultDeposited':
        return recordDeposit(transaction, event, moment);
      case 'vaultReleased':
      case 'vaultReleaseQueued':
        return followRelease(transaction, event, moment);
      case 'vaultQueuedPaid':
      case 'vaultQueuedEnded':
        return endQueued(transaction, event, moment);
      default:
        throw new AssertionError('an event that is only recorded is never applied');
    }
  },
  listOverdue: async (transaction, chainSeconds) => {
    const rows = await transaction
      .selectFrom('withdrawals')
      .select(['account', 'nonce'])
      .where('status', '=', 'signed')
      .where('deadline', '<', String(chainSeconds))
      .orderBy('account')
      .execute();
    return rows.map(({ account, nonce }) => ({
      contract: 'spotVault',
      account: account as Address,
      nonce: Number(nonce),
    }));
  },
  expire: async (transaction, { account, nonce }, { chainSeconds, time }) => {
    // What two people approved can be signed again, for the same nonce.
    await sql`
      UPDATE withdrawals SET is_settled = false,
        status = CASE WHEN review.approved_at IS NULL THEN 'expired' ELSE 'approved' END,
        signature = CASE WHEN review.approved_at IS NULL THEN known.signature END,
        finished_at = CASE WHEN review.approved_at IS NULL THEN ${time}::timestamptz END
      FROM withdrawals AS known
        LEFT JOIN withdrawal_reviews AS review ON review.withdrawal_id = known.id
      WHERE withdrawals.id = known.id AND known.account = ${account}
        AND known.nonce = ${nonce} AND known.status = 'signed'
        AND known.deadline < ${chainSeconds}`.execute(transaction);
  },
  rollBack: async (transaction, block) => {
    // What the engine may have credited stays credited: the deposit keeps its key wherever the
    // chain includes it again.
    await transaction
      .deleteFrom('spot_deposits')
      .where('block_number', '>', String(block))
      .where('handed_over_at', 'is', null)
      .execute();
    await transaction
      .updateTable('spot_deposits')
      .set({ block_number: null })
      .where('block_number', '>', String(block))
      .execute();
    await rollBackQueue(transaction, block);
    // Restores what the chain still shows of each: its place in the queue, or nothing.
    await sql`
      UPDATE withdrawals SET
        status = CASE WHEN queue.withdrawal_id IS NULL THEN 'signed' ELSE 'queued' END,
        is_settled = false, tx_hash = NULL, block_number = NULL, finished_at = NULL
      FROM withdrawals AS known
        LEFT JOIN vault_queue AS queue ON queue.withdrawal_id = known.id
      WHERE withdrawals.id = known.id AND (
        (known.status = 'completed' AND known.block_number > ${block})
        OR (known.status = 'queued' AND queue.withdrawal_id IS NULL)
        OR (known.status = 'returned' AND queue.state IS DISTINCT FROM 'ended'))`.execute(
      transaction,
    );
  },
};

function isVaultEvent(event: ChainEvent): event is VaultEvent {
  return event.type !== 'rewardSettled' && event.type !== 'rewardRedeemed';
}

async function recordDeposit(
  transaction: Transaction<Tables>,
  event: VaultDepositedEvent,
  { block, time }: BlockMoment,
): Promise<string | null> {
  const { account, number, token, rawAmount, transactionHash } = event;
  await transaction
    .insertInto('spot_deposits')
    .values({
      contract_id: contractIdOf(event),
      account,
      number,
      token_address: token,
      raw_amount: String(rawAmount),
      tx_hash: transactionHash,
      block_number: block,
      seen_at: time,
    })
    .onConflict((conflict) =>
      conflict.columns(['account', 'number']).doUpdateSet({
        tx_hash: transactionHash,
        block_number: block,
        vanishing_written_off_at: null,
      }),
    )
    .execute();
  const { rows } = await sql<{ is_same: boolean }>`
    SELECT token_address = ${token} AND raw_amount = ${String(rawAmount)}::numeric AS is_same
    FROM spot_deposits WHERE account = ${account} AND number = ${number}`.execute(transaction);
  return rows[0]?.is_same === true ? null : 'deposit_changed';
}

async function followRelease(
  transaction: Transaction<Tables>,
  event: VaultReleasedEvent | VaultReleaseQueuedEvent,
  moment: BlockMoment,
): Promise<string | null> {
  const { account, nonce, token, rawAmount } = event;
  const row = await transaction
    .selectFrom('withdrawals')
    .selectAll()
    .where('account', '=', account)
    .where('nonce', '=', String(nonce))
    // A withdrawal that holds its slot comes before those that released it.
    .orderBy(sql`status IN ('expired', 'abandoned')`)
    .orderBy(sql`status = 'abandoned'`)
    .orderBy('created_at', 'desc')
    .forUpdate()
    .executeTakeFirst();
  const withdrawal: Withdrawal | null =
    row === undefined
      ? null
      : {
          token: row.token_address,
          rawAmount: BigInt(row.raw_amount),
          nonce: Number(row.nonce),
          deadline: Number(row.deadline),
          status: row.status as Withdrawal['status'],
        };
  const outcome = event.type === 'vaultReleased' ? 'completed' : 'queued';
  const decision = observeRelease(withdrawal, { token, rawAmount, nonce }, outcome);
  if (decision.kind === 'contradiction') return decision.contradiction;
  if (decision.kind === 'known' || row === undefined) return null;
  if (event.type === 'vaultReleased') {
    await complete(transaction, { id: row.id, event, moment });
  } else {
    await linkEntry(transaction, event, row.id);
    await transaction
      .updateTable('withdrawals')
      .set({ status: 'queued' })
      .where('id', '=', row.id)
      .execute();
  }
  return null;
}

async function endQueued(
  transaction: Transaction<Tables>,
  event: VaultQueuedPaidEvent | VaultQueuedEndedEvent,
  moment: BlockMoment,
): Promise<string | null> {
  const id = await findQueuedWithdrawal(transaction, event);
  if (id === null) return 'release_not_signed';
  const { status } = await transaction
    .selectFrom('withdrawals')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isPaid = event.type === 'vaultQueuedPaid';
  if (status === (isPaid ? 'completed' : 'returned')) return null;
  if (status !== 'queued') return 'release_changed';
  if (isPaid) {
    await complete(transaction, { id, event, moment });
  } else {
    await transaction
      .updateTable('withdrawals')
      .set({ status: 'returned', is_settled: false, finished_at: moment.time })
      .where('id', '=', id)
      .execute();
  }
  return null;
}

interface Payment {
  readonly id: string;
  readonly event: Pick<ChainEvent, 'transactionHash' | 'formerContract'>;
  readonly moment: BlockMoment;
}

async function complete(
  transaction: Transaction<Tables>,
  { id, event, moment }: Payment,
): Promise<void> {
  await transaction
    .updateTable('withdrawals')
    .set({
      // One that was requested before a vault was replaced can be paid by its successor.
      contract_id: contractIdOf(event),
      status: 'completed',
      is_settled: false,
      tx_hash: event.transactionHash,
      block_number: moment.block,
      finished_at: moment.time,
    })
    .where('id', '=', id)
    .execute();
}
