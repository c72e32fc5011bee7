import { Type } from 'typebox';
import { listRecentSpotTrades } from '../../../application/market-data/list-recent-spot-trades.ts';
import type { SpotHistoryPorts } from '../../../application/trading/load-spot-order.ts';
import { done } from '../../../domain/outcome.ts';
import { sides } from '../../../domain/spot-order.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, oneOf, strictObject, timeText } from '../schema.ts';
import { listLimit, listLimitDefault, symbolText } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The newest trades of a market. */
export function listRecentTrades(ports: SpotHistoryPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/trades/recent',
    tag: 'Spot market data',
    summary: "List a market's newest trades",
    description: 'The newest trades of a market, newest first.',
    weight: 5,
    auth: anyone,
    query: strictObject({ symbol: symbolText, limit: listLimit }),
    answer: strictObject({
      items: Type.Array(
        strictObject({
          trade_id: Type.String({ description: 'The id of the trade', examples: ['1042'] }),
          price: decimalText('The price of the trade', '64000'),
          quantity: decimalText('Volume in the base token', '0.1'),
          quote_quantity: decimalText('Volume in the quote token', '6400'),
          side: oneOf(sides, { description: 'The side of the arriving order' }),
          created_at: timeText('When the orders met'),
        }),
        { description: 'The trades' },
      ),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ query }) => {
      const limit = query.limit ?? listLimitDefault;
      const trades = await listRecentSpotTrades(ports, query.symbol, limit);
      return trades.kind === 'refused' ? trades : done({ items: trades.value });
    },
  });
}
