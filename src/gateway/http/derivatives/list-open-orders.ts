import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listOpenFuturesOrders } from '../../../application/futures/list-account-history.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { byMarket } from '../market-weight.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { optionalSymbol, orderSchema } from './derivative-schemas.ts';

/** The caller's live orders. */
export function listOpenOrders(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/orders/open',
    tag: 'Derivatives account',
    summary: 'List open orders',
    description: 'Resting orders and waiting trigger orders, oldest first.',
    weight: 40,
    weighs: byMarket(1, 40),
    auth: accountReads,
    query: strictObject({ symbol: optionalSymbol }),
    answer: Type.Array(orderSchema, { description: 'The orders' }),
    reasons: marketRefusals,
    handle: ({ caller, query }) =>
      listOpenFuturesOrders(ports, caller.address, query.symbol ?? null),
  });
}
