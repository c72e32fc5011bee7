import { type FuturesPorts, readAccount } from '../../../application/futures/futures-ports.ts';
import { clientOrderIdOf } from '../../../application/futures/order-names.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import type { FuturesMarket, FuturesMarketId } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { OrderNumber } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import {
  type Answer,
  accountReads,
  accountTrades,
  type Endpoint,
  namedError,
} from '../endpoint.ts';
import type { FapiPorts } from './dialect/fapi-dialect.ts';
import {
  badSymbol,
  failed,
  fromIdOn,
  noSuchOrder,
  optionalMarket,
  readWindow,
  requireMarket,
  type Window,
} from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import {
  amendOrder,
  cancelOrder,
  findAnyOrder,
  findLiveOrder,
  isElsewhere,
  type OrderReference,
  placeOrder,
  readReference,
  requireReference,
} from './order-entry.ts';
import { orderObject } from './order-object.ts';
import { bySymbol } from './request-weights.ts';

export const placeFields = {
  symbol: 'The market, for example BTCUSDT',
  side: 'BUY or SELL',
  type: 'LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET, TRAILING_STOP_MARKET',
  positionSide: 'BOTH',
  timeInForce: 'GTC, IOC, FOK or GTX',
  quantity: 'In the base asset; rounded down to the lot',
  price: 'For LIMIT, STOP and TAKE_PROFIT; not with priceMatch',
  priceMatch:
    'Takes the price from the book: OPPONENT, QUEUE (the best price of the opposite or the ' +
    'same side), or with _5, _10 or _20 the price of that level; for LIMIT, and for STOP ' +
    'and TAKE_PROFIT when they trigger',
  reduceOnly: 'The order can only reduce the position; true or false',
  newClientOrderId: 'At most 36 characters of A-Z a-z 0-9 . : / _ -',
  stopPrice: 'The trigger price of STOP and TAKE_PROFIT types',
  closePosition: 'STOP_MARKET and TAKE_PROFIT_MARKET: closes the whole position',
  activationPrice: 'The activation price of a trailing stop',
  callbackRate: 'The callback rate of a trailing stop, in percent: 0.1 to 5',
  workingType: 'CONTRACT_PRICE or MARK_PRICE',
  priceProtect: 'Whether the trigger waits for last and mark price to agree',
  newOrderRespType: 'ACK or RESULT',
  selfTradePreventionMode: 'EXPIRE_TAKER, EXPIRE_MAKER or EXPIRE_BOTH',
} as const;
const referenceFields = {
  symbol: placeFields.symbol,
  orderId: 'The order’s number',
  origClientOrderId: 'The client order id, if the number is absent',
} as const;
const listLimitDefault = 500;
const listLimitMax = 1_000;
const amendmentsDefault = 50;
const amendmentsMax = 100;
const order = 'The order';

/** Endpoints that place, amend, cancel and read single orders. */
export function orderEndpoints(ports: FapiPorts): readonly Endpoint[] {
  const path = '/fapi/v1/order';
  return [
    accountEndpoint(accountTrades, {
      method: 'POST',
      path,
      summary: 'Place an order',
      weight: 0,
      isOrderEntry: true,
      fields: placeFields,
      answers: order,
      hasPlainAnswer: true,
      handle: (fields, { address }) => placeOrder(ports, address, fields, { isAlgo: false }),
    }),
    accountEndpoint(accountTrades, {
      method: 'POST',
      path: `${path}/test`,
      summary: 'Check an order without placing it',
      weight: 1,
      fields: placeFields,
      answers: 'An empty object',
      handle: (fields, { address }) =>
        placeOrder(ports, address, fields, { isAlgo: false, isTest: true }),
    }),
    accountEndpoint(accountTrades, {
      method: 'PUT',
      path,
      summary: 'Modify an order',
      weight: 0,
      isOrderEntry: true,
      description: 'Changes price and quantity of a resting LIMIT order under the same orderId.',
      fields: {
        ...referenceFields,
        side: 'Must match the order; absent: unchanged',
        quantity: placeFields.quantity,
        price: 'The new price; not with priceMatch',
        priceMatch: 'The price is taken from the book, as if the order were placed again',
        reduceOnly: 'Must match the order; absent: unchanged',
        modifyId: 'A number chosen by the client, returned in the response',
      },
      answers: order,
      errorRows: { order_not_found: noSuchOrder, order_not_amendable: noSuchOrder },
      handle: (fields, { address }) => amendOrder(ports, address, fields),
    }),
    accountEndpoint(accountTrades, {
      method: 'DELETE',
      path,
      summary: 'Cancel an order',
      weight: 1,
      description: 'Trigger orders attached to an order that has not traded are canceled with it.',
      fields: referenceFields,
      answers: order,
      handle: (fields, { address }) => cancelOrder(ports, address, fields),
    }),
    anyOrder(ports),
    amendments(ports),
    openOrder(ports),
    openOrders(ports),
    allOrders(ports),
  ];
}

function anyOrder(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/order',
    summary: 'An order',
    weight: 1,
    fields: referenceFields,
    answers: order,
    handle: (fields, { address }) =>
      showOrder(ports, fields, (market, reference) =>
        findAnyOrder(ports, address, market, reference),
      ),
  });
}

