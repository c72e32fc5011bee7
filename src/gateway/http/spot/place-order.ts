import {
  placeSpotOrder,
  type SpotTradingPorts,
} from '../../../application/trading/place-spot-order.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { spotOrderRefusals } from '../refusals.ts';
import { orderBody, readOrder } from './order-body.ts';
import { placedOrderSchema } from './spot-schemas.ts';

/** Places an order; the answer is the order after matching, with its fills, once it is durable. */
export function placeOrder(ports: SpotTradingPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/spot/orders',
    tag: 'Spot trading',
    summary: 'Place an order',
    description:
      'Places a limit or market order and returns it in its state after matching, with its ' +
      'fills, once it is durable. Errors are checked in the order of the error table. A ' +
      'field that does not apply to the kind of order is refused by name.',
    weight: 1,
    isOrderEntry: true,
    auth: accountTrades,
    body: orderBody,
    answer: placedOrderSchema,
    reasons: spotOrderRefusals,
    handle: ({ caller, body, digest }) => {
      const request = readOrder(body);
      if (request.kind === 'refused') return request;
      return placeSpotOrder(ports, caller.address, request.value, digest);
    },
  });
}
