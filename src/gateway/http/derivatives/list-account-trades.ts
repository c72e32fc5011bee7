import type { FuturesReadPorts } from '../../../application/futures/futures-ports.ts';
import { listAccountTrades } from '../../../application/futures/list-account-history.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { marketRefusals } from '../refusals.ts';
import { strictObject } from '../schema.ts';
import { ownTradeSchema, pageSchema } from './derivative-schemas.ts';
import {
  historyFields,
  historyWeight,
  historyWeightMax,
  readHistoryQuery,
} from './history-query.ts';

/** The caller's trades. */
export function listTrades(ports: FuturesReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/trades',
    tag: 'Derivatives account',
    summary: 'List trades',
    description: "The caller's trades with fee and realized profit, newest first.",
    weight: historyWeightMax,
    weighs: historyWeight,
    auth: accountReads,
    query: strictObject(historyFields),
    answer: pageSchema(ownTradeSchema, 'The trades'),
    reasons: marketRefusals,
    handle: async ({ caller, query }) => {
      const request = readHistoryQuery(caller.address, query);
      if (request.kind === 'refused') return request;
      const page = await listAccountTrades(ports, request.value);
      if (page.kind === 'refused') return page;
      const { items, total, nextCursor } = page.value;
      return done({ items, total, next_cursor: nextCursor });
    },
  });
}
