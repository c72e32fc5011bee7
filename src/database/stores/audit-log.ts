import type { AuditEntry, AuditLog } from '../../application/ports.ts';
import type { DatabasePool } from '../database-pool.ts';
import { adminActor } from '../projections/admin-records.ts';

export class DatabaseAuditLog implements AuditLog {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async record({ action, detail }: AuditEntry): Promise<void> {
    const values = {
      action,
      detail: JSON.stringify(detail),
      admin_actor: adminActor,
      sequence: null,
    };
    await this.#pool.query((db) => db.insertInto('admin_audit').values(values).execute());
  }
}
