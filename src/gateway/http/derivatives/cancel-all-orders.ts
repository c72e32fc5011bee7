import { cancelAllOrders } from '../../../application/futures/cancel-orders.ts';
import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { done } from '../../../domain/outcome.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { canceledSchema, optionalSymbol } from './derivative-schemas.ts';

/** Cancels every live order of the caller. */
export function cancelAllOrdersEndpoint(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/v1/orders',
    tag: 'Derivatives trading',
    summary: 'Cancel all orders',
    description: 'Cancels the live orders, including trigger orders, of one market or of all.',
    weight: 5,
    auth: accountTrades,
    query: strictObject({ symbol: optionalSymbol }),
    answer: canceledSchema,
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const canceled = await cancelAllOrders(ports, caller.address, query.symbol ?? null);
      return canceled.kind === 'refused' ? canceled : done({ canceled: canceled.value });
    },
  });
}
