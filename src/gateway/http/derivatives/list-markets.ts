import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listFuturesMarkets } from '../../../application/futures/read-markets.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketSchema } from './derivative-schemas.ts';

/** Every perpetual market with its prices. */
export function listMarkets(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets',
    tag: 'Derivatives market data',
    summary: 'List perpetual markets',
    description:
      'Every perpetual market, including delisted ones, with its terms, prices and funding.',
    weight: 10,
    auth: anyone,
    answer: Type.Array(marketSchema, { description: 'The markets in order of creation' }),
    handle: async () => done(await listFuturesMarkets(ports)),
  });
}
