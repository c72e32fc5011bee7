import { sql, type Transaction } from 'kysely';
import { insertAudit } from '../insert-audit.ts';
import type { Tables } from '../tables.ts';

// The pause switch of withdrawals, one for both wallets. A request locks its row, so that none gets
// through after the switch is on.

const pauseKey = 'withdrawals_paused';

/** Whether withdrawals are paused; the switch cannot change before the transaction has ended. */
export async function readPauseSwitch(transaction: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ value: unknown }>`
    SELECT value FROM settings WHERE key = ${pauseKey} FOR SHARE`.execute(transaction);
  return rows[0]?.value === true;
}

/** Waits for requests that have read the switch; later ones wait for this transaction's end. */
export async function holdPauseSwitch(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT FROM settings WHERE key = ${pauseKey} FOR UPDATE`.execute(transaction);
}

export interface PauseChange {
  readonly isPaused: boolean;
  readonly actor: string;
  readonly at: Date;
  /** Additional fields of the audit row. */
  readonly reason?: object;
}

/** Sets the switch and records who did it. */
export async function setPauseSwitch(
  transaction: Transaction<Tables>,
  { isPaused, actor, at, reason = {} }: PauseChange,
): Promise<void> {
  await sql`
    INSERT INTO settings (key, value, updated_at)
    VALUES (${pauseKey}, ${JSON.stringify(isPaused)}::jsonb, ${at})
    ON CONFLICT (key) DO UPDATE SET
      value = excluded.value, updated_at = excluded.updated_at`.execute(transaction);
  const detail = { paused: isPaused, ...reason };
  await insertAudit(transaction, { action: 'pause_withdrawals', detail }, { by: actor });
}
