import { Type } from 'typebox';
import { getSpotDepth } from '../../../application/market-data/get-spot-depth.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, strictObject } from '../schema.ts';
import { symbolText } from './spot-schemas.ts';

const levelsDefault = 30;
const levelsMax = 1000;

const levels = (description: string) =>
  Type.Array(
    Type.Array(decimalText('price, then quantity', '64000.5'), { description: 'A level' }),
    {
      description,
      examples: [[['64000.5', '0.25']]],
    },
  );

/** The order book of a market. */
export function getDepth({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/depth',
    tag: 'Spot market data',
    summary: 'Get the order book',
    description: 'The best levels of a market, each price with the quantity resting at it.',
    weight: 5,
    auth: anyone,
    query: strictObject({
      symbol: symbolText,
      limit: Type.Optional(
        Type.Integer({
          description: 'Maximum number of levels per side',
          minimum: 1,
          maximum: levelsMax,
          default: levelsDefault,
        }),
      ),
    }),
    answer: strictObject({
      symbol: symbolText,
      last_update_id: Type.Integer({
        description: 'The number of the last change that is included',
        examples: [1042],
      }),
      bids: levels('Highest first'),
      asks: levels('Lowest first'),
    }),
    reasons: marketRefusals,
    handle: ({ query }) => getSpotDepth(exchange, query.symbol, query.limit ?? levelsDefault),
  });
}
