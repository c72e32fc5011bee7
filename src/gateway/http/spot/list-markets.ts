import { Type } from 'typebox';
import { listSpotMarkets } from '../../../application/market-data/list-spot-markets.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { marketSchema } from './market-schema.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** All spot markets. */
export function listMarkets({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/markets',
    tag: 'Spot market data',
    summary: 'List markets',
    description: 'All spot markets in order of creation, including delisted ones.',
    weight: 1,
    auth: anyone,
    answer: strictObject({ items: Type.Array(marketSchema, { description: 'The markets' }) }),
    errorRows: engineUnavailableIsDatabaseError,
    handle: async () => done({ items: await listSpotMarkets(exchange) }),
  });
}