/** Answers with the order that a request names, if it is one of the ordinary orders. */
async function showOrder(
  ports: FapiPorts,
  fields: FapiFields,
  find: (market: FuturesMarket, reference: OrderReference) => Promise<FuturesOrder | null>,
): Promise<Answer<unknown>> {
  const market = requireMarket(ports, fields);
  requireReference(fields);
  const reference = readReference(fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (market === null) return badSymbol;
  const found = await find(market, reference);
  return found === null || isElsewhere(ports, found)
    ? namedError(noSuchOrder)
    : done(orderObject(market, found));
}

function amendments(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/orderAmendment',
    summary: 'An order’s amendments',
    weight: 1,
    answers: 'The amendments, oldest first',
    fields: {
      ...referenceFields,
      startTime: 'Milliseconds',
      endTime: 'Milliseconds',
      limit: `${amendmentsDefault}, at most ${amendmentsMax}`,
    },
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      requireReference(fields);
      const reference = readReference(fields);
      const startTime = fields.time('startTime');
      const endTime = fields.time('endTime');
      const limit = fields.limit(amendmentsDefault, amendmentsMax);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const found = await findAnyOrder(ports, address, market, reference);
      if (found === null || isElsewhere(ports, found)) return namedError(noSuchOrder);
      await waitForDatabase(ports);
      const order = startTime === null ? 'newest_first' : 'oldest_first';
      const filter = { orderNumber: found.orderNumber, startTime, endTime, limit, order } as const;
      const amended = await ports.futuresHistory.listAmendments(filter);
      const { symbol } = market;
      return done(
        amended.map((each) => ({
          amendmentId: each.id,
          symbol,
          pair: symbol,
          orderId: found.orderNumber,
          clientOrderId: clientOrderIdOf(found),
          time: each.createdAt,
          ...(each.modifyId === null ? {} : { modifyId: each.modifyId }),
          amendment: {
            price: { before: each.priceBefore, after: each.priceAfter },
            origQty: { before: each.quantityBefore, after: each.quantityAfter },
            count: each.count,
          },
        })),
      );
    },
  });
}

function openOrder(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/openOrder',
    summary: 'An open order',
    weight: 1,
    fields: referenceFields,
    answers: order,
    handle: (fields, { address }) =>
      showOrder(ports, fields, async (market, reference) => {
        await ports.exchange.read(({ sequence }) => sequence);
        return findLiveOrder(ports, address, market, reference);
      }),
  });
}

function openOrders(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/openOrders',
    summary: 'Open orders',
    weight: 40,
    weighs: bySymbol(1, 40),
    fields: { symbol: 'Absent: all markets' },
    answers: 'Resting and waiting orders',
    handle: async (fields, { address }) => {
      const market = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === undefined) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        if (accountId === null) return done([]);
        const all = futures.listOpenFuturesOrders(accountId, market?.marketId ?? null);
        const orders = shownOrders(ports, all);
        return done(
          orders.map((each) => orderObject(futures.getFuturesMarket(each.marketId), each)),
        );
      });
    },
  });
}

function allOrders(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/allOrders',
    summary: 'All orders',
    weight: 5,
    fields: {
      symbol: placeFields.symbol,
      orderId: 'This order and later ones',
      startTime: 'Milliseconds',
      endTime: 'At most 7 days after startTime',
      limit: `${listLimitDefault}, at most ${listLimitMax}`,
    },
    answers: 'Orders, oldest first',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const from = fields.integer('orderId', 1) as OrderNumber | null;
      const window = readWindow(fields, ports.now());
      const limit = fields.limit(listLimitDefault, listLimitMax);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const items = await listOrders(ports, address, {
        market: market.marketId,
        from,
        limit,
        window,
        isTrigger: null,
      });
      return done(shownOrders(ports, items).map((each) => orderObject(market, each)));
    },
  });
}

/**
 * The orders to list: all, or without those that wait for a trigger price, which are left to the
 * algo endpoints.
 */
function shownOrders<Order extends FuturesOrder>(
  ports: FapiPorts,
  orders: readonly Order[],
): readonly Order[] {
  return orders.filter((order) => !isElsewhere(ports, order));
}

export interface OrderListing {
  readonly market: FuturesMarketId;
  readonly from: OrderNumber | null;
  readonly limit: number;
  readonly window: Window;
  readonly isTrigger: boolean | null;
}

/** The caller's orders, oldest first: from an order or a time on, or the newest of a window. */
export async function listOrders(
  ports: FuturesPorts,
  address: Parameters<typeof readAccount>[1],
  { market, from, limit, window, isTrigger }: OrderListing,
) {
  const accountId = await readAccount(ports, address, (_view, found) => found);
  if (accountId === null) return [];
  await waitForDatabase(ports);
  const span = from === null ? window : fromIdOn;
  const page = await ports.futuresHistory.listOrders({
    accountId,
    marketId: market,
    statuses: null,
    isTrigger,
    forcedBy: null,
    from,
    limit,
    ...span,
    cursor: null,
    offset: 0,
  });
  return span.order === 'newest_first' ? [...page.items].reverse() : page.items;
}
