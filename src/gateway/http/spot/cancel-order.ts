import { cancelSpotOrder } from '../../../application/trading/cancel-spot-order.ts';
import type { SpotTradingPorts } from '../../../application/trading/place-spot-order.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { spotErrors } from '../../errors/plain-errors.ts';
import { accountTrades, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { orderIdText, orderSchema } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** Cancels one resting order of the caller. */
export function cancelOrder(ports: SpotTradingPorts): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/v1/spot/orders/:id',
    tag: 'Spot trading',
    summary: 'Cancel an order',
    description:
      'Cancels a resting order and returns it in its final state. A live order of another ' +
      'account is FORBIDDEN; a finished one of any account is ORDER_NOT_FOUND. While the ' +
      'engine is busy or restarting the response is DB_ERROR and nothing is canceled.',
    weight: 1,
    auth: accountTrades,
    params: strictObject({ id: orderIdText }),
    answer: orderSchema,
    errorRows: engineUnavailableIsDatabaseError,
    namedRows: [spotErrors.invalidId],
    reasons: ['spot_trading_disabled', 'order_not_found', 'order_not_owned'],
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return namedError(spotErrors.invalidId);
      return cancelSpotOrder(ports, caller.address, params.id);
    },
  });
}
