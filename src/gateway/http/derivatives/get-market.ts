import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { getFuturesMarket } from '../../../application/futures/read-markets.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { marketParams, marketSchema } from './derivative-schemas.ts';

/** One perpetual market. */
export function getMarket(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets/:symbol',
    tag: 'Derivatives market data',
    summary: 'Get a perpetual market',
    description: 'Terms, prices and funding of one market.',
    weight: 1,
    auth: anyone,
    params: marketParams,
    answer: marketSchema,
    reasons: marketRefusals,
    handle: ({ params }) => getFuturesMarket(ports, params.symbol),
  });
}
