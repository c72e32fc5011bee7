import { type Kysely, sql } from 'kysely';

// What each account earned by day, so that a month of it is read from a few rows.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE referral_earned_days (
      account_id bigint NOT NULL,
      day date NOT NULL,
      spot_direct numeric NOT NULL CHECK (spot_direct >= 0 AND spot_direct < 'Infinity'),
      futures_direct numeric NOT NULL CHECK (futures_direct >= 0 AND futures_direct < 'Infinity'),
      spread numeric NOT NULL CHECK (spread >= 0 AND spread < 'Infinity'),
      PRIMARY KEY (account_id, day)
    )`.execute(db);
  await sql`
    INSERT INTO referral_earned_days (account_id, day, spot_direct, futures_direct, spread)
    SELECT beneficiary_id, (created_at AT TIME ZONE 'UTC')::date,
      coalesce(sum(commission) FILTER (WHERE type = 'direct' AND business_line = 'spot'), 0),
      coalesce(sum(commission) FILTER (WHERE type = 'direct' AND business_line = 'futures'), 0),
      coalesce(sum(commission) FILTER (WHERE type = 'spread'), 0)
    FROM referral_earnings GROUP BY 1, 2`.execute(db);
}
