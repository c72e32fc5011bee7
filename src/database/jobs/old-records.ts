import { sql } from 'kysely';
import type { OldRecordKind, OldRecords } from '../../application/ports/jobs.ts';
import type { DatabasePool } from '../database-pool.ts';

/** The table of each kind, and the column with the time until which a row counts. */
const places: Readonly<Record<OldRecordKind, { table: string; time: string }>> = {
  loginNonces: { table: 'login_nonces', time: 'expires_at' },
  endedSessions: { table: 'ended_sessions', time: 'expires_at' },
  futuresVolumeHours: { table: 'futures_volume_hours', time: 'hour' },
  accountEvents: { table: 'account_events', time: 'created_at' },
  downloads: { table: 'downloads', time: 'expires_at' },
  rewardVouchers: { table: 'reward_vouchers', time: 'created_at' },
};

export class DatabaseOldRecords implements OldRecords {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async remove(
    kind: OldRecordKind,
    { before, rowsMax }: Parameters<OldRecords['remove']>[1],
  ): Promise<number> {
    const { table, time } = places[kind];
    // Rows that are locked now are left for the next time.
    const { numAffectedRows } = await this.#pool.query((db) =>
      sql`
        DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${sql.table(table)} WHERE ${sql.ref(time)} < ${new Date(before)}
          LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED))`.execute(db),
    );
    return Number(numAffectedRows ?? 0n);
  }
}
