import { envelopeErrorBody } from './envelope-errors.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';
import { fillValues } from './error-row.ts';
import { plainErrors } from './plain-errors.ts';
import type { ErrorDetail, ReasonRows, Surface } from './surface.ts';

// The exchange family: /fapi, with the errors of Binance USD-M futures. The body is {code, msg}. A
// request that fails authentication never reaches an endpoint and is answered in the envelope.

/** Errors of /fapi, by their names in its public table. */
export const exchangeErrors = {
  unknown: { status: 500, code: -1000, text: 'An unknown error occurred.' },
  notFound: { status: 404, code: -1000, text: 'Path not found.' },
  methodNotAllowed: { status: 405, code: -1000, text: 'Request method not supported.' },
  payloadTooLarge: { status: 413, code: -1000, text: 'Request body larger than 64 KiB.' },
  requestRepeated: { status: 409, code: -1000, text: 'Repeated request; its answer is gone.' },
  disconnected: {
    status: 500,
    code: -1001,
    text: 'Internal error; unable to process your request. Please try again.',
  },
  tooManyRequests: { status: 429, code: -1003, text: 'Too many requests.' },
  tooManyNewOrders: {
    status: 429,
    code: -1015,
    text: 'Too many new orders; current limit is <limit>.',
  },
  priceFilter: { status: 400, code: -1013, text: 'Filter failure: PRICE_FILTER.' },
  lotSize: { status: 400, code: -1013, text: 'Filter failure: LOT_SIZE.' },
  minNotional: { status: 400, code: -1013, text: 'Filter failure: MIN_NOTIONAL.' },
  maxNotional: { status: 400, code: -1013, text: 'Filter failure: MAX_NOTIONAL.' },
  tooManyOrders: { status: 400, code: -1015, text: 'Too many open orders.' },
  illegalCharacters: {
    status: 400,
    code: -1100,
    text: "Illegal characters found in parameter '<parameter>'.",
  },
  mandatoryParameter: {
    status: 400,
    code: -1102,
    text: "Mandatory parameter '<parameter>' was not sent, was empty/null, or malformed.",
  },
  parameterNotRequired: {
    status: 400,
    code: -1106,
    text: "Parameter '<parameter>' sent when not required.",
  },
  badInterval: { status: 400, code: -1120, text: 'Invalid interval.' },
  badSymbol: { status: 400, code: -1121, text: 'Invalid symbol.' },
  invalidListenKey: { status: 400, code: -1125, text: 'This listenKey does not exist.' },
  badCombination: {
    status: 400,
    code: -1128,
    text: 'Combination of optional parameters invalid.',
  },
  invalidParameter: {
    status: 400,
    code: -1130,
    text: "Data sent for parameter '<parameter>' is not valid.",
  },
  newOrderRejected: { status: 400, code: -2010, text: 'Order rejected.' },
  wouldTake: { status: 400, code: -2010, text: 'Order would immediately match and take.' },
  marketHalted: { status: 400, code: -2010, text: 'Market is halted.' },
  marketDelisted: { status: 400, code: -2010, text: 'Market is delisted.' },
  priceStale: {
    status: 400,
    code: -2010,
    text: 'The index price is stale: only orders that reduce are taken.',
  },
  priceMissing: { status: 400, code: -2010, text: 'The market has no index price yet.' },
  marketDelisting: {
    status: 400,
    code: -2010,
    text: 'Market is about to be delisted: only orders that reduce are taken.',
  },
  marketSettling: { status: 400, code: -2010, text: 'Market is settling a price move.' },
  slippageExceeded: { status: 400, code: -2010, text: 'Slippage exceeds max_slippage.' },
  noOppositePrice: { status: 400, code: -2010, text: 'There is no price to trade at.' },
  noPriceToMatch: { status: 400, code: -2010, text: 'No depth matches this BBO order.' },
  accountInLiquidation: { status: 400, code: -2010, text: 'The account is in liquidation.' },
  selfTrade: { status: 400, code: -2010, text: 'Order would trade with your own order.' },
  cancelRejected: { status: 400, code: -2011, text: 'Unknown order sent.' },
  noSuchOrder: { status: 400, code: -2013, text: 'Order does not exist.' },
  duplicateClientOrderId: { status: 400, code: -2014, text: 'Client order id is duplicated.' },
  wouldTrigger: { status: 400, code: -2021, text: 'Order would immediately trigger.' },
  positionTooLarge: {
    status: 400,
    code: -2027,
    text: 'Exceeded the maximum allowable position at current leverage.',
  },
  reduceOnlyRejected: { status: 400, code: -2022, text: 'ReduceOnly Order is rejected.' },
  invalidLeverage: { status: 400, code: -4028, text: 'Leverage <leverage> is not valid' },
  isolatedUnsupported: {
    status: 400,
    code: -4046,
    text: 'Isolated margin is not supported; positions are in cross margin.',
  },
  hedgeModeUnsupported: {
    status: 400,
    code: -4059,
    text: 'Hedge mode is not supported; positions are in one-way mode.',
  },
  marginNotSufficient: { status: 400, code: -2019, text: 'Margin is insufficient.' },
} as const satisfies ErrorCatalog;

