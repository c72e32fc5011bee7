import { type RawBuilder, sql } from 'kysely';
import type {
  LongShort,
  MarketStatistics,
  PositionSample,
  PositionSampleFilter,
  PriceCandle,
  PriceCandleFilter,
} from '../../application/futures/market-statistics.ts';
import { partsOfCandle, storedLengthOf } from '../../application/futures/price-candle-parts.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { type KlineInterval, klineCloseTime, klineOpenTime } from '../../domain/kline-interval.ts';
import type { DatabasePool } from '../database-pool.ts';

interface CandleRow {
  readonly open_time: Date;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly sample_count: string;
  /** Of all candles that were read. */
  readonly part_count: string;
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
    const { marketId, kind, interval, startTime, endTime, limit } = filter;
    const isFromStart = startTime !== null;
    const direction = isFromStart ? sql.raw('ASC') : sql.raw('DESC');
    // One candle more, since the last one read may be incomplete.
    const partsMax = (limit + 1) * partsOfCandle(interval);
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
    const column = (part: string) => sql.raw(`${kind}_${part} AS ${part}`);
    // Longer candles are made of up to 46,500 shorter ones, so the database puts them together.
    const query = sql<CandleRow>`
      WITH part AS (
        SELECT open_time, ${column('open')}, ${column('high')}, ${column('low')},
          ${column('close')}, sample_count
        FROM futures_price_candles WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY open_time ${direction} LIMIT ${partsMax}
      ), candle AS (
        SELECT ${openTimeOf(interval)} AS candle_time,
          (array_agg(open ORDER BY open_time))[1] AS open, max(high) AS high, min(low) AS low,
          (array_agg(close ORDER BY open_time DESC))[1] AS close,
          sum(sample_count) AS sample_count, sum(count(*)) OVER () AS part_count
        FROM part GROUP BY candle_time
      )
      SELECT candle_time AS open_time, trim_scale(open)::text AS open,
        trim_scale(high)::text AS high, trim_scale(low)::text AS low,
        trim_scale(close)::text AS close, sample_count, part_count
      FROM candle ORDER BY candle_time ${direction} LIMIT ${limit + 1}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    // The last candle is incomplete if the limit on the parts cut it off.
    const isCut = Number(rows[0]?.part_count ?? 0) === partsMax;
    const found = rows.slice(0, isCut ? Math.min(limit, rows.length - 1) : limit);
    const candles = found.map((row) => candleFromRow(row, interval));
    return isFromStart ? candles : candles.reverse();
  }

  async listPositionSamples({
    marketId,
    periodMs,
    startTime,
    endTime,
    limit,
  }: PositionSampleFilter): Promise<readonly PositionSample[]> {
    const isFromStart = startTime !== null;
    const period = sql`make_interval(secs => ${periodMs / 1000})`;
    const slot = sql`date_bin(${period}, place.sampled_at, 'epoch'::timestamptz)`;
    // The next sample of the period cannot be nearer than this.
    const next = isFromStart
      ? sql`sampled_at >= ${slot} + ${period}`
      : sql`sampled_at <= CASE WHEN place.is_due THEN ${slot} - ${period} ELSE ${slot} END`;
    const limits = [
      ...(startTime === null ? [] : [sql`sampled_at >= ${new Date(startTime)}`]),
      ...(endTime === null ? [] : [sql`sampled_at <= ${new Date(endTime)}`]),
    ];
    const held = [sql`market_id = ${marketId}`, sql`open_interest > 0`];
    const one = (bounds: readonly RawBuilder<unknown>[]) => sql`
      SELECT sampled_at,
        sampled_at = date_bin(${period}, sampled_at, 'epoch'::timestamptz) AS is_due
      FROM futures_position_samples WHERE ${sql.join([...held, ...bounds], sql` AND `)}
      ORDER BY sampled_at ${isFromStart ? sql.raw('ASC') : sql.raw('DESC')} LIMIT 1`;
    // Goes from one to the next by the index: a day has 288 samples, of which one is asked for.
    const query = sql<SampleRow>`
      WITH RECURSIVE place AS (
        SELECT first.*, first.is_due::int AS due_count FROM (${one(limits)}) AS first
        UNION ALL
        SELECT following.*, place.due_count + following.is_due::int
        FROM place CROSS JOIN LATERAL (${one([next, ...limits])}) AS following
        WHERE place.due_count < ${limit}
      )
      SELECT sampled_at, trim_scale(open_interest)::text AS open_interest,
        trim_scale(round(open_interest * mark_price, 8))::text AS open_interest_value,
        ${sql.raw(sideColumns.join(', '))}
      FROM place JOIN futures_position_samples USING (sampled_at)
      WHERE is_due AND market_id = ${marketId}
      ORDER BY sampled_at`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return rows.map(sampleFromRow);
  }
}

/** The open time of the first candle that opens at the time or later. */
function firstOpen(interval: KlineInterval, startTime: number): Date {
  const holding = klineOpenTime(interval, startTime);
  return new Date(holding === startTime ? holding : klineCloseTime(interval, holding) + 1);
}

/** The open time of the candle that holds the part. */
function openTimeOf(interval: KlineInterval): RawBuilder<unknown> {
  if (interval === '1M' || interval === '1w') {
    const unit = interval === '1M' ? 'month' : 'week';
    return sql`date_trunc(${sql.lit(unit)}, open_time, 'UTC')`;
  }
  const seconds = (klineCloseTime(interval, 0) + 1) / 1000;
  return sql`date_bin(make_interval(secs => ${sql.lit(seconds)}), open_time, 'epoch'::timestamptz)`;
}

function candleFromRow(row: CandleRow, interval: KlineInterval): PriceCandle {
  const { open, high, low, close } = row;
  const openTime = row.open_time.getTime() as TimestampMs;
  const closeTime = klineCloseTime(interval, openTime);
  return { openTime, closeTime, open, high, low, close, sampleCount: Number(row.sample_count) };
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
