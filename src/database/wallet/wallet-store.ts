import { sql } from 'kysely';
import type { IssuedSignature } from '../../application/ports/chain.ts';
import type {
  DepositCredit,
  StuckReason,
  UnsettledWithdrawal,
  WaitingDeposit,
  WalletKind,
  WalletStore,
  WithdrawalDraft,
  WithdrawalFunds,
} from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address, Sequence } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { DatabasePool } from '../database-pool.ts';
import { parseAmount } from './parse-amount.ts';
import { isWalletPaused } from './pause-store.ts';
import { readPauseSwitch } from './pause-switch.ts';
import { takeSlot } from './take-slot.ts';
import { withdrawalRow } from './withdrawal-row.ts';

/** Maximum number of rows in one pass; the next pass takes the others. */
const rowsMax = 500;
const depositsPerAccountMax = 10;

/** Withdrawals are paused. */
class PausedError extends Error {
  override readonly name = 'PausedError';
}

export class DatabaseWalletStore implements WalletStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async openWithdrawal(draft: WithdrawalDraft): Promise<SlotRejection | 'paused' | null> {
    return this.#pool.query(async (db) => {
      try {
        return await takeSlot(db, draft, async (transaction) => {
          const isPaused =
            (await readPauseSwitch(transaction)) || (await isWalletPaused(transaction, draft));
          if (isPaused) throw new PausedError(draft.id);
          const { nonce, deadline } = draft;
          await transaction
            .insertInto('withdrawals')
            .values({
              ...withdrawalRow(draft, 'spot', this.#now()),
              nonce,
              deadline,
              status: 'reserved',
            })
            .execute();
        });
      } catch (error) {
        if (error instanceof PausedError) return 'paused';
        throw error;
      }
    });
  }

  async saveSignature(
    { id, nonce, deadline }: Pick<WithdrawalDraft, 'id' | 'nonce' | 'deadline'>,
    { signature, signer }: IssuedSignature,
  ): Promise<boolean> {
    const saved = await this.#pool.query((db) =>
      db
        .updateTable('withdrawals')
        .set({ signature, signer, status: 'signed', is_settled: true })
        .where('id', '=', id)
        .where('status', '=', 'reserved')
        .where('nonce', '=', String(nonce))
        .where('deadline', '=', String(deadline))
        .executeTakeFirst(),
    );
    return saved.numUpdatedRows === 1n;
  }

  async giveUpWithdrawal(id: string): Promise<void> {
    await this.#pool.query(async (db) => {
      // An approved withdrawal stays approved, for the nonce for which it may have been signed.
      await sql`
        UPDATE withdrawals SET status = 'approved', is_settled = true
        FROM withdrawal_reviews WHERE id = ${id}::uuid AND withdrawal_id = id
          AND status = 'reserved' AND approved_at IS NOT NULL`.execute(db);
      await db
        .updateTable('withdrawals')
        .set({ status: 'pending', is_settled: true, nonce: null, deadline: null })
        .where('id', '=', id)
        .where('wallet', '=', 'perp')
        .where('status', '=', 'reserved')
        .execute();
      await db
        .updateTable('withdrawals')
        .set({ status: 'abandoned', is_settled: false, finished_at: this.#now() })
        .where('id', '=', id)
        .where('status', 'in', ['opening', 'reserved'])
        .execute();
    });
  }

  async hasUnsettled(): Promise<boolean> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ has_some: boolean }>`
        SELECT EXISTS (SELECT FROM withdrawals WHERE NOT is_settled) OR EXISTS (
          SELECT FROM spot_deposits WHERE credited_at IS NULL AND block_number IS NOT NULL
        ) AS has_some`.execute(db),
    );
    return rows[0]?.has_some === true;
  }

  async listUnfinishedWithdrawals(): Promise<readonly string[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('withdrawals')
        .select('id')
        .where('is_settled', '=', false)
        .where('status', 'in', ['opening', 'reserved'])
        .orderBy('position')
        .limit(rowsMax)
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  async listUnsettledWithdrawals(): Promise<readonly UnsettledWithdrawal[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('withdrawals as withdrawal')
        .leftJoin('withdrawal_funds as funds', (join) =>
          join.on(sql<boolean>`funds.withdrawal_id = withdrawal.id::text`),
        )
        .select(['withdrawal.id', 'withdrawal.account', 'withdrawal.token', 'withdrawal.amount'])
        .select(['withdrawal.wallet', 'withdrawal.status', 'funds.state'])
        .select(['funds.sequence', 'withdrawal.returned_deposit'])
        .where('withdrawal.is_settled', '=', false)
        .where('withdrawal.status', 'not in', ['opening', 'reserved'])
        .orderBy('withdrawal.position')
        .limit(rowsMax)
        .execute(),
    );
    return rows.map(({ id, wallet, account, token, amount, status, state, ...row }) => ({
      id,
      token,
      wallet: wallet as WalletKind,
      account: account as Address,
      amount: parseAmount(amount),
      status: status as WithdrawalStatus,
      funds: state as WithdrawalFunds,
      fundsSequence: row.sequence === null ? null : (Number(row.sequence) as Sequence),
      isReturn: row.returned_deposit !== null,
    }));
  }

  async beginStep(
    { id, status, fundsSequence }: Pick<UnsettledWithdrawal, 'id' | 'status' | 'fundsSequence'>,
    notBeforeMs: number,
  ): Promise<number | null> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ step_ms: string }>`
        UPDATE withdrawals SET step_sequence = ${fundsSequence}::bigint,
          step_ms = CASE WHEN step_sequence = ${fundsSequence}::bigint
              AND step_ms >= ${notBeforeMs}::bigint THEN step_ms
            ELSE greatest(${this.#now().getTime()}::bigint, ${notBeforeMs}::bigint) END
        FROM withdrawal_funds AS funds
        WHERE withdrawals.id = ${id}::uuid AND status = ${status} AND NOT is_settled
          AND funds.withdrawal_id = ${id} AND funds.sequence = ${fundsSequence}::bigint
        RETURNING step_ms`.execute(db),
    );
    return rows[0] === undefined ? null : Number(rows[0].step_ms);
  }

  async markSettled(id: string, status: WithdrawalStatus): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('withdrawals')
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
        .select(['token', 'amount', 'dust', 'resolution'])
        .where('credited_at', 'is', null)
        .where('block_number', 'is not', null)
        .where(
          sql<boolean>`NOT EXISTS (SELECT FROM wallet_pauses
            WHERE scope = 'deposits' AND lifted_at IS NULL)`,
        )
        .where(sql<boolean>`NOT EXISTS (SELECT FROM backfills
            WHERE contract_id = active_contract('spotVault') AND done_at IS NULL)`)
        // Some of each account, so that one account's stuck deposits delay no others.
        .where(
          sql<boolean>`number < coalesce((SELECT min(number) FROM spot_deposits AS first
            WHERE first.account = spot_deposits.account AND first.credited_at IS NULL
              AND first.block_number IS NOT NULL), 0) + ${depositsPerAccountMax}`,
        )
        .orderBy(
          sql`(SELECT max(stuck_at) FROM spot_deposits AS other
            WHERE other.account = spot_deposits.account AND other.credited_at IS NULL)
            NULLS FIRST`,
        )
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
      known:
        row.token === null || row.amount === null
          ? null
          : {
              token: row.token,
              amount: parseAmount(row.amount),
              dust: BigInt(row.dust ?? 0),
            },
      resolution: row.resolution as WaitingDeposit['resolution'],
    }));
  }

  async handOverDeposit(
    { account, number }: WaitingDeposit,
    { token, amount, dust }: DepositCredit,
  ): Promise<Date | null> {
    const at = this.#now();
    const handed = await this.#pool.query((db) =>
      db
        .updateTable('spot_deposits')
        .set({ token, amount: formatAmount(amount), dust: String(dust), handed_over_at: at })
        .where('account', '=', account)
        .where('number', '=', String(number))
        .where('block_number', 'is not', null)
        .where('credited_at', 'is', null)
        .where('resolution', 'is', null)
        .executeTakeFirst(),
    );
    return handed.numUpdatedRows === 1n ? at : null;
  }

  async takeBackDeposit({ account, number }: WaitingDeposit, handedOverAt: Date): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('spot_deposits')
        .set({ token: null, amount: null, dust: null, handed_over_at: null })
        .where('account', '=', account)
        .where('number', '=', String(number))
        .where('handed_over_at', '=', handedOverAt)
        .where('block_number', 'is not', null)
        .where('credited_at', 'is', null)
        .where('resolution', 'is', null)
        .execute(),
    );
  }

  async markStuck(accounts: readonly Address[], reason: StuckReason): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('spot_deposits')
        .set({ stuck_at: this.#now(), stuck_reason: reason })
        .where('account', 'in', accounts)
        .where('credited_at', 'is', null)
        .execute(),
    );
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
}
