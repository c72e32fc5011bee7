import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { Sequence, TimestampMs } from '../../domain/identifiers.ts';
import { formatMicroUsdt, type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Earning, PaidFee } from '../../programs/referral/share-fee.ts';
import { type ArrayParameter, integerArray, plainArray } from '../array-parameters.ts';
import { timestampFrom } from '../projections/timestamps.ts';
import type { StatementRunner } from '../projector/statement-queue.ts';

// Writes the rows and, in the same transaction, adds them to the sums that pages read.

const hourMs = 3_600_000;
const dayMs = 86_400_000;

const upsertEarned = `
  INSERT INTO referral_earned AS earned (account_id, spot_direct, futures_direct, spread)
  SELECT account_id, spot_direct, futures_direct, spread
  FROM unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::numeric[])
    AS batch (account_id, spot_direct, futures_direct, spread)
  ON CONFLICT (account_id) DO UPDATE SET
    spot_direct = earned.spot_direct + excluded.spot_direct,
    futures_direct = earned.futures_direct + excluded.futures_direct,
    spread = earned.spread + excluded.spread`;

const upsertEarnedDays = `
  INSERT INTO referral_earned_days AS earned (account_id, day, spot_direct, futures_direct, spread)
  SELECT account_id, (${timestampFrom('day')} AT TIME ZONE 'UTC')::date, spot_direct,
    futures_direct, spread
  FROM unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::numeric[], $5::numeric[])
    AS batch (account_id, day, spot_direct, futures_direct, spread)
  ON CONFLICT (account_id, day) DO UPDATE SET
    spot_direct = earned.spot_direct + excluded.spot_direct,
    futures_direct = earned.futures_direct + excluded.futures_direct,
    spread = earned.spread + excluded.spread`;

const insertEarnings = `
  INSERT INTO referral_earnings
    (beneficiary_id, type, business_line, trade_number, side, trader_id, source_id, fee_value,
     rate, commission, created_at, sequence)
  SELECT beneficiary_id, type, business_line, trade_number, side, trader_id, source_id, fee_value,
     rate, commission, ${timestampFrom('created_at')}, sequence
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[],
     $7::bigint[], $8::numeric[], $9::numeric[], $10::numeric[], $11::bigint[], $12::bigint[])
    WITH ORDINALITY AS batch (beneficiary_id, type, business_line, trade_number, side, trader_id,
     source_id, fee_value, rate, commission, created_at, sequence, place)
  ORDER BY place`;

const upsertTotals = `
  INSERT INTO referral_source_totals AS total
    (beneficiary_id, type, source_id, business_line, fee_value, last_trade_at)
  SELECT beneficiary_id, type, source_id, business_line, fee_value,
     ${timestampFrom('last_trade_at')}
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::numeric[], $6::bigint[])
    AS batch (beneficiary_id, type, source_id, business_line, fee_value, last_trade_at)
  ON CONFLICT (beneficiary_id, type, source_id, business_line) DO UPDATE SET
    fee_value = total.fee_value + excluded.fee_value,
    last_trade_at = greatest(total.last_trade_at, excluded.last_trade_at)`;

const upsertHours = `
  INSERT INTO referral_trader_hours AS sum
    (beneficiary_id, trader_id, hour, business_line, fee_value)
  SELECT beneficiary_id, trader_id, ${timestampFrom('hour')}, business_line, fee_value
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::numeric[])
    AS batch (beneficiary_id, trader_id, hour, business_line, fee_value)
  ON CONFLICT (beneficiary_id, trader_id, hour, business_line) DO UPDATE SET
    fee_value = sum.fee_value + excluded.fee_value`;

/** A fee with the command in which it was paid. */
export interface PlacedFee {
  readonly fee: PaidFee;
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
}

/** An earning as a row: its fee, and when it was earned. */
export interface PlacedEarning extends PlacedFee {
  readonly earning: Earning;
}

/** Adds a batch's earnings to the tables. */
export async function writeEarnings(
  statements: StatementRunner,
  earnings: readonly PlacedEarning[],
): Promise<void> {
  await statements.run({
    name: 'upsert-referral-earned',
    text: upsertEarned,
    values: earnedColumns(earnings),
  });
  await statements.run({
    name: 'upsert-referral-earned-days',
    text: upsertEarnedDays,
    values: earnedDayColumns(earnings),
  });
  await statements.run({
    name: 'insert-referral-earnings',
    text: insertEarnings,
    values: earningColumns(earnings),
  });
  await statements.run({
    name: 'upsert-referral-totals',
    text: upsertTotals,
    values: totalColumns(earnings),
  });
  const direct = earnings.filter(({ earning }) => earning.type === 'direct');
  if (direct.length === 0) return;
  await statements.run({
    name: 'upsert-referral-hours',
    text: upsertHours,
    values: hourColumns(direct),
  });
}

interface Earned {
  readonly account: number;
  /** When the first of it was earned. */
  readonly timestamp: TimestampMs;
  spot: MicroUsdt;
  futures: MicroUsdt;
  spread: MicroUsdt;
}

