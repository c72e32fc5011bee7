import { type Kysely, sql } from 'kysely';

// What a step of a close-out closes, and what the insurance fund paid for it. Steps of earlier
// rules have null.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE futures_liquidation_steps
      ADD COLUMN quantity numeric CHECK (quantity > 0 AND quantity < 'Infinity'),
      ADD COLUMN paid_by_fund numeric
        CHECK (paid_by_fund >= 0 AND paid_by_fund < 'Infinity')`.execute(db);
}
