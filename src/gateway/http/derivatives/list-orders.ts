import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listAccountOrders } from '../../../application/futures/list-account-history.ts';
import { futuresOrderStatuses } from '../../../domain/futures-order.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { orderSchema, orderStatusText, pageSchema } from './derivative-schemas.ts';
import {
  historyFields,
  historyWeight,
  historyWeightMax,
  readHistoryQuery,
} from './history-query.ts';

/** The caller's orders, live and finished; both paths return the same. */
export function listOrders(
  ports: FuturesReadPorts,
  path: '/api/v1/orders' | '/api/v1/account/orders',
): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Derivatives account',
    summary: `List orders (${path.slice('/api/v1'.length)})`,
    description: 'Live and finished orders, including trigger orders, newest first.',
    weight: historyWeightMax,
    weighs: historyWeight,
    auth: accountReads,
    query: strictObject({ ...historyFields, status: Type.Optional(orderStatusText) }),
    answer: pageSchema(orderSchema, 'The orders'),
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const request = readHistoryQuery(caller.address, query);
      if (request.kind === 'refused') return request;
      const status = futuresOrderStatuses.find((known) => known.toUpperCase() === query.status);
      const statuses = status === undefined ? null : [status];
      const page = await listAccountOrders(ports, { ...request.value, statuses });
      if (page.kind === 'refused') return page;
      const { items, total, nextCursor } = page.value;
      return done({ items, total, next_cursor: nextCursor });
    },
  });
}
