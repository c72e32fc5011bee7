import { sql } from 'kysely';
import type { JobEnd, JobLeases, JobRecord, LeaseRequest } from '../../application/ports-jobs.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

/** Leases in one table; a take is one statement, so that two processes never both succeed. */
export class DatabaseJobLeases implements JobLeases {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async list(): Promise<readonly JobRecord[]> {
    const rows = await this.#pool.query((db) => db.selectFrom('job_leases').selectAll().execute());
    return rows.map((row) => ({
      job: row.job,
      holder: row.holder,
      expiresAt: timeOf(row.expires_at),
      dueAt: row.due_at.getTime() as TimestampMs,
      lastSuccessAt: timeOf(row.last_success_at),
      failures: Number(row.failures),
    }));
  }

  async take({ job, holder, now, leaseMs, dueWithinMs }: LeaseRequest): Promise<boolean> {
    const at = new Date(now);
    return this.#pool.query(async (db) => {
      await db
        .insertInto('job_leases')
        .values({ job, due_at: at })
        .onConflict((conflict) => conflict.column('job').doNothing())
        .execute();
      const { rows } = await sql`
        UPDATE job_leases
        SET holder = ${holder}, expires_at = ${new Date(now + leaseMs)}, last_run_at = ${at}
        WHERE job = ${job} AND (holder IS NULL OR expires_at <= ${at})
          AND (due_at <= ${at} OR due_at > ${new Date(now + dueWithinMs)})
        RETURNING job`.execute(db);
      return rows.length > 0;
    });
  }

  async renew({ job, holder, now, leaseMs }: Omit<LeaseRequest, 'dueWithinMs'>): Promise<boolean> {
    const { numUpdatedRows } = await this.#pool.query((db) =>
      db
        .updateTable('job_leases')
        .set({ expires_at: new Date(now + leaseMs) })
        .where('job', '=', job)
        .where('holder', '=', holder)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  async finish({ job, holder, dueAt, succeededAt }: JobEnd): Promise<void> {
    const success = succeededAt === null ? null : new Date(succeededAt);
    await this.#pool.query((db) =>
      sql`
        UPDATE job_leases
        SET holder = NULL, expires_at = NULL, due_at = ${new Date(dueAt)},
          last_success_at = coalesce(${success}, last_success_at),
          failures = failures + ${success === null ? 1 : 0}
        WHERE job = ${job} AND holder = ${holder}`.execute(db),
    );
  }
}

function timeOf(date: Date | null): TimestampMs | null {
  return date === null ? null : (date.getTime() as TimestampMs);
}
