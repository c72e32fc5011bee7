import { sql } from 'kysely';
import { expect } from 'vitest';
import type { DatabasePool } from '../../src/database/database-pool.ts';

// Every sum that the program keeps, computed again from the earnings and compared: what differs in
// either direction.

const comparisons: Readonly<Record<string, readonly [string, string]>> = {
  referral_earned: [
    'SELECT account_id, spot_direct, futures_direct, spread FROM referral_earned',
    `SELECT beneficiary_id,
       ${sumOf("type = 'direct' AND business_line = 'spot'")},
       ${sumOf("type = 'direct' AND business_line = 'futures'")},
       ${sumOf("type = 'spread'")}
     FROM referral_earnings GROUP BY 1`,
  ],
  referral_earned_days: [
    'SELECT account_id, day, spot_direct, futures_direct, spread FROM referral_earned_days',
    `SELECT beneficiary_id, (created_at AT TIME ZONE 'UTC')::date,
       ${sumOf("type = 'direct' AND business_line = 'spot'")},
       ${sumOf("type = 'direct' AND business_line = 'futures'")},
       ${sumOf("type = 'spread'")}
     FROM referral_earnings GROUP BY 1, 2`,
  ],
  referral_settled: [
    `SELECT account_id, claimable, claimed, failed FROM referral_settled
     WHERE claimable + claimed + failed > 0`,
    `SELECT beneficiary_id,
       ${sumOf("chain_sync_status = 'synced' AND status = 'pending'")},
       ${sumOf("status = 'claimed'")},
       ${sumOf("chain_sync_status = 'failed'")}
     FROM referral_earnings WHERE chain_sync_status <> 'pending' GROUP BY 1`,
  ],
  referral_source_totals: [
    `SELECT beneficiary_id, type, source_id, business_line, fee_value, last_trade_at
     FROM referral_source_totals`,
    `SELECT beneficiary_id, type, source_id, business_line, sum(fee_value), max(created_at)
     FROM referral_earnings GROUP BY 1, 2, 3, 4`,
  ],
  referral_source_settled: [
    `SELECT beneficiary_id, type, source_id, business_line, commission
     FROM referral_source_settled WHERE commission > 0`,
    `SELECT beneficiary_id, type, source_id, business_line, sum(commission)
     FROM referral_earnings WHERE chain_sync_status = 'synced' GROUP BY 1, 2, 3, 4`,
  ],
  referral_trader_hours: [
    `SELECT beneficiary_id, trader_id, hour, business_line, fee_value FROM referral_trader_hours`,
    `SELECT beneficiary_id, trader_id, date_trunc('hour', created_at, 'UTC'), business_line,
       sum(fee_value)
     FROM referral_earnings WHERE type = 'direct' GROUP BY 1, 2, 3, 4`,
  ],
  referral_settled_hours: [
    `SELECT beneficiary_id, trader_id, hour, business_line, commission
     FROM referral_settled_hours WHERE commission > 0`,
    `SELECT beneficiary_id, trader_id, date_trunc('hour', created_at, 'UTC'), business_line,
       sum(commission)
     FROM referral_earnings WHERE type = 'direct' AND chain_sync_status = 'synced'
     GROUP BY 1, 2, 3, 4`,
  ],
  'commission_claims.covered': [
    'SELECT id, covered FROM commission_claims WHERE covered <> 0',
    `SELECT claim_id, sum(commission) FROM commission_claim_items
     JOIN referral_earnings ON id = earning_id GROUP BY 1`,
  ],
};

function sumOf(condition: string): string {
  return `coalesce(sum(commission) FILTER (WHERE ${condition}), 0)`;
}

export async function expectSumsToMatch(pool: DatabasePool): Promise<void> {
  for (const [name, [kept, computed]] of Object.entries(comparisons)) {
    const { rows } = await pool.query((db) =>
      sql`(SELECT 'kept' AS side, a::text AS line FROM
            (${sql.raw(kept)} EXCEPT ${sql.raw(computed)}) AS a)
          UNION ALL (SELECT 'computed', b::text FROM
            (${sql.raw(computed)} EXCEPT ${sql.raw(kept)}) AS b)`.execute(db),
    );
    expect(rows, name).toEqual([]);
  }
}
