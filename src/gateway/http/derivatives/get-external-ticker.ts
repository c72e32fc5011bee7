import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { loadExternalTicker } from '../../../application/futures/read-markets.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { marketParams, symbolText } from './derivative-schemas.ts';

const price = (description: string) => nullable(decimalText(description, '64000.5'));

/** A short summary of a market, for sites that list exchanges. */
export function getExternalTicker(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/external/markets/:symbol/ticker',
    tag: 'Derivatives market data',
    summary: "Get a perpetual market's ticker",
    description: 'Prices, the last 24 hours, open interest and funding in one response.',
    weight: 5,
    auth: anyone,
    params: marketParams,
    answer: strictObject({
      symbol: symbolText,
      last_price: price('The price of the last trade'),
      mark_price: price('The mark price'),
      index_price: price('The index price'),
      best_bid: price('The highest bid'),
      best_ask: price('The lowest ask'),
      open_price: price('The price 24 hours ago'),
      high_price: price('The highest price of 24 hours'),
      low_price: price('The lowest price of 24 hours'),
      price_change: decimalText('The change within 24 hours', '120.5'),
      price_change_percent: decimalText('The change within 24 hours', '1.25'),
      volume: decimalText('Volume of 24 hours in the base asset', '120.5'),
      quote_volume: decimalText('Volume of 24 hours in USDT', '7712000'),
      trade_count: Type.Integer({ description: 'Trades within 24 hours', examples: [1042] }),
      open_interest: decimalText('Sum of all long positions in the base asset', '310.5'),
      funding_rate: decimalText('The next funding rate as of now', '0.0001'),
      next_funding_time: timeText('The next full UTC hour'),
      timestamp: timeText('The time of these values'),
    }),
    reasons: marketRefusals,
    handle: ({ params }) => loadExternalTicker(ports, params.symbol),
  });
}
