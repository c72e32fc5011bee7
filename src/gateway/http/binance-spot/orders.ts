import {
  type BinanceSpotPorts,
  findSpotMarket,
  readSpotAccount,
} from '../../../application/trading/binance-spot-ports.ts';
import { cancelEnteredOrders } from '../../../application/trading/enter-spot-order.ts';
import type { OrderNumber } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { binanceSpotErrors as errors } from '../../errors/binance-spot-errors.ts';
import type { Reason } from '../../errors/surface.ts';
import { type Endpoint, namedError } from '../endpoint.ts';
import { badSymbol, failed } from '../fapi/fapi-answers.ts';
import { ratesOf } from './commission.ts';
import { listOwn } from './list-own.ts';
import {
  cancelOrder,
  findAnyOrder,
  isAnswer,
  placeParsedOrder,
  readCancel,
  readNewOrder,
  readReference,
} from './order-entry.ts';
import { canceledObject, orderObject } from './order-objects.ts';
import { readSpan } from './read-span.ts';
import { isBelowMinimum } from './read-spot-order.ts';
import * as answers from './reference/spot-account-answers.ts';
import { accountSpot, requireMarket, spotReads, spotTrades } from './spot-endpoint.ts';
import { byMarkets, testWeight } from './spot-weights.ts';

const path = '/api/v3/order';
const symbol = 'The market, for example BTCUSDT; case-sensitive';

export const placeFields = {
  symbol,
  side: 'BUY or SELL',
  type: 'LIMIT, LIMIT_MAKER (never takes) or MARKET',
  timeInForce: 'GTC, IOC or FOK; required for LIMIT',
  quantity: 'In the base asset, a multiple of stepSize',
  quoteOrderQty: 'MARKET only, instead of quantity: the quote amount to spend or to receive',
  price: 'LIMIT and LIMIT_MAKER',
  newClientOrderId: 'The client order ID, unique among your live orders',
  newOrderRespType: 'ACK, RESULT or FULL; absent: FULL for LIMIT and MARKET, otherwise ACK',
  selfTradePreventionMode: 'An order that would trade with another order of its owner is refused',
};

/** Refusals of a new order that have the exchange's own reasons. */
export const placeReasons: readonly Reason[] = [
  'parameter_missing',
  'parameter_not_required',
  'parameter_combination',
  'parameter_unknown_member',
  'market_not_found',
  'market_halted',
  'price_off_tick',
  'quantity_off_lot',
  'amount_out_of_range',
  'below_min_notional',
  'insufficient_balance',
  'duplicate_client_order_id',
  'too_many_orders',
  'post_only_would_cross',
  'self_trade',
];
export const placeRows = [
  errors.invalidSide,
  errors.invalidOrderType,
  errors.invalidTimeInForce,
  errors.timeInForceNotRequired,
  errors.eitherParameter,
  errors.icebergUnsupported,
  errors.stopLossUnsupported,
  errors.stopLossLimitUnsupported,
  errors.takeProfitUnsupported,
  errors.takeProfitLimitUnsupported,
  errors.trailingUnsupported,
];
const referenceFields = {
  symbol,
  orderId: 'The number of the order',
  origClientOrderId: 'Its client order id; one of the two is required',
};
export const restrictions = 'Cancels only an order in this state: ONLY_NEW, ONLY_PARTIALLY_FILLED';
const lookupReasons = ['parameter_missing', 'market_not_found', 'database_failed'] as const;

/** Endpoints that place, cancel and read orders. */
export function orderEndpoints(ports: BinanceSpotPorts): readonly Endpoint[] {
  return [
    place(ports),
    test(ports),
    cancel(ports),
    read(ports),
    openOrders(ports),
    cancelAll(ports),
    allOrders(ports),
  ];
}

function place(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotTrades, {
    method: 'POST',
    path,
    summary: 'Place an order',
    weight: 1,
    isOrderEntry: true,
    description:
      'The same signed request twice within 120 s is one order. ' +
      'For example `symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.25&price=64000`',
    fields: placeFields,
    required: ['symbol', 'side', 'type'],
    answer: answers.placedOrder,
    reasons: placeReasons,
    namedRows: placeRows,
    handle: (fields, { address }) => {
      const order = readNewOrder(ports, fields);
      return isAnswer(order) ? order : placeParsedOrder(ports, address, order, fields.digest);
    },
  });
}

