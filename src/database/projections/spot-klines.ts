import { formatAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { Ticks } from '../../domain/spot-market.ts';
import { type ArrayParameter, integerArray, plainArray } from '../array-parameters.ts';
import type { Directory } from '../projector/directory.ts';
import type { Projection } from '../projector/projection.ts';
import { type FoldedCandle, foldCandles } from './fold-candles.ts';
import { formatPrice } from './market-decimals.ts';
import { timestampFrom } from './timestamps.ts';

// A candle exists from its first trade on; a batch adds its trades to the stored candle.
const upsertKlines = `
  INSERT INTO spot_klines AS kline
    (market_id, kline_interval, open_time, open, high, low, close, volume, quote_volume,
     taker_buy_volume, taker_buy_quote_volume, trade_count)
  SELECT market_id, kline_interval, ${timestampFrom('open_time')}, open, high, low, close, volume,
     quote_volume, taker_buy_volume, taker_buy_quote_volume, trade_count
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::numeric[], $5::numeric[],
     $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[],
     $12::bigint[])
    AS batch (market_id, kline_interval, open_time, open, high, low, close, volume, quote_volume,
     taker_buy_volume, taker_buy_quote_volume, trade_count)
  ON CONFLICT (market_id, kline_interval, open_time) DO UPDATE SET
    high = greatest(kline.high, excluded.high),
    low = least(kline.low, excluded.low),
    close = excluded.close,
    volume = kline.volume + excluded.volume,
    quote_volume = kline.quote_volume + excluded.quote_volume,
    taker_buy_volume = kline.taker_buy_volume + excluded.taker_buy_volume,
    taker_buy_quote_volume = kline.taker_buy_quote_volume + excluded.taker_buy_quote_volume,
    trade_count = kline.trade_count + excluded.trade_count`;

export const spotKlinesProjection: Projection = {
  name: 'spot_klines',
  async project(batch, { statements, directory }) {
    const candles = foldCandles(
      batch.eventsOf('spotTradeExecuted').map(({ event: { trade }, outcome }) => ({
        marketId: trade.marketId,
        timestamp: outcome.timestamp,
        price: trade.price,
        quantity: trade.quantity,
        quoteAmount: trade.quoteAmount,
        isTakerBuyer: trade.takerSide === 'buy',
      })),
    );
    if (candles.length === 0) return 0;
    const values = candleColumns(candles, directory);
    await statements.run({ name: 'upsert-klines', text: upsertKlines, values });
    return candles.length;
  },
};

function candleColumns(candles: readonly FoldedCandle[], directory: Directory): ArrayParameter[] {
  const marketOf = (candle: FoldedCandle) => directory.getMarket(candle.marketId as MarketId);
  const prices = (priceOf: (candle: FoldedCandle) => Ticks): string =>
    plainArray(candles.map((candle) => formatPrice(marketOf(candle), priceOf(candle))));
  const lots = (lotsOf: (candle: FoldedCandle) => bigint): string =>
    plainArray(
      candles.map((candle) =>
        formatDecimal((lotsOf(candle) * marketOf(candle).lotSize) as Decimal),
      ),
    );
  return [
    integerArray(candles.map((candle) => candle.marketId)),
    plainArray(candles.map((candle) => candle.interval)),
    integerArray(candles.map((candle) => candle.openTime)),
    prices((candle) => candle.open),
    prices((candle) => candle.high),
    prices((candle) => candle.low),
    prices((candle) => candle.close),
    lots((candle) => candle.volume),
    plainArray(candles.map((candle) => formatAmount(candle.quoteVolume))),
    lots((candle) => candle.takerBuyVolume),
    plainArray(candles.map((candle) => formatAmount(candle.takerBuyQuoteVolume))),
    integerArray(candles.map((candle) => candle.tradeCount)),
  ];
}
