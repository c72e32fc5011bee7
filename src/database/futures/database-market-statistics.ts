import { sql } from 'kysely';
import type {
  LongShort,
  MarketStatistics,
  PositionSample,
  PositionSampleFilter,
  PriceCandle,
  PriceCandleFilter,
} from '../../application/futures/market-statistics.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import {
  type KlineInterval,
  klineCloseTime,
  klineIntervals,
  klineOpenTime,
} from '../../domain/kline-interval.ts';
import type { DatabasePool } from '../database-pool.ts';
import { amountOf } from './futures-market-rows.ts';

type StoredLength = '1m' | '1h' | '1d';

interface CandleRow {
  readonly open_time: Date;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly sample_count: string;
}

interface SampleRow extends Readonly<Record<`${SidesName}_${keyof LongShort}`, string>> {
  readonly sampled_at: Date;
  readonly open_interest: string;
  readonly open_interest_value: string;
}

type SidesName = (typeof sides)[number]['name'];

const sides = [
  { name: 'accounts', long: 'long_accounts', short: 'short_accounts' },
  { name: 'top_accounts', long: 'top_long_accounts', short: 'top_short_accounts' },
  { name: 'top_positions', long: 'top_long_quantity', short: 'top_short_quantity' },
] as const;

const ratioDecimals = 4;
const sideColumns = sides.flatMap(({ name, long, short }) => {
  const longs = `round(${long} / (${long} + ${short})::numeric, ${ratioDecimals})`;
  const ratio = `CASE WHEN ${short} = 0 THEN 0
    ELSE round(${long} / ${short}::numeric, ${ratioDecimals}) END`;
  return [
    `trim_scale(${longs})::text AS ${name}_longs`,
    `trim_scale(1 - ${longs})::text AS ${name}_shorts`,
    `trim_scale(${ratio})::text AS ${name}_ratio`,
  ];
});

export class DatabaseMarketStatistics implements MarketStatistics {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async listPriceCandles(filter: PriceCandleFilter): Promise<readonly PriceCandle[]> {
    const { interval, limit } = filter;
    const isFromStart = filter.startTime !== null;
    // One candle more, since the last one read may be incomplete.
    const rowsMax = (limit + 1) * partsOf(interval);
    const rows = await this.#readRows(filter, rowsMax);
    const whole = rows.length < rowsMax ? rows : withoutCut(rows, interval, isFromStart);
    const candles = joinCandles(whole, interval);
    return isFromStart ? candles.slice(0, limit) : candles.slice(-limit);
  }

  async #readRows(
    { marketId, kind, interval, startTime, endTime }: PriceCandleFilter,
    rowsMax: number,
  ): Promise<readonly CandleRow[]> {
    const direction = startTime === null ? sql.raw('DESC') : sql.raw('ASC');
    const column = (part: string) => sql.raw(`trim_scale(${kind}_${part})::text AS ${part}`);
    const conditions = [
      sql`market_id = ${marketId}`,
      sql`length = ${storedLengthOf(interval)}`,
      ...(startTime === null ? [] : [sql`open_time >= ${firstOpen(interval, startTime)}`]),
      ...(endTime === null
        ? []
        : [
            sql`open_time <= ${new Date(klineCloseTime(interval, klineOpenTime(interval, endTime)))}`,
          ]),
    ];
    const query = sql<CandleRow>`
      SELECT open_time, ${column('open')}, ${column('high')}, ${column('low')},
        ${column('close')}, sample_count
      FROM futures_price_candles WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY open_time ${direction} LIMIT ${rowsMax}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return startTime === null ? rows.reverse() : rows;
  }

  async listPositionSamples({
    marketId,
    periodMs,
    startTime,
    endTime,
    limit,
  }: PositionSampleFilter): Promise<readonly PositionSample[]> {
    const direction = startTime === null ? sql.raw('DESC') : sql.raw('ASC');
    const period = sql`make_interval(secs => ${periodMs / 1000})`;
    const conditions = [
      sql`market_id = ${marketId}`,
      sql`open_interest > 0`,
      sql`sampled_at = date_bin(${period}, sampled_at, 'epoch'::timestamptz)`,
      ...(startTime === null ? [] : [sql`sampled_at >= ${new Date(startTime)}`]),
      ...(endTime === null ? [] : [sql`sampled_at <= ${new Date(endTime)}`]),
    ];
    const query = sql<SampleRow>`
      SELECT sampled_at, trim_scale(open_interest)::text AS open_interest,
        trim_scale(round(open_interest * mark_price, 8))::text AS open_interest_value,
        ${sql.raw(sideColumns.join(', '))}
      FROM futures_position_samples WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY sampled_at ${direction} LIMIT ${limit}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    if (startTime === null) rows.reverse();
    return rows.map(sampleFromRow);
  }
}

/** The maximum number of stored candles in one candle of the interval. */
function partsOf(interval: KlineInterval): number {
  const stored = storedLengthOf(interval);
  const lengthOf = (each: KlineInterval): number =>
    klineCloseTime(each, 0) + 1 - klineOpenTime(each, 0);
  // A month has up to 31 days, as January 1970 has.
  return Math.round(lengthOf(interval) / lengthOf(stored));
}

function storedLengthOf(interval: KlineInterval): StoredLength {
  const place = klineIntervals.indexOf(interval);
  if (place >= klineIntervals.indexOf('1d')) return '1d';
  return place >= klineIntervals.indexOf('1h') ? '1h' : '1m';
}

/** The open time of the first candle that opens at the time or later. */
function firstOpen(interval: KlineInterval, startTime: number): Date {
  const holding = klineOpenTime(interval, startTime);
  return new Date(holding === startTime ? holding : klineCloseTime(interval, holding) + 1);
}

function withoutCut(
  rows: readonly CandleRow[],
  interval: KlineInterval,
  isFromStart: boolean,
): readonly CandleRow[] {
  const openOf = (row: CandleRow | undefined): number =>
    klineOpenTime(interval, row?.open_time.getTime() ?? 0);
  const cut = openOf(isFromStart ? rows.at(-1) : rows[0]);
  return rows.filter((row) => openOf(row) !== cut);
}

function joinCandles(rows: readonly CandleRow[], interval: KlineInterval): readonly PriceCandle[] {
  const candles: PriceCandle[] = [];
  for (const { open_time, open, high, low, close, sample_count } of rows) {
    const openTime = klineOpenTime(interval, open_time.getTime());
    const sampleCount = Number(sample_count);
    const last = candles.at(-1);
    if (last?.openTime !== openTime) {
      const closeTime = klineCloseTime(interval, openTime);
      candles.push({ openTime, closeTime, open, high, low, close, sampleCount });
      continue;
    }
    candles[candles.length - 1] = {
      ...last,
      high: amountOf(high) > amountOf(last.high) ? high : last.high,
      low: amountOf(low) < amountOf(last.low) ? low : last.low,
      close,
      sampleCount: last.sampleCount + sampleCount,
    };
  }
  return candles;
}

function sampleFromRow(row: SampleRow): PositionSample {
  const sidesOf = (name: SidesName): LongShort => ({
    longs: row[`${name}_longs`],
    shorts: row[`${name}_shorts`],
    ratio: row[`${name}_ratio`],
  });
  return {
    sampledAt: row.sampled_at.getTime() as TimestampMs,
    openInterest: row.open_interest,
    openInterestValue: row.open_interest_value,
    accounts: sidesOf('accounts'),
    topAccounts: sidesOf('top_accounts'),
    topPositions: sidesOf('top_positions'),
  };
}
