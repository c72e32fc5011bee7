import { sql } from 'kysely';
import type { DatabasePool } from '../../src/database/database-pool.ts';

export interface SeedSize {
  readonly earnings: number;
  readonly traders: number;
}

/**
 * One referrer, account 1, with direct traders whose earnings spread over the last 60 days, and the
 * sums that the projector and the settlements would have kept of them.
 */
export async function seedEarnings(pool: DatabasePool, { earnings, traders }: SeedSize) {
  const statements = [
    sql`INSERT INTO accounts (account_id, address, created_at)
        SELECT id, '0x' || lpad(to_hex(id), 40, '0'), now() FROM generate_series(1, ${traders + 1}::int) AS id`,
    sql`INSERT INTO referral_agents (account_id, code, tier_level, rebate_rate, status, created_at)
        VALUES (1, 'BENCH', 0, 0.1, 'active', now())`,
    sql`INSERT INTO referral_bindings
          (trader_id, trader_address, referrer_id, code, bound_at, from_position)
        SELECT account_id, address, 1, 'BENCH',
          now() - interval '90 days' + account_id * interval '1 minute', 0
        FROM accounts WHERE account_id > 1`,
    sql`INSERT INTO referral_earnings
          (beneficiary_id, type, business_line, trade_number, side, trader_id, source_id,
           fee_value, rate, commission, chain_sync_status, chain_sync_tx, chain_sync_block,
           created_at, sequence)
        SELECT 1, 'direct', 'spot', number, 'taker', trader, trader, fee, 0.1,
          trunc(fee / 10, 6), 'synced', '0x00', 1,
          now() - random() * interval '60 days', number
        FROM (
          SELECT number, 2 + number % ${traders}::int AS trader,
            0.00001 * (1 + (number::bigint * 7919) % 1000000) AS fee
          FROM generate_series(1, ${earnings}::int) AS number
        ) AS trade`,
    sql`INSERT INTO referral_earned SELECT 1, sum(commission), 0, 0 FROM referral_earnings`,
    sql`INSERT INTO referral_settled SELECT 1, sum(commission), 0, 0 FROM referral_earnings`,
    sql`INSERT INTO referral_source_totals
        SELECT 1, 'direct', source_id, 'spot', sum(fee_value), max(created_at)
        FROM referral_earnings GROUP BY source_id`,
    sql`INSERT INTO referral_source_settled
        SELECT 1, 'direct', source_id, 'spot', sum(commission)
        FROM referral_earnings GROUP BY source_id`,
    sql`INSERT INTO referral_trader_hours
        SELECT 1, trader_id, date_trunc('hour', created_at, 'UTC'), 'spot', sum(fee_value)
        FROM referral_earnings GROUP BY 2, 3`,
    sql`INSERT INTO referral_settled_hours
        SELECT 1, trader_id, date_trunc('hour', created_at, 'UTC'), 'spot', sum(commission)
        FROM referral_earnings GROUP BY 2, 3`,
    // What the peer wants.
    sql`CREATE INDEX earnings_of_traders ON referral_earnings
          (beneficiary_id, trader_id, created_at)`,
    sql`VACUUM ANALYZE`,
  ];
  for (const statement of statements) await pool.query((db) => statement.execute(db));
}
