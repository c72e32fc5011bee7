import { Type } from 'typebox';
import { listSpotKlines } from '../../../application/market-data/list-spot-klines.ts';
import type { KlineView } from '../../../application/market-data/market-views.ts';
import type { SpotHistoryPorts } from '../../../application/trading/load-spot-order.ts';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readTimeRange, timeInput } from '../read-time.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, oneOf, strictObject, timeText } from '../schema.ts';
import { listLimit, listLimitDefault, symbolText } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

const klineSchema = strictObject(
  {
    open_time: timeText('Start of the candle'),
    close_time: timeText('The last millisecond of it'),
    open: decimalText('The first price', '63000'),
    high: decimalText('The highest price', '64500'),
    low: decimalText('The lowest price', '62900'),
    close: decimalText('The last price', '64000'),
    volume: decimalText('Volume in the base token', '12.5'),
    quote_volume: decimalText('Volume in the quote token', '800000'),
    trade_count: Type.Integer({ description: 'The number of trades', examples: [1042] }),
  },
  { title: 'SpotCandle', description: 'A candle' },
);

/** The candles of a market. */
export function listKlines(ports: SpotHistoryPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/klines',
    tag: 'Spot market data',
    summary: 'List candles',
    description:
      'The candles of a market, oldest first. Without start_time: the last ones up to end_time.',
    weight: 5,
    auth: anyone,
    query: strictObject({
      symbol: symbolText,
      interval: oneOf(klineIntervals, { description: 'The candle interval' }),
      start_time: timeInput('Candles that begin at this time or later'),
      end_time: timeInput('Candles that begin at this time or earlier'),
      limit: listLimit,
    }),
    answer: strictObject({ items: Type.Array(klineSchema, { description: 'The candles' }) }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ query }) => {
      const range = readTimeRange(query);
      if (range.kind === 'refused') return range;
      const klines = await listSpotKlines(ports, {
        symbol: query.symbol,
        interval: query.interval,
        ...range.value,
        limit: query.limit ?? listLimitDefault,
      });
      return klines.kind === 'refused' ? klines : done({ items: klines.value.map(withTimes) });
    },
  });
}

function withTimes(kline: KlineView) {
  return {
    ...kline,
    open_time: new Date(kline.open_time).toISOString(),
    close_time: new Date(kline.close_time).toISOString(),
  };
}
