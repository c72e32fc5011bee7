import { listSpotTrades } from '../../../application/trading/list-spot-trades.ts';
import type { SpotHistoryPorts } from '../../../application/trading/load-spot-order.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { listLimitDefault, optionalSymbol, pageFields, tradeListSchema } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The caller's trades, page by page. */
export function listTrades(ports: SpotHistoryPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/trades',
    tag: 'Spot trading',
    summary: "List the caller's trades",
    description:
      "The caller's side of each trade, newest first, including everything acknowledged " +
      'before the request.',
    weight: 5,
    auth: accountReads,
    query: strictObject({ symbol: optionalSymbol, ...pageFields }),
    answer: tradeListSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const page = await listSpotTrades(ports, {
        address: caller.address,
        symbol: query.symbol ?? null,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      if (page.kind === 'refused') return page;
      return done({ items: page.value.items, next_cursor: page.value.nextCursor });
    },
  });
}
