import { type Kysely, sql, type Transaction } from 'kysely';
import type {
  ChainHalt,
  ChainHaltKind,
  ChainHaltStore,
  RaisedHalt,
  SignerRole,
} from '../../application/ports-chain-halts.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';

/** The actor of halts that the service itself raises. */
export const serviceActor = 'service';

export class DatabaseHaltStore implements ChainHaltStore {
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
    return this.#pool.query((db) => insertHalt(db, { ...halt, raisedBy, at: this.#now() }));
  }

  async clear(id: string, by: string, reason: string): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const cleared = await transaction
          .updateTable('chain_halts')
          .set({ cleared_at: this.#now(), cleared_by: by, reason })
          .where('id', '=', id)
          .where('cleared_at', 'is', null)
          .returning(['kind', 'role'])
          .executeTakeFirst();
        if (cleared === undefined) return false;
        await transaction
          .insertInto('admin_audit')
          .values({
            action: 'clear_chain_halt',
            detail: JSON.stringify({ id, ...cleared, reason }),
            admin_actor: by,
            sequence: null,
          })
          .execute();
        return true;
      }),
    );
  }
}

export interface NewHalt extends RaisedHalt {
  readonly raisedBy: string;
  readonly at: Date;
}

/** False if one of the kind and role is already open. */
export async function insertHalt(
  db: Kysely<Tables> | Transaction<Tables>,
  { kind, role = null, detail, raisedBy, at }: NewHalt,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO chain_halts (kind, role, detail, raised_by, raised_at)
    VALUES (${kind}, ${role}, ${detail}, ${raisedBy}, ${at})
    ON CONFLICT (kind, coalesce(role, '')) WHERE cleared_at IS NULL DO NOTHING`.execute(db);
  return numAffectedRows === 1n;
}
