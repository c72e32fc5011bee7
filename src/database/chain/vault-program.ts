import { sql, type Transaction } from 'kysely';
import type {
  ChainEvent,
  VaultDepositedEvent,
  VaultReleasedEvent,
} from '../../application/ports-chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { observeRelease, type Withdrawal } from '../../programs/claims/withdrawal.ts';
import type { Tables } from '../tables.ts';
import type { BlockMoment, EventProgram } from './event-program.ts';

// Deposits and withdrawals of the spot vault. The engine's own balances follow from these rows: a
// deposit is credited under its account and number, an expired withdrawal given back under its id.

export const vaultProgram: EventProgram = {
  contract: 'spotVault',
  eventTypes: ['vaultDeposited', 'vaultReleased'],
  apply: async (transaction, event, moment) => {
    assert(isVaultEvent(event), 'the vault has deposits and releases');
    return event.type === 'vaultDeposited'
      ? recordDeposit(transaction, event, moment)
      : completeWithdrawal(transaction, event, moment);
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
    await transaction
      .updateTable('withdrawals')
      .set({ status: 'expired', is_settled: false, finished_at: time })
      .where('account', '=', account)
      .where('nonce', '=', String(nonce))
      .where('status', '=', 'signed')
      .where('deadline', '<', String(chainSeconds))
      .execute();
  },
  rollBack: async (transaction, block) => {
    // What the engine may have credited stays credited: the deposit keeps its key wherever the
    // chain puts it again.
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
    await transaction
      .updateTable('withdrawals')
      .set({
        status: 'signed',
        is_settled: false,
        tx_hash: null,
        block_number: null,
        finished_at: null,
      })
      .where('block_number', '>', String(block))
      .execute();
  },
};

function isVaultEvent(event: ChainEvent): event is VaultDepositedEvent | VaultReleasedEvent {
  return event.type === 'vaultDeposited' || event.type === 'vaultReleased';
}

async function recordDeposit(
  transaction: Transaction<Tables>,
  { account, number, token, rawAmount, transactionHash }: VaultDepositedEvent,
  { block, time }: BlockMoment,
): Promise<string | null> {
  await transaction
    .insertInto('spot_deposits')
    .values({
      account,
      number,
      token_address: token,
      raw_amount: String(rawAmount),
      tx_hash: transactionHash,
      block_number: block,
      seen_at: time,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'number'])
        .doUpdateSet({ tx_hash: transactionHash, block_number: block }),
    )
    .execute();
  const { rows } = await sql<{ is_same: boolean }>`
    SELECT token_address = ${token} AND raw_amount = ${String(rawAmount)}::numeric AS is_same
    FROM spot_deposits WHERE account = ${account} AND number = ${number}`.execute(transaction);
  return rows[0]?.is_same === true ? null : 'deposit_changed';
}

async function completeWithdrawal(
  transaction: Transaction<Tables>,
  event: VaultReleasedEvent,
  { block, time }: BlockMoment,
): Promise<string | null> {
  const { account, nonce, token, rawAmount, transactionHash } = event;
  const row = await transaction
    .selectFrom('withdrawals')
    .selectAll()
    .where('account', '=', account)
    .where('nonce', '=', String(nonce))
    // One that holds its slot before those that gave it up.
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
  const decision = observeRelease(withdrawal, { token, rawAmount, nonce });
  if (decision.kind === 'contradiction') return decision.contradiction;
  if (decision.kind === 'known' || row === undefined) return null;
  await transaction
    .updateTable('withdrawals')
    .set({
      status: 'completed',
      is_settled: false,
      tx_hash: transactionHash,
      block_number: block,
      finished_at: time,
    })
    .where('id', '=', row.id)
    .execute();
  return null;
}