function test(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotTrades, {
    method: 'POST',
    path: `${path}/test`,
    summary: 'Test an order',
    weight: 20,
    description: 'Checks the order’s parameters and its market’s filters, and places nothing.',
    weighs: testWeight,
    fields: { ...placeFields, computeCommissionRates: 'Return the commission rates' },
    required: ['symbol', 'side', 'type'],
    answer: answers.tested,
    reasons: placeReasons,
    namedRows: placeRows,
    handle: (fields) => {
      const order = readNewOrder(ports, fields);
      const isCostAsked = fields.flag('computeCommissionRates') ?? false;
      if (isAnswer(order)) return order;
      const { market, terms } = order;
      if (market.status !== 'listed') return refused({ reason: 'market_halted' });
      if (isBelowMinimum(market, terms)) return refused({ reason: 'below_min_notional' });
      if (!isCostAsked) return done({});
      const { maker, taker } = ratesOf(market);
      return done({
        standardCommissionForOrder: { maker, taker },
        taxCommissionForOrder: { maker: '0', taker: '0' },
        discount: noDiscount,
      });
    },
  });
}

export const noDiscount = {
  enabledForAccount: false,
  enabledForSymbol: false,
  discountAsset: '',
  discount: '0',
} as const;

function cancel(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotTrades, {
    method: 'DELETE',
    path,
    summary: 'Cancel an order',
    weight: 1,
    fields: {
      ...referenceFields,
      newClientOrderId: 'A client id for the cancellation',
      cancelRestrictions: restrictions,
    },
    required: ['symbol'],
    answer: answers.canceledOrder,
    reasons: [...lookupReasons, 'market_halted'],
    namedRows: [
      errors.eitherParameter,
      errors.unknownOrder,
      errors.cancelRestricted,
      errors.invalidCancelRestrictions,
    ],
    handle: (fields, { address }) => {
      const market = requireMarket(ports, fields);
      if (market === null) return failed(fields) ?? badSymbol;
      const reference = readReference(fields);
      if (isAnswer(reference)) return reference;
      const asked = readCancel(ports, fields, reference, 'newClientOrderId');
      return isAnswer(asked) ? asked : cancelOrder(ports, address, market, asked);
    },
  });
}

function read(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path,
    summary: 'An order',
    weight: 4,
    fields: referenceFields,
    required: ['symbol'],
    answer: answers.order,
    reasons: lookupReasons,
    namedRows: [errors.eitherParameter, errors.noSuchOrder],
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      if (market === null) return failed(fields) ?? badSymbol;
      const reference = readReference(fields);
      if (isAnswer(reference)) return reference;
      const order = await findAnyOrder(ports, address, market, reference);
      return order === null ? namedError(errors.noSuchOrder) : done(orderObject(market, order));
    },
  });
}

function openOrders(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path: '/api/v3/openOrders',
    summary: 'Open orders',
    weight: 80,
    weighs: byMarkets(6, 80),
    fields: { symbol: 'Absent: of all markets' },
    answer: answers.orders,
    reasons: ['market_not_found'],
    handle: (fields, { address }) => {
      const name = fields.text('symbol');
      const market = name === null ? null : findSpotMarket(ports, name);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (name !== null && market === null) return badSymbol;
      return readSpotAccount(ports, address, (view, accountId) => {
        if (accountId === null) return done([]);
        const orders = view.listOpenOrders(accountId, market?.marketId ?? null);
        return done(orders.map((each) => orderObject(view.getSpotMarket(each.marketId), each)));
      });
    },
  });
}

function cancelAll(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotTrades, {
    method: 'DELETE',
    path: '/api/v3/openOrders',
    summary: 'Cancel all open orders',
    weight: 1,
    fields: { symbol },
    required: ['symbol'],
    answer: answers.canceledOrders,
    reasons: ['parameter_missing', 'market_not_found', 'market_halted'],
    namedRows: [errors.unknownOrder],
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      if (market === null) return failed(fields) ?? badSymbol;
      if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
      const canceled = await cancelEnteredOrders(ports.exchange, address, market);
      if (canceled.kind === 'refused') return canceled;
      // As at Binance, a cancel with nothing to cancel is an error.
      if (canceled.value.length === 0) return namedError(errors.unknownOrder);
      const cancelId = ports.newClientOrderId();
      return done(canceled.value.map((each) => canceledObject(market, each, cancelId)));
    },
  });
}

function allOrders(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path: '/api/v3/allOrders',
    summary: 'All orders',
    weight: 20,
    fields: {
      symbol,
      orderId: 'This order and later ones',
      startTime: 'Milliseconds',
      endTime: 'At most 24 hours after startTime',
      limit: '500, at most 1000',
    },
    required: ['symbol'],
    answer: answers.orders,
    reasons: lookupReasons,
    namedRows: [errors.lookupTooLong],
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const from = fields.integer('orderId', 1) as OrderNumber | null;
      const span = readSpan(fields);
      const limit = fields.limit(500, 1_000);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      if (span === 'too_long') return namedError(errors.lookupTooLong);
      return listOwn(
        ports,
        address,
        { market, from, limit, span },
        { list: (filter) => ports.spotRecords.listOrders(filter), show: orderObject },
      );
    },
  });
}
