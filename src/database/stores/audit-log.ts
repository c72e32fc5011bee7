import type { AuditEntry, AuditLog } from '../../application/ports/operators.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';

export class DatabaseAuditLog implements AuditLog {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.#pool.query((db) => insertAudit(db, entry));
  }
}
