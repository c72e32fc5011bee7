import {
  loadSpotOrder,
  type SpotHistoryPorts,
} from '../../../application/trading/load-spot-order.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { spotErrors } from '../../errors/plain-errors.ts';
import { accountReads, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { orderIdText, orderSchema } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** One order of the caller, running or finished. */
export function getOrder(ports: SpotHistoryPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/orders/:id',
    tag: 'Spot trading',
    summary: 'Get an order',
    description:
      'One order of the caller, live or finished, including everything acknowledged before ' +
      'the request. An order of another account is ORDER_NOT_FOUND.',
    weight: 2,
    auth: accountReads,
    params: strictObject({ id: orderIdText }),
    answer: orderSchema,
    errorRows: engineUnavailableIsDatabaseError,
    namedRows: [spotErrors.invalidId],
    reasons: ['order_not_found'],
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return namedError(spotErrors.invalidId);
      return loadSpotOrder(ports, caller.address, params.id);
    },
  });
}
