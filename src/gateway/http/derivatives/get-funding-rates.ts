import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { loadFundingRates } from '../../../application/futures/read-markets.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { listLimit, listLimitDefault, marketParams, symbolText } from './derivative-schemas.ts';

/** Upcoming and past funding of a perpetual market. */
export function getFundingRates(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/funding-rates/:symbol',
    tag: 'Derivatives market data',
    summary: 'Get funding rates',
    description: 'The funding rate as of now, and past funding rates.',
    weight: 5,
    auth: anyone,
    params: marketParams,
    query: strictObject({ limit: listLimit }),
    answer: strictObject({
      symbol: symbolText,
      funding_rate: decimalText('Longs pay shorts if it is positive', '0.0001'),
      last_funding_rate: decimalText('The rate charged at the last full hour', '0.0001'),
      next_funding_time: timeText('The next full UTC hour'),
      mark_price: nullable(decimalText('The price at which positions are valued', '64000.5')),
      index_price: nullable(decimalText('The index price', '64000.5')),
      history: Type.Array(
        strictObject({
          funding_time: timeText('When it was charged'),
          funding_rate: decimalText('The rate that was charged', '0.0001'),
          mark_price: decimalText('The mark price at that time', '64000.5'),
        }),
        { description: 'Newest first' },
      ),
    }),
    reasons: marketRefusals,
    handle: ({ params, query }) =>
      loadFundingRates(ports, params.symbol, query.limit ?? listLimitDefault),
  });
}
