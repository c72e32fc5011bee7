import { formatAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import {
  BatchInsert,
  integerColumn,
  numberColumn,
  timeColumn,
  wordColumn,
} from '../batch-insert.ts';
import type { StoredFuturesMarket } from '../futures/futures-market-rows.ts';
import type { Projection } from '../projector/projection.ts';
import { type FoldedCandle, foldCandles } from './fold-candles.ts';
import { formatPrice } from './market-decimals.ts';

interface CandleRow {
  readonly candle: FoldedCandle;
  readonly market: StoredFuturesMarket;
}

const sums = [
  'volume',
  'quote_volume',
  'taker_buy_volume',
  'taker_buy_quote_volume',
  'trade_count',
].map((name) => `${name} = row.${name} + excluded.${name}`);

// A candle exists from its first trade on; a batch adds its trades to the stored candle.
const klines = new BatchInsert<CandleRow>({
  table: 'futures_klines',
  columns: [
    integerColumn('market_id', ({ candle }) => candle.marketId),
    wordColumn('kline_interval', ({ candle }) => candle.interval),
    timeColumn('open_time', ({ candle }) => candle.openTime),
    numberColumn('open', ({ candle, market }) => formatPrice(market, candle.open)),
    numberColumn('high', ({ candle, market }) => formatPrice(market, candle.high)),
    numberColumn('low', ({ candle, market }) => formatPrice(market, candle.low)),
    numberColumn('close', ({ candle, market }) => formatPrice(market, candle.close)),
    numberColumn('volume', ({ candle, market }) => formatLots(market, candle.volume)),
    numberColumn('quote_volume', ({ candle }) => formatAmount(candle.quoteVolume)),
    numberColumn('taker_buy_volume', ({ candle, market }) =>
      formatLots(market, candle.takerBuyVolume),
    ),
    numberColumn('taker_buy_quote_volume', ({ candle }) =>
      formatAmount(candle.takerBuyQuoteVolume),
    ),
    integerColumn('trade_count', ({ candle }) => candle.tradeCount),
  ],
  onConflict: `(market_id, kline_interval, open_time) DO UPDATE SET
    high = greatest(row.high, excluded.high),
    low = least(row.low, excluded.low),
    close = excluded.close,
    ${sums.join(', ')}`,
});

export const futuresKlinesProjection: Projection = {
  name: 'futures_klines',
  async project(batch, { statements, directory }) {
    const candles = foldCandles(
      batch
        .eventsOf('futuresTradeExecuted')
        .filter(({ event: { trade } }) => !trade.isOffBook)
        .map(({ event: { trade }, outcome }) => ({
          marketId: trade.marketId,
          timestamp: outcome.timestamp,
          price: trade.price,
          quantity: trade.quantity,
          quoteAmount: trade.quoteAmount,
          isTakerBuyer: trade.takerSide === 'buy',
        })),
    );
    if (candles.length === 0) return 0;
    const rows = candles.map((candle) => ({
      candle,
      market: directory.getFuturesMarket(candle.marketId as FuturesMarketId),
    }));
    await statements.run(klines.statement(rows));
    return rows.length;
  },
};

// A candle's sum can exceed the maximum quantity of an order.
function formatLots(market: StoredFuturesMarket, lots: bigint): string {
  return formatDecimal((lots * market.lotSize) as Decimal);
}
