import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  PauseScope,
  RaisedPause,
  WalletPause,
  WalletPauseStore,
} from '../../application/wallet/pause-ports.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';
import { holdPauseSwitch } from './pause-switch.ts';
import type { WalletPausesTable } from './wallet-tables.ts';

export class DatabasePauseStore implements WalletPauseStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async listOpen(): Promise<readonly WalletPause[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('wallet_pauses')
        .selectAll()
        .where('lifted_at', 'is', null)
        .orderBy('id')
        .execute(),
    );
    return rows.map(viewPause);
  }

  async raise({ scope, subject, reason }: RaisedPause, by: string): Promise<WalletPause | null> {
    return this.#inTransaction(async (transaction) => {
      // No request that has seen the pause off is still being stored.
      await holdPauseSwitch(transaction);
      const row = await transaction
        .insertInto('wallet_pauses')
        .values({ scope, subject, reason, raised_by: by, raised_at: this.#now() })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      await insertAudit(
        transaction,
        { action: 'pause_wallet', detail: { id: row.id, scope, subject, reason } },
        { by },
      );
      return viewPause(row);
    });
  }

  async lift(id: string, by: string, reason: string): Promise<boolean> {
    return this.#inTransaction(async (transaction) => {
      const row = await transaction
        .updateTable('wallet_pauses')
        .set({ lifted_by: by, lifted_at: this.#now() })
        .where('id', '=', id)
        .where('lifted_at', 'is', null)
        .returning(['scope', 'subject'])
        .executeTakeFirst();
      if (row === undefined) return false;
      await insertAudit(
        transaction,
        { action: 'resume_wallet', detail: { id, ...row, reason } },
        { by },
      );
      return true;
    });
  }

  #inTransaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#pool.query((db) => db.transaction().execute(work));
  }
}

/** Holds while withdrawals of the asset or the account are paused. */
export async function isWalletPaused(
  transaction: Transaction<Tables>,
  { account, token }: { readonly account: string; readonly token: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM wallet_pauses WHERE lifted_at IS NULL
      AND ((scope = 'asset' AND subject = ${token})
        OR (scope = 'account' AND subject = ${account}))`.execute(transaction);
  return rows.length > 0;
}

function viewPause(row: Selectable<WalletPausesTable>): WalletPause {
  return {
    id: row.id,
    scope: row.scope as PauseScope,
    subject: row.subject,
    reason: row.reason,
    raisedBy: row.raised_by,
    raisedAt: row.raised_at,
  };
}
