import { cancelFuturesOrder } from '../../../application/futures/enter-futures-order.ts';
import { type FuturesPorts, readAccount } from '../../../application/futures/futures-ports.ts';
import { submitUntilDone } from '../../../application/submit-until-done.ts';
import { openAccount } from '../../../application/trading/open-account.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { OrderNumber } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, accountTrades, type Endpoint, namedError } from '../endpoint.ts';
import {
  badSymbol,
  cancelRejected,
  failed,
  noSuchOrder,
  optionalMarket,
  readWindow,
  requireMarket,
} from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import { listOrders, placeFields } from './order-endpoints.ts';
import {
  findAnyOrder,
  findLiveOrder,
  placeOrder,
  readReference,
  requireReference,
} from './order-entry.ts';
import { algoObject, isTriggerOrder } from './order-object.ts';
import { bySymbol } from './request-weights.ts';

// Conditional orders are the same orders as the trigger orders of /fapi/v1/order; here they appear
// as Binance's algo orders, with their number as algoId.

const referenceFields = {
  algoId: 'The order’s number',
  clientAlgoId: 'The client order id, if the number is absent',
} as const;
const listLimitDefault = 500;
const listLimitMax = 1_000;

export function algoEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  const path = '/fapi/v1/algoOrder';
  return [
    accountEndpoint(accountTrades, {
      method: 'POST',
      path,
      summary: 'Place a conditional order',
      weight: 0,
      isOrderEntry: true,
      fields: {
        ...placeFields,
        algoType: 'CONDITIONAL',
        triggerPrice: 'The trigger',
        clientAlgoId: placeFields.newClientOrderId,
        goodTillDate: 'With timeInForce GTD: milliseconds since 1970, more than 600 seconds ahead',
      },
      answers: 'The algo order',
      handle: (fields, { address }) => placeOrder(ports, address, fields, { isAlgo: true }),
    }),
    cancelAlgo(ports, path),
    getAlgo(ports, path),
    openAlgos(ports, '/fapi/v1/openAlgoOrders'),
    // One client requests the list under the path of the cancel-all.
    openAlgos(ports, '/fapi/v1/algoOpenOrders'),
    allAlgos(ports),
    cancelAllAlgos(ports),
  ];
}

function cancelAlgo(ports: FuturesPorts, path: string): Endpoint {
  return accountEndpoint(accountTrades, {
    method: 'DELETE',
    path,
    summary: 'Cancel a conditional order',
    weight: 1,
    fields: referenceFields,
    answers: 'algoId, clientAlgoId, code "200" and msg',
    handle: async (fields, { address }) => {
      requireReference(fields);
      const reference = readReference(fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      const order = findLiveOrder(ports, address, null, reference);
      if (order === null || !isTriggerOrder(order)) return namedError(cancelRejected);
      const canceled = await cancelFuturesOrder(ports, address, order.orderNumber);
      if (canceled.kind === 'refused') return namedError(cancelRejected);
      const { algoId, clientAlgoId } = algoObject(marketOf(ports, order), canceled.value);
      return done({ algoId, clientAlgoId, code: '200', msg: 'success' });
    },
  });
}

function getAlgo(ports: FuturesPorts, path: string): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path,
    summary: 'A conditional order',
    weight: 1,
    fields: referenceFields,
    answers: 'The algo order',
    handle: async (fields, { address }) => {
      requireReference(fields);
      const reference = readReference(fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      const order = await findAnyOrder(ports, address, null, reference);
      if (order === null || !isTriggerOrder(order)) return namedError(noSuchOrder);
      return done(algoObject(marketOf(ports, order), order));
    },
  });
}

function openAlgos(ports: FuturesPorts, path: string): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path,
    summary: 'Open conditional orders',
    weight: 40,
    weighs: bySymbol(1, 40),
    fields: { algoType: 'CONDITIONAL', symbol: 'Absent: all markets', algoId: 'Only this one' },
    answers: 'Algo orders that wait',
    handle: async (fields, { address }) => {
      const market = optionalMarket(ports, fields);
      fields.member('algoType', { CONDITIONAL: true });
      const algoId = fields.integer('algoId', 1);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === undefined) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        if (accountId === null) return done([]);
        const orders = futures.listOpenFuturesOrders(accountId, market?.marketId ?? null);
        return done(
          orders
            .filter((order) => isTriggerOrder(order) && order.triggeredAt === null)
            .filter(({ orderNumber }) => algoId === null || orderNumber === algoId)
            .map((order) => algoObject(futures.getFuturesMarket(order.marketId), order)),
        );
      });
    },
  });
}

function allAlgos(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/allAlgoOrders',
    summary: 'All conditional orders',
    weight: 5,
    fields: {
      symbol: placeFields.symbol,
      algoId: 'This order and later ones',
      startTime: 'Milliseconds',
      endTime: 'At most 7 days after startTime',
      limit: `${listLimitDefault}, at most ${listLimitMax}`,
    },
    answers: 'Algo orders, oldest first',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const from = fields.integer('algoId', 1) as OrderNumber | null;
      const window = readWindow(fields, ports.now());
      const limit = fields.limit(listLimitDefault, listLimitMax);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const listing = { market: market.marketId, from, limit, window, isTrigger: true };
      const orders = await listOrders(ports, address, listing);
      return done(orders.map((order) => algoObject(market, order)));
    },
  });
}

function cancelAllAlgos(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountTrades, {
    method: 'DELETE',
    path: '/fapi/v1/algoOpenOrders',
    summary: 'Cancel conditional orders',
    weight: 1,
    fields: { symbol: placeFields.symbol },
    answers: 'code 200',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const accountId = await openAccount(ports.exchange, address);
      const { marketId } = market;
      const type = 'cancelAllFuturesOrders';
      const command = { type, accountId, marketId, kind: 'algo' } as const;
      const ended = await submitUntilDone(ports.exchange, command);
      if (ended.kind === 'refused') return ended;
      return done({ code: 200, msg: 'The operation of cancel all open order is done.' });
    },
  });
}

function marketOf(
  { exchange }: FuturesPorts,
  { marketId }: { readonly marketId: FuturesMarket['marketId'] },
): FuturesMarket {
  return exchange.peek(({ futures }) => futures.getFuturesMarket(marketId));
}