function sumEarned(
  earnings: readonly PlacedEarning[],
  keyOf: (row: PlacedEarning) => string,
): readonly Earned[] {
  const sums = new Map<string, Earned>();
  const zero = toMicroUsdt(0n);
  for (const row of earnings) {
    const { earning, fee, timestamp } = row;
    const { beneficiary: account, commission, type } = earning;
    const key = keyOf(row);
    const sum = sums.get(key) ?? { account, timestamp, spot: zero, futures: zero, spread: zero };
    sums.set(key, sum);
    const part = type === 'spread' ? 'spread' : fee.businessLine;
    sum[part] = toMicroUsdt(sum[part] + commission);
  }
  return [...sums.values()];
}

function commissionColumns(rows: readonly Earned[]): ArrayParameter[] {
  return [
    plainArray(rows.map(({ spot }) => formatMicroUsdt(spot))),
    plainArray(rows.map(({ futures }) => formatMicroUsdt(futures))),
    plainArray(rows.map(({ spread }) => formatMicroUsdt(spread))),
  ];
}

function earnedColumns(earnings: readonly PlacedEarning[]): ArrayParameter[] {
  const rows = sumEarned(earnings, ({ earning }) => String(earning.beneficiary));
  return [integerArray(rows.map(({ account }) => account)), ...commissionColumns(rows)];
}

function earnedDayColumns(earnings: readonly PlacedEarning[]): ArrayParameter[] {
  const dayOf = ({ timestamp }: PlacedEarning): number => Math.floor(timestamp / dayMs);
  const rows = sumEarned(earnings, (row) => `${row.earning.beneficiary} ${dayOf(row)}`);
  return [
    integerArray(rows.map(({ account }) => account)),
    integerArray(rows.map(({ timestamp }) => timestamp)),
    ...commissionColumns(rows),
  ];
}

function earningColumns(earnings: readonly PlacedEarning[]): ArrayParameter[] {
  return [
    integerArray(earnings.map(({ earning }) => earning.beneficiary)),
    plainArray(earnings.map(({ earning }) => earning.type)),
    plainArray(earnings.map(({ fee }) => fee.businessLine)),
    integerArray(earnings.map(({ fee }) => fee.tradeNumber)),
    plainArray(earnings.map(({ fee }) => fee.side)),
    integerArray(earnings.map(({ fee }) => fee.payer)),
    integerArray(earnings.map(({ earning }) => earning.source)),
    plainArray(earnings.map(({ fee }) => formatAmount(fee.value))),
    plainArray(earnings.map(({ earning }) => formatDecimal(earning.rate))),
    plainArray(earnings.map(({ earning }) => formatMicroUsdt(earning.commission))),
    integerArray(earnings.map(({ timestamp }) => timestamp)),
    integerArray(earnings.map(({ sequence }) => sequence)),
  ];
}

interface Sum {
  readonly row: PlacedEarning;
  feeValue: Amount;
  lastTradeAt: number;
}

// A row that the batch touches more than once is written once.
function sumBy(
  earnings: readonly PlacedEarning[],
  keyOf: (row: PlacedEarning) => string,
): readonly Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of earnings) {
    const key = keyOf(row);
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { row, feeValue: row.fee.value, lastTradeAt: row.timestamp });
    } else {
      sum.feeValue = toAmount(sum.feeValue + row.fee.value);
      sum.lastTradeAt = Math.max(sum.lastTradeAt, row.timestamp);
    }
  }
  return [...sums.values()];
}

function totalColumns(earnings: readonly PlacedEarning[]): ArrayParameter[] {
  const sums = sumBy(earnings, ({ earning: { beneficiary, type, source }, fee }) =>
    [beneficiary, type, source, fee.businessLine].join(' '),
  );
  return [
    integerArray(sums.map(({ row }) => row.earning.beneficiary)),
    plainArray(sums.map(({ row }) => row.earning.type)),
    integerArray(sums.map(({ row }) => row.earning.source)),
    plainArray(sums.map(({ row }) => row.fee.businessLine)),
    plainArray(sums.map(({ feeValue }) => formatAmount(feeValue))),
    integerArray(sums.map(({ lastTradeAt }) => lastTradeAt)),
  ];
}

function hourColumns(earnings: readonly PlacedEarning[]): ArrayParameter[] {
  const sums = sumBy(earnings, (row) =>
    [row.earning.beneficiary, row.earning.source, hourOf(row), row.fee.businessLine].join(' '),
  );
  return [
    integerArray(sums.map(({ row }) => row.earning.beneficiary)),
    integerArray(sums.map(({ row }) => row.earning.source)),
    integerArray(sums.map(({ row }) => hourOf(row))),
    plainArray(sums.map(({ row }) => row.fee.businessLine)),
    plainArray(sums.map(({ feeValue }) => formatAmount(feeValue))),
  ];
}

function hourOf({ timestamp }: PlacedEarning): number {
  return timestamp - (timestamp % hourMs);
}
