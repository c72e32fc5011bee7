import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import { type KlineInterval, klineIntervals, klineOpenTime } from '../../domain/kline-interval.ts';
import type { SpotMarket, Ticks } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import { type ArrayParameter, integerArray, plainArray } from '../array-parameters.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice } from './market-decimals.ts';
import { timestampFrom } from './timestamps.ts';

// A candle exists from its first trade on; a batch adds its own trades to what stands there.
const upsertKlines = `
  INSERT INTO spot_klines AS kline
    (market_id, kline_interval, open_time, open, high, low, close, volume, quote_volume,
     trade_count)
  SELECT market_id, kline_interval, ${timestampFrom('open_time')}, open, high, low, close, volume,
     quote_volume, trade_count
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::numeric[], $5::numeric[],
     $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::bigint[])
    AS batch (market_id, kline_interval, open_time, open, high, low, close, volume, quote_volume,
     trade_count)
  ON CONFLICT (market_id, kline_interval, open_time) DO UPDATE SET
    high = greatest(kline.high, excluded.high),
    low = least(kline.low, excluded.low),
    close = excluded.close,
    volume = kline.volume + excluded.volume,
    quote_volume = kline.quote_volume + excluded.quote_volume,
    trade_count = kline.trade_count + excluded.trade_count`;

interface Candle {
  readonly market: SpotMarket;
  readonly interval: KlineInterval;
  readonly openTime: number;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  volume: Amount;
  quoteVolume: Amount;
  tradeCount: number;
}

export const spotKlinesProjection: Projection = {
  name: 'spot_klines',
  async project(batch, { statements, directory }) {
    const candles = candlesOf(batch, directory);
    if (candles.length === 0) return 0;
    const values = candleColumns(candles);
    await statements.run({ name: 'upsert-klines', text: upsertKlines, values });
    return candles.length;
  },
};

function candlesOf(batch: OutcomeBatch, directory: Directory): readonly Candle[] {
  // Minutes first: every other interval is whole minutes, so a batch is walked through once.
  const minutes = new Map<string, Candle>();
  for (const { event, outcome } of batch.eventsOf('spotTradeExecuted')) {
    const openTime = klineOpenTime('1m', outcome.timestamp);
    const market = directory.getMarket(event.trade.marketId);
    addCandle(minutes, candleOfTrade(event.trade, market, openTime));
  }
  const candles = new Map<string, Candle>();
  for (const minute of minutes.values()) {
    for (const interval of klineIntervals) {
      const openTime = klineOpenTime(interval, minute.openTime);
      addCandle(candles, { ...minute, interval, openTime });
    }
  }
  return [...candles.values()];
}

function candleOfTrade(trade: SpotTrade, market: SpotMarket, openTime: number): Candle {
  return {
    market,
    interval: '1m',
    openTime,
    open: trade.price,
    high: trade.price,
    low: trade.price,
    close: trade.price,
    volume: toAmount(BigInt(trade.quantity) * market.lotAmount),
    quoteVolume: trade.quoteAmount,
    tradeCount: 1,
  };
}

/** Adds a candle that is later than all that stands under its key. */
function addCandle(candles: Map<string, Candle>, added: Candle): void {
  const key = `${added.market.marketId} ${added.interval} ${added.openTime}`;
  const candle = candles.get(key);
  if (candle === undefined) {
    candles.set(key, added);
    return;
  }
  if (added.high > candle.high) candle.high = added.high;
  if (added.low < candle.low) candle.low = added.low;
  candle.close = added.close;
  candle.volume = toAmount(candle.volume + added.volume);
  candle.quoteVolume = toAmount(candle.quoteVolume + added.quoteVolume);
  candle.tradeCount += added.tradeCount;
}

function candleColumns(candles: readonly Candle[]): ArrayParameter[] {
  const prices = (priceOf: (candle: Candle) => Ticks): string =>
    plainArray(candles.map((candle) => formatPrice(candle.market, priceOf(candle))));
  return [
    integerArray(candles.map((candle) => candle.market.marketId)),
    plainArray(candles.map((candle) => candle.interval)),
    integerArray(candles.map((candle) => candle.openTime)),
    prices((candle) => candle.open),
    prices((candle) => candle.high),
    prices((candle) => candle.low),
    prices((candle) => candle.close),
    plainArray(candles.map((candle) => formatAmount(candle.volume))),
    plainArray(candles.map((candle) => formatAmount(candle.quoteVolume))),
    integerArray(candles.map((candle) => candle.tradeCount)),
  ];
}
