import { Type } from 'typebox';
import {
  type CancelAllPorts,
  cancelAllSpotOrders,
} from '../../../application/trading/cancel-all-spot-orders.ts';
import { accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { optionalSymbol, orderIdText } from './spot-schemas.ts';
import { engineUnavailableIsDatabaseError } from './unavailable-rows.ts';

/** Cancels the caller's resting orders in one market or in all. */
export function cancelAllOrders(ports: CancelAllPorts): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/v1/spot/orders',
    tag: 'Spot trading',
    summary: 'Cancel all orders',
    description:
      "Cancels the caller's resting orders and returns their ids. An overloaded engine " +
      'returns an empty or incomplete list, as if there were no others: check the open ' +
      'orders to be sure.',
    weight: 1,
    auth: accountTrades,
    query: strictObject({ symbol: optionalSymbol }),
    answer: strictObject({
      canceled: Type.Array(orderIdText, { description: 'The ids of the canceled orders' }),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['spot_trading_disabled', 'market_not_found'],
    handle: ({ caller, query }) => cancelAllSpotOrders(ports, caller.address, query.symbol ?? null),
  });
}