/** Failed authentication, answered in the envelope. */
export const authenticationErrors = {
  signatureInvalid: plainErrors.signatureInvalid,
  invalidApiKey: plainErrors.invalidApiKey,
  apiKeyDisabled: plainErrors.apiKeyDisabled,
  ipNotAllowed: plainErrors.ipNotAllowed,
  permissionDenied: plainErrors.permissionDenied,
  adminNotConfigured: plainErrors.adminNotConfigured,
  unauthorized: plainErrors.unauthorized,
} as const satisfies ErrorCatalog;

/** Errors that futures and spot share. */
export const commonRows = {
  market_not_found: exchangeErrors.badSymbol,
  market_exists: exchangeErrors.invalidParameter,
  market_units_too_fine: exchangeErrors.invalidParameter,
  market_terms_invalid: exchangeErrors.invalidParameter,
  market_status_final: exchangeErrors.invalidParameter,
  market_status_not_allowed: exchangeErrors.invalidParameter,
  ticker_not_found: exchangeErrors.badSymbol,
  limit_price_missing: exchangeErrors.mandatoryParameter,
  limit_quantity_missing: exchangeErrors.mandatoryParameter,
  market_sell_quantity_missing: exchangeErrors.mandatoryParameter,
  market_buy_quote_missing: exchangeErrors.mandatoryParameter,
  amount_not_positive: exchangeErrors.illegalCharacters,
  amount_out_of_range: exchangeErrors.illegalCharacters,
  deposit_out_of_turn: exchangeErrors.unknown,
  withdrawals_gated: exchangeErrors.unknown,
  withdrawal_under_way: exchangeErrors.unknown,
  withdrawal_not_under_way: exchangeErrors.unknown,
  test_credits_disabled: exchangeErrors.notFound,
  too_soon: exchangeErrors.tooManyRequests,
  side_mismatch: exchangeErrors.invalidParameter,
  settlement_price_required: exchangeErrors.unknown,
  parameter_invalid: exchangeErrors.illegalCharacters,
  parameter_missing: exchangeErrors.mandatoryParameter,
  parameter_malformed: exchangeErrors.illegalCharacters,
  parameter_unknown_member: exchangeErrors.invalidParameter,
  parameter_not_required: exchangeErrors.parameterNotRequired,
  parameter_combination: exchangeErrors.badCombination,
  interval_unknown: exchangeErrors.badInterval,
  rate_limited: exchangeErrors.tooManyRequests,
  too_many_new_orders: exchangeErrors.tooManyNewOrders,
  method_not_allowed: exchangeErrors.methodNotAllowed,
  path_not_found: exchangeErrors.notFound,
  payload_too_large: exchangeErrors.payloadTooLarge,
  request_repeated: exchangeErrors.requestRepeated,
  engine_busy: exchangeErrors.disconnected,
  engine_restarting: exchangeErrors.disconnected,
  database_failed: exchangeErrors.unknown,
  chain_failed: exchangeErrors.unknown,
  signing_failed: exchangeErrors.unknown,
  internal: exchangeErrors.unknown,
} as const satisfies Partial<ReasonRows>;

