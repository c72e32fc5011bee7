import type { Selectable, Transaction } from 'kysely';
import type {
  ContractPause,
  ContractPauseState,
  ContractPauseStore,
  PausableContract,
  RequestedContractPause,
} from '../../application/ports/contract-pauses.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import type { ContractPausesTable } from './chain-tables.ts';

export class DatabaseContractPauseStore implements ContractPauseStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async listOpen(): Promise<readonly ContractPause[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('contract_pauses')
        .selectAll()
        .where('outcome', 'is', null)
        .orderBy('id')
        .execute(),
    );
    return rows.map(viewPause);
  }

  async listLast(limit: number): Promise<readonly ContractPause[]> {
    const rows = await this.#pool.query((db) =>
      db.selectFrom('contract_pauses').selectAll().orderBy('id', 'desc').limit(limit).execute(),
    );
    return rows.map(viewPause);
  }

  async noteSent(contract: PausableContract, transaction: string): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('contract_pauses')
        .set({ transaction_hash: transaction })
        .where('contract', '=', contract)
        .where('outcome', 'is', null)
        .execute(),
    );
  }

  async finish(contract: PausableContract): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('contract_pauses')
        .set({ outcome: 'paused', ended_at: this.#now() })
        .where('contract', '=', contract)
        .where('outcome', 'is', null)
        .execute(),
    );
  }
}

export interface ContractPauseRequest extends RequestedContractPause {
  /** Null: the switch for all withdrawals. */
  readonly haltId: string | null;
  readonly at: Date;
}

/** Each contract has at most one open request of a halt, and one of the switch. */
export async function requestContractPauses(
  transaction: Transaction<Tables>,
  { contracts, haltId, reason, requestedBy, at }: ContractPauseRequest,
): Promise<void> {
  for (const contract of contracts) {
    await transaction
      .insertInto('contract_pauses')
      .values({
        contract,
        reason,
        halt_id: haltId,
        requested_by: requestedBy,
        requested_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Ends the open requests of the halt, or those of the switch. */
export async function cancelContractPauses(
  transaction: Transaction<Tables>,
  { haltId, at }: Pick<ContractPauseRequest, 'haltId' | 'at'>,
): Promise<void> {
  await transaction
    .updateTable('contract_pauses')
    .set({ outcome: 'canceled', ended_at: at })
    .where('halt_id', 'is not distinct from', haltId)
    .where('outcome', 'is', null)
    .execute();
}

function viewPause(row: Selectable<ContractPausesTable>): ContractPause {
  return {
    id: row.id,
    contract: row.contract as PausableContract,
    haltId: row.halt_id,
    reason: row.reason,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    state: stateOf(row),
    transaction: row.transaction_hash,
  };
}

function stateOf(row: Selectable<ContractPausesTable>): ContractPauseState {
  if (row.outcome !== null) return row.outcome === 'paused' ? 'paused' : 'canceled';
  return row.transaction_hash === null ? 'requested' : 'sent';
}
