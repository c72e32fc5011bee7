import { binanceAccessErrors, binanceAccessRows } from './binance-access-errors.ts';
import { type ErrorCatalog, type ErrorRow, fillValues } from './error-row.ts';
import { commonRows, exchangeErrors } from './exchange-errors.ts';
import type { ErrorDetail, ReasonRows, Surface } from './surface.ts';

// /api/v3, with Binance's spot errors: the body is {code, msg}, also when authentication fails.

const { unknown, notFound, methodNotAllowed, payloadTooLarge, requestRepeated } = exchangeErrors;
const { disconnected, tooManyRequests, tooManyNewOrders, illegalCharacters } = exchangeErrors;
const { mandatoryParameter, parameterNotRequired, badInterval, badSymbol } = exchangeErrors;
const { invalidListenKey, badCombination, invalidParameter } = exchangeErrors;

const rejected = (text: string) => ({ status: 400, code: -2010, text }) as const;
const notSupported = (kind: string) =>
  rejected(`${kind} orders are not supported for this symbol.`);

/** Errors for which spot has other numbers or texts than futures. */
export const binanceSpotErrors = {
  priceFilter: { status: 400, code: -1013, text: 'Filter failure: PRICE_FILTER' },
  lotSize: { status: 400, code: -1013, text: 'Filter failure: LOT_SIZE' },
  notional: { status: 400, code: -1013, text: 'Filter failure: NOTIONAL' },
  maxNumOrders: { status: 400, code: -1013, text: 'Filter failure: MAX_NUM_ORDERS' },
  invalidTimeInForce: { status: 400, code: -1115, text: 'Invalid timeInForce.' },
  timeInForceNotRequired: {
    status: 400,
    code: -1114,
    text: 'TimeInForce parameter sent when not required.',
  },
  invalidOrderType: { status: 400, code: -1116, text: 'Invalid orderType.' },
  invalidSide: { status: 400, code: -1117, text: 'Invalid side.' },
  eitherParameter: {
    status: 400,
    code: -1102,
    text: "Param '<parameter>' or '<other>' must be sent, but both were empty/null!",
  },
  lookupTooLong: {
    status: 400,
    code: -1127,
    text: 'More than 24 hours between startTime and endTime.',
  },
  invalidTickerType: { status: 400, code: -1139, text: 'Invalid ticker type.' },
  invalidCancelRestrictions: {
    status: 400,
    code: -1145,
    text: '`cancelRestrictions` has to be either `ONLY_NEW` or `ONLY_PARTIALLY_FILLED`.',
  },
  marketClosed: rejected('Market is closed.'),
  insufficientBalance: rejected('Account has insufficient balance for requested action.'),
  duplicateOrder: rejected('Duplicate order sent.'),
  wouldTake: rejected('Order would immediately match and take.'),
  selfTrade: rejected('Order would trade with your own order.'),
  icebergUnsupported: notSupported('Iceberg'),
  stopLossUnsupported: notSupported('Stop loss'),
  stopLossLimitUnsupported: notSupported('Stop loss limit'),
  takeProfitUnsupported: notSupported('Take profit'),
  takeProfitLimitUnsupported: notSupported('Take profit limit'),
  trailingUnsupported: notSupported('Trailing stop'),
  unknownOrder: { status: 400, code: -2011, text: 'Unknown order sent.' },
  cancelRestricted: {
    status: 400,
    code: -2011,
    text: 'Order was not canceled due to cancel restrictions.',
  },
  noSuchOrder: { status: 400, code: -2013, text: 'Order does not exist.' },
  replaceInPart: { status: 409, code: -2021, text: 'Order cancel-replace partially failed.' },
  replaceFailed: { status: 400, code: -2022, text: 'Order cancel-replace failed.' },
} as const satisfies ErrorCatalog;

const rows: ReasonRows = {
  ...commonRows,
  ...binanceAccessRows,
  account_not_found: binanceSpotErrors.noSuchOrder,
  market_halted: binanceSpotErrors.marketClosed,
  market_delisted: binanceSpotErrors.marketClosed,
  market_status_unknown: binanceSpotErrors.marketClosed,
  spot_trading_disabled: binanceSpotErrors.marketClosed,
  side_unknown: binanceSpotErrors.invalidSide,
  order_type_unknown: binanceSpotErrors.invalidOrderType,
  time_in_force_unknown: binanceSpotErrors.invalidTimeInForce,
  price_off_tick: binanceSpotErrors.priceFilter,
  quantity_off_lot: binanceSpotErrors.lotSize,
  below_min_notional: binanceSpotErrors.notional,
  duplicate_client_order_id: binanceSpotErrors.duplicateOrder,
  insufficient_balance: binanceSpotErrors.insufficientBalance,
  post_only_would_cross: binanceSpotErrors.wouldTake,
  self_trade: binanceSpotErrors.selfTrade,
  order_not_found: binanceSpotErrors.unknownOrder,
  order_not_owned: binanceSpotErrors.unknownOrder,
  notional_too_small: binanceSpotErrors.notional,
  notional_too_large: binanceSpotErrors.notional,
  position_too_large: unknown,
  insufficient_margin: binanceSpotErrors.insufficientBalance,
  would_trigger_immediately: unknown,
  nothing_to_reduce: unknown,
  leverage_out_of_range: invalidParameter,
  index_price_stale: unknown,
  index_price_missing: unknown,
  market_settling: binanceSpotErrors.marketClosed,
  market_delisting: binanceSpotErrors.marketClosed,
  slippage_exceeded: unknown,
  no_opposite_price: unknown,
  no_price_to_match: unknown,
  too_many_orders: binanceSpotErrors.maxNumOrders,
  order_not_amendable: binanceSpotErrors.noSuchOrder,
  account_in_liquidation: unknown,
};

function errorBody(row: ErrorRow, { values }: ErrorDetail): object {
  return { code: row.code, msg: fillValues(row.text, values) };
}

/** Every path below /api/v3. */
export const binanceSpotSurface: Surface = {
  name: 'binance_spot',
  catalog: {
    unknown,
    notFound,
    methodNotAllowed,
    payloadTooLarge,
    requestRepeated,
    disconnected,
    tooManyRequests,
    tooManyNewOrders,
    illegalCharacters,
    mandatoryParameter,
    parameterNotRequired,
    badInterval,
    badSymbol,
    invalidListenKey,
    badCombination,
    invalidParameter,
    ...binanceAccessErrors,
    ...binanceSpotErrors,
  },
  rows,
  errorBody,
};
