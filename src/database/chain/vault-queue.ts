import { sql, type Transaction } from 'kysely';
import type {
  VaultEvent,
  VaultQueuedEndedEvent,
  VaultReleaseQueuedEvent,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import { contractIdOf } from './event-contract.ts';

// The vault's queue as on chain. What is queued, paid or ended there is recorded in any case, so
// that a later log always finds its entry.

type Source = Pick<VaultEvent, 'formerContract'>;

/** Entries of the vault that emitted the event. */
const isOf = (event: Source) =>
  sql<boolean>`contract_id IS NOT DISTINCT FROM ${contractIdOf(event)}`;

/** Records the event and returns the events that it means for accounts. */
export async function recordVaultEvent(
  transaction: Transaction<Tables>,
  event: VaultEvent,
  block: number,
): Promise<readonly VaultEvent[]> {
  switch (event.type) {
    case 'vaultDeposited':
    case 'vaultReleased':
      return [event];
    case 'vaultReleaseQueued':
      await insertEntry(transaction, event, block);
      return [event];
    case 'vaultQueuedPaid':
      await endEntries(
        transaction,
        { state: 'paid', block, event },
        sql`queue_id = ${event.queueId}`,
      );
      return [event];
    case 'vaultQueuedEnded': {
      const ended = await endAs(transaction, event, block, sql`queue_id = ${event.queueId}`);
      // An entry that was never seen queued waits for an operator.
      return ended.length === 0 ? [event] : ended;
    }
    case 'vaultSignerVoided':
      return endAs(
        transaction,
        event,
        block,
        sql`withdrawal_id IN (SELECT id FROM withdrawals WHERE signer = ${event.account})`,
      );
    case 'vaultRetired':
      return endAs(transaction, event, block, sql`true`);
    case 'vaultMoved':
      await transaction
        .insertInto('vault_moves')
        .values({
          contract_id: contractIdOf(event),
          kind: 'move',
          token_address: event.token,
          raw_amount: String(event.rawAmount),
          block_number: block,
          tx_hash: event.transactionHash,
          log_index: event.logIndex,
        })
        .execute();
      return [];
  }
}

type QueueEvent = Extract<VaultEvent, { readonly queueId: number }>;

/** The withdrawal that a queue entry pays; null if this database signed none. */
export async function findQueuedWithdrawal(
  transaction: Transaction<Tables>,
  event: QueueEvent,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('vault_queue')
    .select('withdrawal_id')
    .where(isOf(event))
    .where('queue_id', '=', String(event.queueId))
    .executeTakeFirst();
  return row?.withdrawal_id ?? null;
}

export async function linkEntry(
  transaction: Transaction<Tables>,
  event: QueueEvent,
  withdrawalId: string,
): Promise<void> {
  await transaction
    .updateTable('vault_queue')
    .set({ withdrawal_id: withdrawalId })
    .where(isOf(event))
    .where('queue_id', '=', String(event.queueId))
    .execute();
}

/** Undoes what was recorded for blocks after this one. */
export async function rollBackQueue(
  transaction: Transaction<Tables>,
  block: number,
): Promise<void> {
  await transaction.deleteFrom('vault_moves').where('block_number', '>', String(block)).execute();
  await transaction.deleteFrom('vault_queue').where('block_number', '>', String(block)).execute();
  await transaction
    .updateTable('vault_queue')
    .set({ state: 'queued', ended_block: null })
    .where('ended_block', '>', String(block))
    .execute();
}

async function insertEntry(
  transaction: Transaction<Tables>,
  event: VaultReleaseQueuedEvent,
  block: number,
): Promise<void> {
  await transaction
    .insertInto('vault_queue')
    .values({
      contract_id: contractIdOf(event),
      queue_id: event.queueId,
      account: event.account,
      token_address: event.token,
      raw_amount: String(event.rawAmount),
      nonce: event.nonce,
      payable_at: event.payableAt,
      block_number: block,
      state: 'queued',
      ended_block: null,
      withdrawal_id: null,
    })
    .execute();
}

interface EntryEnd {
  readonly state: 'paid' | 'ended';
  readonly block: number;
  readonly event: Source;
}

async function endEntries(
  transaction: Transaction<Tables>,
  { state, block, event }: EntryEnd,
  which: ReturnType<typeof sql>,
): Promise<readonly { readonly account: string; readonly queue_id: string }[]> {
  return transaction
    .updateTable('vault_queue')
    .set({ state, ended_block: block })
    .where(isOf(event))
    .where('state', '=', 'queued')
    .where(sql<boolean>`${which}`)
    .returning(['account', 'queue_id'])
    .execute();
}

async function endAs(
  transaction: Transaction<Tables>,
  event: VaultEvent,
  block: number,
  which: ReturnType<typeof sql>,
): Promise<readonly VaultQueuedEndedEvent[]> {
  const { transactionHash, logIndex, formerContract } = event;
  const ended = await endEntries(transaction, { state: 'ended', block, event }, which);
  return ended.map(({ account, queue_id: queueId }) => ({
    type: 'vaultQueuedEnded',
    account: account as Address,
    queueId: Number(queueId),
    transactionHash,
    logIndex,
    ...(formerContract === undefined ? {} : { formerContract }),
  }));
}
