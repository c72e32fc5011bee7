import { Type } from 'typebox';
import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listAccountOrders } from '../../../application/futures/list-account-history.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { oneOf, strictObject } from '../schema.ts';
import { orderSchema, pageSchema } from './derivative-schemas.ts';
import {
  historyFields,
  historyWeight,
  historyWeightMax,
  readHistoryQuery,
} from './history-query.ts';

/** The orders by which the exchange closed the caller's positions. */
export function listLiquidations(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/liquidations',
    tag: 'Derivatives account',
    summary: 'List liquidations',
    description:
      "The orders with which the exchange closed the caller's positions, newest first: in " +
      'liquidation, or in auto-deleveraging against the liquidation of others.',
    weight: historyWeightMax,
    weighs: historyWeight,
    auth: accountReads,
    query: strictObject({
      ...historyFields,
      origin: Type.Optional(
        oneOf(['liquidation', 'auto_deleveraging'], {
          description: 'Only orders of this kind; absent: both',
          examples: ['liquidation'],
        }),
      ),
    }),
    answer: pageSchema(orderSchema, 'The orders'),
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const request = readHistoryQuery(caller.address, query);
      if (request.kind === 'refused') return request;
      const forcedBy = query.origin ?? 'any';
      const page = await listAccountOrders(ports, { ...request.value, statuses: null, forcedBy });
      if (page.kind === 'refused') return page;
      const { items, total, nextCursor } = page.value;
      return done({ items, total, next_cursor: nextCursor });
    },
  });
}
