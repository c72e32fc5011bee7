import { Type } from 'typebox';
import { cancelAllOrders } from '../../../application/futures/cancel-orders.ts';
import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { listTriggerOrders } from '../../../application/futures/list-account-history.ts';
import { futuresOrderStatuses, priceMatches } from '../../../domain/futures-order.ts';
import { done } from '../../../domain/outcome.ts';
import { upperWord } from '../../../domain/upper-word.ts';
import { accountReads, accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import {
  canceledSchema,
  optionalSymbol,
  orderFields,
  orderStatusText,
  pageSchema,
} from './derivative-schemas.ts';
import {
  historyFields,
  historyWeight,
  historyWeightMax,
  readHistoryQuery,
} from './history-query.ts';

const path = '/api/v1/trigger-orders';

const triggerOrderSchema = strictObject(
  {
    ...orderFields,
    trigger_status: oneOf<string>(
      ['NEW', 'TRIGGERED', 'FINISHED', 'CANCELED', 'REJECTED', 'EXPIRED'],
      {
        description:
          'NEW: waits for its price; TRIGGERED: its order is live; FINISHED: its order has ' +
          'ended; REJECTED: it triggered but no order could be placed',
        examples: ['NEW'],
      },
    ),
    triggered_at: nullable(timeText('When it triggered; null while it waits')),
    activation_price: nullable(decimalText('The activation price of a trailing stop', '65000')),
    callback_rate: nullable(decimalText('The callback rate of a trailing stop, in percent', '1')),
    price_match: oneOf<string>(priceMatches.map(upperWord), {
      description: 'The priceMatch that applies when it triggers; otherwise NONE',
      examples: ['NONE'],
    }),
    price_protect: Type.Boolean({
      description: 'Triggers only while the mark and last prices are close',
    }),
  },
  { title: 'TriggerOrder' },
);

/** Lists and cancels the caller's trigger orders only; a single one is canceled like any order. */
export function triggerOrderEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [listTriggers(ports), cancelTriggers(ports)];
}

function listTriggers(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Derivatives account',
    summary: 'List trigger orders',
    description:
      'Trigger orders, waiting and triggered, newest first. The lists of orders include them ' +
      'too; here they have the fields of their trigger.',
    weight: historyWeightMax,
    weighs: historyWeight,
    auth: accountReads,
    query: strictObject({ ...historyFields, status: Type.Optional(orderStatusText) }),
    answer: pageSchema(triggerOrderSchema, 'The trigger orders'),
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const request = readHistoryQuery(caller.address, query);
      if (request.kind === 'refused') return request;
      const status = futuresOrderStatuses.find((known) => upperWord(known) === query.status);
      const statuses = status === undefined ? null : [status];
      const page = await listTriggerOrders(ports, { ...request.value, statuses });
      if (page.kind === 'refused') return page;
      const { items, total, nextCursor } = page.value;
      return done({ items, total, next_cursor: nextCursor });
    },
  });
}

function cancelTriggers(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path,
    tag: 'Derivatives trading',
    summary: 'Cancel all trigger orders',
    description:
      'Cancels all waiting trigger orders, including attached take profits and stop losses, ' +
      'in one market or in all. Orders in the book stay; DELETE /api/v1/orders/:order_id ' +
      'cancels a single order.',
    weight: 5,
    auth: accountTrades,
    query: strictObject({ symbol: optionalSymbol }),
    answer: canceledSchema,
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const symbol = query.symbol ?? null;
      const canceled = await cancelAllOrders(ports, caller.address, symbol, 'algo');
      return canceled.kind === 'refused' ? canceled : done({ canceled: canceled.value });
    },
  });
}
