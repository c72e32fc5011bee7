import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import type { MarketStatistics } from '../../../application/futures/market-statistics.ts';
import { listFuturesKlines, listPriceKlines } from '../../../application/futures/read-markets.ts';
import type { FuturesKline } from '../../../application/ports/futures-history.ts';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readTimeRange, timeInput } from '../read-time.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, oneOf, strictObject, timeText } from '../schema.ts';
import { listLimit, listLimitDefault, marketParams } from './derivative-schemas.ts';

const klineSchema = strictObject(
  {
    open_time: timeText('Start of the candle'),
    close_time: timeText('The last millisecond of the candle'),
    open: decimalText('The first price', '63000'),
    high: decimalText('The highest price', '64500'),
    low: decimalText('The lowest price', '62900'),
    close: decimalText('The last price', '64000'),
    volume: decimalText('Filled quantity, in the base asset', '12.5'),
    quote_volume: decimalText('Volume in USDT', '800000'),
    taker_buy_volume: decimalText('The part that takers bought', '6.5'),
    taker_buy_quote_volume: decimalText('The USDT that takers paid', '416000'),
    trade_count: Type.Integer({ description: 'The number of trades', examples: [1042] }),
  },
  { title: 'PerpetualCandle' },
);

/** The candles of a perpetual market. */
export function listMarketKlines(
  ports: FuturesReadPorts & { readonly marketStatistics: MarketStatistics },
): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets/:symbol/klines',
    tag: 'Derivatives market data',
    summary: "List a perpetual market's candles",
    description:
      'Oldest first. Without start_time: the last ones up to end_time. Candles of the mark ' +
      'or index price have no volume and no trades, and are missing while the price was not ' +
      'computed.',
    weight: 5,
    auth: anyone,
    params: marketParams,
    query: strictObject({
      interval: oneOf(klineIntervals, { description: 'The candle interval' }),
      price: Type.Optional(
        oneOf(['last', 'mark', 'index'], {
          description: 'Candles of trades, of the mark price or of the index price',
          default: 'last',
        }),
      ),
      start_time: timeInput('Candles that begin at this time or later'),
      end_time: timeInput('Candles that begin at this time or earlier'),
      limit: listLimit,
    }),
    answer: Type.Array(klineSchema, { description: 'The candles' }),
    reasons: marketRefusals,
    handle: async ({ params, query }) => {
      const range = readTimeRange(query);
      if (range.kind === 'refused') return range;
      const filter = {
        symbol: params.symbol,
        interval: query.interval,
        ...range.value,
        limit: query.limit ?? listLimitDefault,
      };
      const { price = 'last' } = query;
      const klines =
        price === 'last'
          ? await listFuturesKlines(ports, filter)
          : await listPriceKlines(ports, { ...filter, kind: price });
      return klines.kind === 'refused' ? klines : done(klines.value.map(viewKline));
    },
  });
}

function viewKline(kline: FuturesKline) {
  return {
    open_time: new Date(kline.openTime).toISOString(),
    close_time: new Date(kline.closeTime).toISOString(),
    open: kline.open,
    high: kline.high,
    low: kline.low,
    close: kline.close,
    volume: kline.volume,
    quote_volume: kline.quoteVolume,
    taker_buy_volume: kline.takerBuyVolume,
    taker_buy_quote_volume: kline.takerBuyQuoteVolume,
    trade_count: kline.tradeCount,
  };
}
