import type {
  OpenedWithdrawal,
  PauseSwitchChange,
  PendingWithdrawal,
  PerpWithdrawalStore,
  WithdrawalDraft,
  WithdrawalTerms,
} from '../../application/wallet/wallet-ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import { cancelContractPauses, requestContractPauses } from '../chain/contract-pause-store.ts';
import type { DatabasePool } from '../database-pool.ts';
import { adminActor } from '../projections/admin-records.ts';
import { parseAmount } from './parse-amount.ts';
import { readPauseSwitch, setPauseSwitch } from './pause-switch.ts';
import { takeSlot } from './take-slot.ts';
import { insertOpening, markOpened } from './withdrawal-row.ts';

/** A withdrawal stopped being pending while its slot was being taken. */
class NotPendingError extends Error {
  override readonly name = 'NotPendingError';
}

export class DatabasePerpWithdrawalStore implements PerpWithdrawalStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async openPending(terms: WithdrawalTerms): Promise<OpenedWithdrawal> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .execute((transaction) => insertOpening(transaction, terms, 'perp', this.#now())),
    );
  }

  async markPending(id: string): Promise<boolean> {
    return markOpened(this.#pool, id, 'pending');
  }

  async findTerms(address: Address, id: string): Promise<PendingWithdrawal | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('withdrawals')
        .selectAll()
        .where('id', '=', id)
        .where('account', '=', address)
        .where('wallet', '=', 'perp')
        .where('status', 'not in', ['opening', 'abandoned'])
        .executeTakeFirst(),
    );
    if (row === undefined) return null;
    return {
      id: row.id,
      account: row.account as Address,
      token: row.token,
      tokenAddress: row.token_address as Address,
      amount: parseAmount(row.amount),
      rawAmount: BigInt(row.raw_amount),
      chainId: Number(row.chain_id),
      contractAddress: row.contract_address as Address,
      status: row.status as WithdrawalStatus,
    };
  }

  async takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_pending' | null> {
    const { id, nonce, deadline } = draft;
    return this.#pool.query(async (db) => {
      try {
        return await takeSlot(db, draft, async (transaction) => {
          const taken = await transaction
            .updateTable('withdrawals')
            .set({ status: 'reserved', is_settled: false, nonce, deadline })
            .where('id', '=', id)
            .where('status', '=', 'pending')
            .executeTakeFirst();
          if (taken.numUpdatedRows !== 1n) throw new NotPendingError(id);
        });
      } catch (error) {
        if (error instanceof NotPendingError) return 'not_pending';
        throw error;
      }
    });
  }

  async cancelPending(id: string): Promise<boolean> {
    const canceled = await this.#pool.query((db) =>
      db
        .updateTable('withdrawals')
        .set({ status: 'canceled', is_settled: false, finished_at: this.#now() })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirst(),
    );
    return canceled.numUpdatedRows === 1n;
  }

  async isPaused(): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => readPauseSwitch(transaction)),
    );
  }

  async setPaused({ isPaused, reason, contracts }: PauseSwitchChange): Promise<void> {
    const at = this.#now();
    const detail = {
      ...(reason === null ? {} : { reason }),
      ...(contracts.length === 0 ? {} : { contracts }),
    };
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await setPauseSwitch(transaction, { isPaused, actor: adminActor, at, reason: detail });
        const asked = { haltId: null, at };
        if (!isPaused) await cancelContractPauses(transaction, asked);
        const request = { ...asked, contracts, reason, requestedBy: adminActor };
        await requestContractPauses(transaction, request);
      }),
    );
  }
}
