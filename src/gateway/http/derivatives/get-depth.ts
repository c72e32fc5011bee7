import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { getFuturesDepth } from '../../../application/futures/read-markets.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { depthSchema, marketParams } from './derivative-schemas.ts';

const levelsDefault = 30;
const levelsMax = 1000;

/** The order book of a perpetual market. */
export function getDepth(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/markets/:symbol/depth',
    tag: 'Derivatives market data',
    summary: "Get a perpetual market's order book",
    description: 'The best levels, each price with the quantity resting at it.',
    weight: 5,
    auth: anyone,
    params: marketParams,
    query: strictObject({
      limit: Type.Optional(
        Type.Integer({
          description: 'Maximum number of levels per side',
          minimum: 1,
          maximum: levelsMax,
          default: levelsDefault,
        }),
      ),
    }),
    answer: depthSchema,
    reasons: marketRefusals,
    handle: ({ params, query }) =>
      getFuturesDepth(ports, params.symbol, query.limit ?? levelsDefault),
  });
}
