import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type {
  DepositCredit,
  UnsettledWithdrawal,
  WaitingDeposit,
  WalletStore,
  WithdrawalDraft,
  WithdrawalFunds,
} from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import {
  checkWithdrawalSlot,
  type SlotRejection,
  type Withdrawal,
  type WithdrawalStatus,
} from '../../programs/claims/withdrawal.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { parseAmount } from './parse-amount.ts';

/** How many rows one pass takes up; the next pass takes the others. */
const rowsMax = 500;
const uniqueViolation = '23505';

export class DatabaseWalletStore implements WalletStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async openWithdrawal(draft: WithdrawalDraft): Promise<SlotRejection | null> {
    return this.#pool.query(async (db) => {
      try {
        return await db.transaction().execute(async (transaction) => {
          const present = await selectLive(transaction, draft);
          const rejection =
            checkWithdrawalSlot(present, draft.nonce) ?? (await checkHistory(transaction, draft));
          if (rejection === null) await this.#insert(transaction, draft);
          return rejection;
        });
      } catch (error) {
        // Another request of the same moment has taken the slot.
        if (isUniqueViolation(error)) return { reason: 'withdrawal_slot_conflict' };
        throw error;
      }
    });
  }

  async saveSignature(id: string, signature: `0x${string}`): Promise<boolean> {
    const saved = await this.#pool.query((db) =>
      db
        .updateTable('spot_withdrawals')
        .set({ signature, status: 'signed', is_settled: true })
        .where('id', '=', id)
        .where('status', '=', 'reserved')
        .executeTakeFirst(),
    );
    return saved.numUpdatedRows === 1n;
  }

  async abandonWithdrawal(id: string): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('spot_withdrawals')
        .set({ status: 'abandoned', is_settled: false, finished_at: this.#now() })
        .where('id', '=', id)
        .where('status', '=', 'reserved')
        .execute(),
    );
  }

  async listReservedWithdrawals(): Promise<readonly string[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_withdrawals')
        .select('id')
        .where('is_settled', '=', false)
        .where('status', '=', 'reserved')
        .orderBy('position')
        .limit(rowsMax)
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  async listUnsettledWithdrawals(): Promise<readonly UnsettledWithdrawal[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_withdrawals as withdrawal')
        .leftJoin('withdrawal_funds as funds', (join) =>
          join.on(sql<boolean>`funds.withdrawal_id = withdrawal.id::text`),
        )
        .select(['withdrawal.id', 'withdrawal.account', 'withdrawal.token', 'withdrawal.amount'])
        .select(['withdrawal.status', 'funds.state'])
        .where('withdrawal.is_settled', '=', false)
        .where('withdrawal.status', '<>', 'reserved')
        .orderBy('withdrawal.position')
        .limit(rowsMax)
        .execute(),
    );
    return rows.map(({ id, account, token, amount, status, state }) => ({
      ...{ id, token },
      account: account as Address,
      amount: parseAmount(amount),
      status: status as WithdrawalStatus,
      funds: state as WithdrawalFunds,
    }));
  }

  async markSettled(id: string, status: WithdrawalStatus): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('spot_withdrawals')
        .set({ is_settled: true })
        .where('id', '=', id)
        .where('status', '=', status)
        .execute(),
    );
  }

  async listWaitingDeposits(): Promise<readonly WaitingDeposit[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_deposits')
        .select(['account', 'number', 'token_address', 'raw_amount'])
        .where('credited_at', 'is', null)
        .where('block_number', 'is not', null)
        .orderBy('account')
        .orderBy('number')
        .limit(rowsMax)
        .execute(),
    );
    return rows.map((row) => ({
      account: row.account as Address,
      number: Number(row.number),
      tokenAddress: row.token_address as Address,
      rawAmount: BigInt(row.raw_amount),
    }));
  }

  async handOverDeposit(
    { account, number }: WaitingDeposit,
    { token, amount }: DepositCredit,
  ): Promise<boolean> {
    const handed = await this.#pool.query((db) =>
      db
        .updateTable('spot_deposits')
        .set({ token, amount: formatAmount(amount), handed_over_at: this.#now() })
        .where('account', '=', account)
        .where('number', '=', String(number))
        .where('block_number', 'is not', null)
        .executeTakeFirst(),
    );
    return handed.numUpdatedRows === 1n;
  }

  async markCredited({ account, number }: WaitingDeposit): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('spot_deposits')
        .set({ credited_at: this.#now() })
        .where('account', '=', account)
        .where('number', '=', String(number))
        .where('credited_at', 'is', null)
        .execute(),
    );
  }

  async #insert(transaction: Transaction<Tables>, draft: WithdrawalDraft): Promise<void> {
    await transaction
      .insertInto('spot_withdrawals')
      .values({
        id: draft.id,
        account: draft.account,
        token: draft.token,
        token_address: draft.tokenAddress,
        amount: formatAmount(draft.amount),
        raw_amount: String(draft.rawAmount),
        chain_id: draft.chainId,
        contract_address: draft.contractAddress,
        nonce: draft.nonce,
        deadline: draft.deadline,
        signature: null,
        status: 'reserved',
        tx_hash: null,
        block_number: null,
        created_at: this.#now(),
        finished_at: null,
      })
      .execute();
  }
}

/** The account's withdrawals that can still hold a slot at or after the chain's nonce. */
async function selectLive(
  transaction: Transaction<Tables>,
  { account, chainId, nonce }: WithdrawalDraft,
): Promise<readonly Withdrawal[]> {
  const rows = await transaction
    .selectFrom('spot_withdrawals')
    .select(['token_address', 'raw_amount', 'nonce', 'deadline', 'status'])
    .where('account', '=', account)
    .where('chain_id', '=', String(chainId))
    .where('nonce', '>=', String(nonce))
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

// The chain knows of a release that this database does not, or of something that waits for a
// person: balances here may be too high, as after the restoring of an old database.
async function checkHistory(
  transaction: Transaction<Tables>,
  { account, chainId, nonce }: WithdrawalDraft,
): Promise<SlotRejection | null> {
  const { rows } = await sql<{ is_sound: boolean }>`
    SELECT NOT EXISTS (SELECT FROM chain_parked_events WHERE account = ${account})
      AND (${nonce}::bigint = 0 OR EXISTS (
        SELECT FROM spot_withdrawals
        WHERE account = ${account} AND chain_id = ${chainId} AND nonce = ${nonce - 1}
          AND status IN ('signed', 'completed'))) AS is_sound`.execute(transaction);
  return rows[0]?.is_sound === true ? null : { reason: 'withdrawal_slot_conflict' };
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation;
}
