import { type Kysely, sql, type Transaction } from 'kysely';
import type {
  ChainHalt,
  ChainHaltKind,
  ManualHalt,
  ManualHaltStore,
  RaisedHalt,
  SignerRole,
} from '../../application/ports/chain-halts.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';
import { cancelContractPauses, requestContractPauses } from './contract-pause-store.ts';

/** The actor of halts that the service itself raises. */
export const serviceActor = 'service';

export class DatabaseHaltStore implements ManualHaltStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async listOpen(): Promise<readonly ChainHalt[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('chain_halts')
        .selectAll()
        .where('cleared_at', 'is', null)
        .orderBy('id')
        .execute(),
    );
    return rows.map(({ id, kind, role, detail, raised_at: raisedAt, raised_by: raisedBy }) => ({
      id,
      detail,
      raisedAt,
      raisedBy,
      kind: kind as ChainHaltKind,
      role: role as SignerRole | null,
    }));
  }

  async raise(halt: RaisedHalt, raisedBy: string): Promise<boolean> {
    const halted = { ...halt, raisedBy, at: this.#now() };
    return this.#pool.query(async (db) => (await insertHalt(db, halted)) !== null);
  }

  async raiseManually(halt: ManualHalt, raisedBy: string): Promise<boolean> {
    const { detail, role, contracts } = halt;
    const at = this.#now();
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const id = await insertHalt(transaction, { kind: 'manual', detail, role, raisedBy, at });
        if (id === null) return false;
        const request = { contracts, haltId: id, reason: detail, requestedBy: raisedBy, at };
        await requestContractPauses(transaction, request);
        const audited = { id, role, reason: detail, contracts };
        await insertAudit(
          transaction,
          { action: 'raise_chain_halt', detail: audited },
          { by: raisedBy },
        );
        return true;
      }),
    );
  }

  async clear(id: string, by: string, reason: string): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const cleared = await transaction
          .updateTable('chain_halts')
          .set({ cleared_at: this.#now(), cleared_by: by, reason })
          .where('id', '=', id)
          .where('cleared_at', 'is', null)
          .returning(['kind', 'role', 'detail'])
          .executeTakeFirst();
        if (cleared === undefined) return false;
        const { kind, role, detail } = cleared;
        await cancelContractPauses(transaction, { haltId: id, at: this.#now() });
        const isLog = kind === 'signer_log_differs';
        const forgotten = isLog ? await forgetHeads(transaction, detail) : null;
        const audited = { id, kind, role, reason, ...(forgotten === null ? {} : { forgotten }) };
        await insertAudit(transaction, { action: 'clear_chain_halt', detail: audited }, { by });
        return true;
      }),
    );
  }
}

export interface NewHalt extends RaisedHalt {
  readonly raisedBy: string;
  readonly at: Date;
}

/** Returns its id; null if one of the kind and role is already open. */
export async function insertHalt(
  db: Kysely<Tables> | Transaction<Tables>,
  { kind, role = null, detail, raisedBy, at }: NewHalt,
): Promise<string | null> {
  const { rows } = await sql<{ readonly id: string }>`
    INSERT INTO chain_halts (kind, role, detail, raised_by, raised_at)
    VALUES (${kind}, ${role}, ${detail}, ${raisedBy}, ${at})
    ON CONFLICT (kind, coalesce(role, '')) WHERE cleared_at IS NULL DO NOTHING
    RETURNING id`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Forgets the heads that were noted of a signer's log, and returns the last: people have found out
 * why its log differs, and would otherwise have to do so again each minute.
 */
async function forgetHeads(
  transaction: Transaction<Tables>,
  detail: string,
): Promise<object | null> {
  // The halt names its signer in its words only.
  const { rows } = await sql<{ signer: string; signatures: number; head: string }>`
    WITH forgotten AS (
      DELETE FROM signer_heads WHERE signer = substring(${detail}::text FROM '0x[0-9a-f]{40}')
      RETURNING signer, signatures, head)
    SELECT signer, signatures::integer AS signatures, head
    FROM forgotten ORDER BY forgotten.signatures DESC LIMIT 1`.execute(transaction);
  return rows[0] ?? null;
}
