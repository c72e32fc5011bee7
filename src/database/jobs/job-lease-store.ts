import { sql } from 'kysely';
import type {
  JobEnd,
  JobLeases,
  JobRecord,
  JobReport,
  LeaseRequest,
  LongLeaseRenewal,
} from '../../application/ports/jobs.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { timeOf } from '../column-values.ts';
import type { DatabasePool } from '../database-pool.ts';

/**
 * Leases in one table; taking one is a single statement, so that two processes never both succeed.
 */
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

  async renewAll({
    holder,
    now,
    leaseMs,
    leases,
    reports,
  }: LongLeaseRenewal): Promise<readonly string[]> {
    return this.#pool.query(async (db) => {
      if (reports.length > 0) await noteReports(reports, now).execute(db);
      if (leases.length === 0) return [];
      const held = await db
        .updateTable('job_leases')
        .set({ expires_at: new Date(now + leaseMs) })
        .where('job', 'in', leases)
        .where('holder', '=', holder)
        .returning('job')
        .execute();
      return held.map(({ job }) => job);
    });
  }

  async release(holder: string, leases: readonly string[] | null): Promise<void> {
    await this.#pool.query((db) => {
      const held = db
        .updateTable('job_leases')
        .set({ holder: null, expires_at: null })
        .where('holder', '=', holder);
      return (leases === null ? held : held.where('job', 'in', leases)).execute();
    });
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

// A job whose lease has another name has a separate row for its reports.
function noteReports(reports: readonly JobReport[], now: TimestampMs) {
  const rows = reports.map(
    ({ job, succeededAt, failures }) =>
      sql`(${job}, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz,
        ${succeededAt === null ? null : new Date(succeededAt)}::timestamptz, ${failures}::bigint)`,
  );
  return sql`
    INSERT INTO job_leases AS known (job, due_at, last_run_at, last_success_at, failures)
    VALUES ${sql.join(rows)}
    ON CONFLICT (job) DO UPDATE SET last_run_at = excluded.last_run_at,
      last_success_at = greatest(known.last_success_at, excluded.last_success_at),
      failures = known.failures + excluded.failures`;
}
