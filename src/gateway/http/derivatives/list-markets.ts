import { Type } from 'typebox';
import type { DerivativePorts } from '../../../application/derivatives/derivative-ports.ts';
import { listFuturesMarkets } from '../../../application/derivatives/read-markets.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketSchema } from './derivative-schemas.ts';

/** Every perpetual market with its prices. */
export function listMarkets(ports: DerivativePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets',
    tag: 'Derivatives market data',
    summary: 'List perpetual markets',
    description:
      'Every perpetual market, including delisted ones, with its terms, prices and funding.',
    weight: 1,
    auth: anyone,
    answer: Type.Array(marketSchema, { description: 'The markets in order of creation' }),
    handle: async () => done(await listFuturesMarkets(ports)),
  });
}
