import { type Kysely, sql } from 'kysely';

// What fees cap the points of profits and positions by is summed over each epoch. Epochs that have
// begun keep their rules. A day counts what it changes of its epoch's sums, so its own points of
// positions may be below zero.

const weekSeconds = 604_800;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE points_epochs
      ADD COLUMN fees_paid numeric NOT NULL DEFAULT 0
        CHECK (fees_paid >= 0 AND fees_paid < 'Infinity'),
      ADD COLUMN pnl_earned numeric NOT NULL DEFAULT 0
        CHECK (pnl_earned > '-Infinity' AND pnl_earned < 'Infinity'),
      ADD COLUMN holding_earned numeric NOT NULL DEFAULT 0
        CHECK (holding_earned >= 0 AND holding_earned < 'Infinity'),
      DROP CONSTRAINT points_epochs_holding_check,
      ADD CHECK (holding > '-Infinity' AND holding < 'Infinity')`.execute(db);
  await sql`
    ALTER TABLE points_days
      DROP CONSTRAINT points_days_holding_check,
      ADD CHECK (holding > '-Infinity' AND holding < 'Infinity')`.execute(db);
  await sql`
    INSERT INTO settings (key, value)
    SELECT 'points_cap_epoch', to_jsonb(CASE WHEN EXISTS (SELECT FROM points_days)
      THEN greatest(1, floor((extract(epoch FROM now()) - (value::text)::bigint)
        / ${sql.lit(weekSeconds)})::integer + 2) ELSE 1 END)
    FROM settings WHERE key = 'points_epoch_start'`.execute(db);
}
