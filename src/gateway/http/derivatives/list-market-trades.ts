import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listFuturesTrades } from '../../../application/futures/read-markets.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, strictObject, timeText } from '../schema.ts';
import { listLimit, listLimitDefault, marketParams, sideText } from './derivative-schemas.ts';

/** The last trades of a perpetual market. */
export function listMarketTrades(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets/:symbol/trades',
    tag: 'Derivatives market data',
    summary: "List a perpetual market's trades",
    description: 'The newest trades, newest first.',
    weight: 5,
    auth: anyone,
    params: marketParams,
    query: strictObject({ limit: listLimit }),
    answer: Type.Array(
      strictObject({
        trade_id: Type.Integer({ description: 'The id of the trade', examples: [1042] }),
        price: decimalText('The price of the trade', '64000'),
        quantity: decimalText('In the base asset', '0.1'),
        quote_quantity: decimalText('In USDT', '6400'),
        side: sideText,
        created_at: timeText('When the orders met'),
      }),
      { description: "The trades; side is the taker's" },
    ),
    reasons: marketRefusals,
    handle: ({ params, query }) =>
      listFuturesTrades(ports, params.symbol, query.limit ?? listLimitDefault),
  });
}
