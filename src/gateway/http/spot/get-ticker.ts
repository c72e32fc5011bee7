import { Type } from 'typebox';
import {
  listSpotTickers,
  loadSpotTicker,
  type SpotTickerPorts,
} from '../../../application/market-data/load-spot-ticker.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { byMarket } from '../market-weight.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { symbolText } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

const tickerSchema = strictObject(
  {
    symbol: symbolText,
    last_price: decimalText('The price of the last trade', '64000.5'),
    open_price: decimalText('The first price within the 24 hours', '63000'),
    high_price: decimalText('The highest price', '64500'),
    low_price: decimalText('The lowest price', '62900'),
    price_change: decimalText('last_price minus open_price', '1000.5'),
    price_change_percent: decimalText('The same in percent of open_price', '1.58'),
    volume: decimalText('Volume in the base token', '12.5'),
    quote_volume: decimalText('Volume in the quote token', '800000'),
    trade_count: Type.Integer({ description: 'The number of trades', examples: [1042] }),
    best_bid: nullable(decimalText('The highest bid; null without bids', '64000')),
    best_ask: nullable(decimalText('The lowest ask; null without asks', '64001')),
    open_time: timeText('Start of the 24 hours'),
    close_time: timeText('End of the window'),
  },
  { title: 'SpotTicker', description: 'The last 24 hours of a market' },
);

/** Statistics of the last 24 hours for one market, or for all that have traded. */
export function getTicker(ports: SpotTickerPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/ticker/24hr',
    tag: 'Spot market data',
    summary: 'Get 24-hour statistics',
    description:
      'The last 24 hours of a market and its best prices. A market that never traded is ' +
      'TICKER_NOT_FOUND. Without a symbol: an array of all markets that have traded.',
    weight: 40,
    weighs: byMarket(5, 40),
    auth: anyone,
    query: strictObject({ symbol: Type.Optional(symbolText) }),
    answer: Type.Union([tickerSchema, Type.Array(tickerSchema)]),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: [...marketRefusals, 'ticker_not_found'],
    handle: async ({ query }) =>
      query.symbol === undefined
        ? done(await listSpotTickers(ports))
        : loadSpotTicker(ports, query.symbol),
  });
}
