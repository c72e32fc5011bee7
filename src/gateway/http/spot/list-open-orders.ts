import type { Exchange } from '../../../application/ports/exchange.ts';
import { listOpenSpotOrders } from '../../../application/trading/list-open-spot-orders.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { byMarket } from '../market-weight.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { optionalSymbol, orderListSchema } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The caller's resting orders, from the engine's live state. */
export function listOpenOrders({ exchange }: { readonly exchange: Exchange }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/orders/open',
    tag: 'Spot trading',
    summary: 'List open orders',
    description: "The caller's resting orders, oldest first, all on one page.",
    weight: 80,
    weighs: byMarket(3, 80),
    auth: accountReads,
    query: strictObject({ symbol: optionalSymbol }),
    answer: orderListSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const orders = await listOpenSpotOrders(exchange, caller.address, query.symbol ?? null);
      if (orders.kind === 'refused') return orders;
      return done({ items: orders.value, next_cursor: null });
    },
  });
}
