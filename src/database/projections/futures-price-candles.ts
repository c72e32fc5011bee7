import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import { klineOpenTime } from '../../domain/kline-interval.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';

// Candles of all computed mark prices. All other intervals are whole multiples of one of these
// three.

const lengths = ['1m', '1h', '1d'] as const;
const kinds = ['mark', 'index', 'premium'] as const;
const premiumUnit = 100_000_000n;

interface Prices {
  readonly open: Amount;
  high: Amount;
  low: Amount;
  close: Amount;
}

type PricesByKind = Readonly<Record<(typeof kinds)[number], Prices>>;

interface PriceCandle {
  readonly marketId: FuturesMarketId;
  readonly length: (typeof lengths)[number];
  readonly openTime: number;
  readonly prices: PricesByKind;
  sampleCount: number;
}

const priceColumns = kinds.flatMap((kind) =>
  (['open', 'high', 'low', 'close'] as const).map((part) =>
    numberColumn(`${kind}_${part}`, ({ prices }: PriceCandle) => formatAmount(prices[kind][part])),
  ),
);

const updates = kinds.map(
  (kind) => `${kind}_high = greatest(row.${kind}_high, excluded.${kind}_high),
    ${kind}_low = least(row.${kind}_low, excluded.${kind}_low),
    ${kind}_close = excluded.${kind}_close,`,
);

const candles = new BatchInsert<PriceCandle>({
  table: 'futures_price_candles',
  columns: [
    integerColumn('market_id', ({ marketId }) => marketId),
    wordColumn('length', ({ length }) => length),
    timeColumn('open_time', ({ openTime }) => openTime),
    ...priceColumns,
    integerColumn('sample_count', ({ sampleCount }) => sampleCount),
  ],
  onConflict: `(market_id, length, open_time) DO UPDATE SET
    ${updates.join('\n    ')}
    sample_count = row.sample_count + excluded.sample_count`,
});

export const futuresPriceCandlesProjection: Projection = {
  name: 'futures_price_candles',
  async project(batch, { statements }) {
    const rows = foldPrices(batch);
    if (rows.length === 0) return 0;
    await statements.run(candles.statement(rows));
    return rows.length;
  },
};

function foldPrices(batch: OutcomeBatch): readonly PriceCandle[] {
  const folded = new Map<string, PriceCandle>();
  for (const { event, outcome } of batch.eventsOf('markPriceChanged')) {
    const { marketId, markPrice: mark, indexPrice: index } = event;
    const values = { mark, index, premium: premiumOf(mark, index) };
    for (const length of lengths) {
      const openTime = klineOpenTime(length, outcome.timestamp);
      const key = `${marketId} ${length} ${openTime}`;
      const candle = folded.get(key);
      if (candle !== undefined) grow(candle, values);
      else folded.set(key, { marketId, length, openTime, prices: open(values), sampleCount: 1 });
    }
  }
  return [...folded.values()];
}

type Values = Readonly<Record<(typeof kinds)[number], Amount>>;

function open(values: Values): PricesByKind {
  const flat = (price: Amount): Prices => ({ open: price, high: price, low: price, close: price });
  return { mark: flat(values.mark), index: flat(values.index), premium: flat(values.premium) };
}

function grow(candle: PriceCandle, values: Values): void {
  for (const kind of kinds) {
    const prices = candle.prices[kind];
    const value = values[kind];
    if (value > prices.high) prices.high = value;
    if (value < prices.low) prices.low = value;
    prices.close = value;
  }
  candle.sampleCount += 1;
}

/**
 * The distance of the mark price from the index, as a fraction of the index, cut to eight decimals.
 */
function premiumOf(mark: Amount, index: Amount): Amount {
  return toAmount(index === 0n ? 0n : ((mark - index) * premiumUnit) / index);
}
