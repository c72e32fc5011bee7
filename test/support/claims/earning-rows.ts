import { sql } from 'kysely';
import type { DatabasePool } from '../../../src/database/database-pool.ts';
import { StatementQueue } from '../../../src/database/projector/statement-queue.ts';
import { writeEarnings } from '../../../src/database/referral/write-earnings.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import type { AccountId, Address, Sequence, TimestampMs } from '../../../src/domain/identifiers.ts';
import {
  amountFromMicroUsdt,
  type MicroUsdt,
  toMicroUsdt,
} from '../../../src/domain/micro-usdt.ts';

// Rows that the projector would write, without an exchange.

export async function addAccount(pool: DatabasePool, id: number, address: Address): Promise<void> {
  await pool.query((db) =>
    sql`INSERT INTO accounts (account_id, address, created_at)
        VALUES (${id}, ${address}, now())`.execute(db),
  );
}

export interface EarningSketch {
  readonly beneficiary: number;
  readonly trader: number;
  readonly commission: MicroUsdt;
  readonly time?: number;
  readonly type?: 'direct' | 'spread';
  readonly businessLine?: 'spot' | 'futures';
  /** The account through which a spread came; absent: the trader. */
  readonly source?: number;
}

let trades = 0;

/** An earning of half of a fee: direct and of a spot trade unless specified otherwise. */
export async function addEarning(pool: DatabasePool, sketch: EarningSketch): Promise<void> {
  await addEarnings(pool, [sketch]);
}

export async function addEarnings(
  pool: DatabasePool,
  sketches: readonly EarningSketch[],
): Promise<void> {
  const rows = sketches.map(({ beneficiary, trader, commission, ...rest }) => {
    trades += 1;
    const payer = trader as AccountId;
    const { type = 'direct', businessLine = 'spot', time = Date.UTC(2026, 0, 5) } = rest;
    return {
      fee: {
        businessLine,
        tradeNumber: trades,
        side: 'taker',
        payer,
        value: amountFromMicroUsdt(toMicroUsdt(2n * commission)),
      },
      earning: {
        type,
        beneficiary: beneficiary as AccountId,
        source: (rest.source ?? trader) as AccountId,
        rate: (10n ** 18n / 2n) as Decimal,
        commission,
      },
      sequence: trades as Sequence,
      timestamp: time as TimestampMs,
    } as const;
  });
  await pool.withClient(async (client) => {
    await client.query('BEGIN');
    await writeEarnings(new StatementQueue(client), rows);
    await client.query('COMMIT');
  });
}