const exchangeRows: ReasonRows = {
  ...commonRows,
  account_not_found: exchangeErrors.noSuchOrder,
  market_halted: exchangeErrors.marketHalted,
  market_delisted: exchangeErrors.marketDelisted,
  market_status_unknown: exchangeErrors.newOrderRejected,
  spot_trading_disabled: exchangeErrors.newOrderRejected,
  side_unknown: exchangeErrors.invalidParameter,
  order_type_unknown: exchangeErrors.invalidParameter,
  time_in_force_unknown: exchangeErrors.invalidParameter,
  price_off_tick: exchangeErrors.priceFilter,
  quantity_off_lot: exchangeErrors.lotSize,
  below_min_notional: exchangeErrors.minNotional,
  duplicate_client_order_id: exchangeErrors.duplicateClientOrderId,
  insufficient_balance: exchangeErrors.marginNotSufficient,
  post_only_would_cross: exchangeErrors.wouldTake,
  self_trade: exchangeErrors.selfTrade,
  order_not_found: exchangeErrors.noSuchOrder,
  order_not_owned: exchangeErrors.noSuchOrder,
  notional_too_small: exchangeErrors.minNotional,
  notional_too_large: exchangeErrors.maxNotional,
  position_too_large: exchangeErrors.positionTooLarge,
  insufficient_margin: exchangeErrors.marginNotSufficient,
  would_trigger_immediately: exchangeErrors.wouldTrigger,
  nothing_to_reduce: exchangeErrors.reduceOnlyRejected,
  leverage_out_of_range: exchangeErrors.invalidLeverage,
  index_price_stale: exchangeErrors.priceStale,
  index_price_missing: exchangeErrors.priceMissing,
  market_settling: exchangeErrors.marketSettling,
  market_delisting: exchangeErrors.marketDelisting,
  slippage_exceeded: exchangeErrors.slippageExceeded,
  no_opposite_price: exchangeErrors.noOppositePrice,
  no_price_to_match: exchangeErrors.noPriceToMatch,
  too_many_orders: exchangeErrors.tooManyOrders,
  order_not_amendable: exchangeErrors.noSuchOrder,
  account_in_liquidation: exchangeErrors.accountInLiquidation,
  unauthorized: authenticationErrors.signatureInvalid,
  signature_invalid: authenticationErrors.signatureInvalid,
  signature_missing: authenticationErrors.signatureInvalid,
  timestamp_missing: authenticationErrors.signatureInvalid,
  timestamp_invalid: authenticationErrors.signatureInvalid,
  api_key_missing: authenticationErrors.invalidApiKey,
  api_key_malformed: authenticationErrors.invalidApiKey,
  api_key_unknown: authenticationErrors.invalidApiKey,
  api_key_disabled: authenticationErrors.apiKeyDisabled,
  ip_not_allowed: authenticationErrors.ipNotAllowed,
  permission_denied: authenticationErrors.permissionDenied,
  token_required: authenticationErrors.permissionDenied,
  admin_not_configured: authenticationErrors.adminNotConfigured,
  admin_unauthorized: authenticationErrors.unauthorized,
  internal: exchangeErrors.unknown,
};

function exchangeErrorBody(row: ErrorRow, detail: ErrorDetail, nowMs: number): object {
  // A text code instead of a number marks a row of the middleware before the endpoints.
  if (typeof row.code === 'string') return envelopeErrorBody(row, detail, nowMs);
  return { code: row.code, msg: fillValues(row.text, detail.values) };
}

/** Every path below /fapi. */
export const exchangeSurface: Surface = {
  name: 'exchange',
  catalog: { ...exchangeErrors, ...authenticationErrors },
  rows: exchangeRows,
  errorBody: exchangeErrorBody,
};
