import { getSpotMarket } from '../../../application/market-data/get-spot-market.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { marketSchema } from './market-schema.ts';
import { symbolText } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** One spot market. */
export function getMarket({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/markets/:id',
    tag: 'Spot market data',
    summary: 'Get a market',
    description: 'One spot market; a slash in its id is written %2F.',
    weight: 1,
    auth: anyone,
    params: strictObject({ id: symbolText }),
    answer: marketSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: ({ params }) => getSpotMarket(exchange, params.id),
  });
}
