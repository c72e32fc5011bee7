import { cancelOrder } from '../../../application/futures/cancel-orders.ts';
import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { OrderNumber } from '../../../domain/identifiers.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { orderParams, orderSchema } from './derivative-schemas.ts';

/** Cancels one order. */
export function cancelOrderEndpoint(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/v1/orders/:order_id',
    tag: 'Derivatives trading',
    summary: 'Cancel an order',
    description:
      'Cancels a live order or a waiting trigger order, with its attached take profit and ' +
      'stop loss, and returns it.',
    weight: 1,
    auth: accountTrades,
    params: orderParams,
    answer: orderSchema,
    reasons: ['order_not_found'],
    handle: ({ caller, params }) =>
      cancelOrder(ports, caller.address, params.order_id as OrderNumber),
  });
}
