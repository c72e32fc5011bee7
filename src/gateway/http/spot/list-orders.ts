import { Type } from 'typebox';
import { listSpotOrders } from '../../../application/trading/list-spot-orders.ts';
import type { SpotHistoryPorts } from '../../../application/trading/load-spot-order.ts';
import { done } from '../../../domain/outcome.ts';
import { spotOrderStatuses } from '../../../domain/spot-order.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { oneOf, strictObject } from '../schema.ts';
import {
  clientOrderIdPattern,
  listLimitDefault,
  optionalSymbol,
  orderListSchema,
  pageFields,
} from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** The caller's orders, running and finished, page by page. */
export function listOrders(ports: SpotHistoryPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/orders',
    tag: 'Spot trading',
    summary: 'List orders',
    description:
      "The caller's orders, live and finished, newest first, including everything " +
      'acknowledged before the request.',
    weight: 40,
    // All orders of other statuses in between are read.
    weighs: ({ status }) => (status === undefined ? 5 : 40),
    auth: accountReads,
    query: strictObject({
      symbol: optionalSymbol,
      status: Type.Optional(oneOf(spotOrderStatuses, { description: 'Only orders in this state' })),
      client_order_id: Type.Optional(
        Type.String({
          pattern: clientOrderIdPattern,
          description:
            'Only orders with this client order id; an id can be used again once its order is ' +
            'finished',
          examples: ['bot-1:42'],
        }),
      ),
      ...pageFields,
    }),
    answer: orderListSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const page = await listSpotOrders(ports, {
        address: caller.address,
        symbol: query.symbol ?? null,
        status: query.status ?? null,
        clientOrderId: query.client_order_id ?? null,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      if (page.kind === 'refused') return page;
      return done({ items: page.value.items, next_cursor: page.value.nextCursor });
    },
  });
}
