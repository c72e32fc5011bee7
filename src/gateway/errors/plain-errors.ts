import { claimErrors } from './claim-errors.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';
import { fillValues } from './error-row.ts';
import { futuresRows } from './futures-errors.ts';
import { referralErrors } from './referral-errors.ts';
import type { ErrorDetail, ReasonRows, Surface } from './surface.ts';

// The plain family: referral, on-chain, admin, spot and spot wallet. The body is {error: CODE}; for
// malformed input `detail` also names the field and the reason. Spot answers 401 with an empty
// body.

/** Errors of every plain path. */
export const plainErrors = {
  invalidParameter: {
    status: 400,
    code: 'INVALID_PARAMETER',
    text: 'A field is missing, malformed or unknown; `detail` says which and why',
  },
  unauthorized: { status: 401, code: 'UNAUTHORIZED', text: 'No valid token or admin key' },
  signatureInvalid: {
    status: 401,
    code: 'SIGNATURE_INVALID',
    text: 'The signature or its timestamp is missing or wrong',
  },
  invalidApiKey: { status: 401, code: 'INVALID_API_KEY', text: 'The API key is unknown' },
  apiKeyDisabled: { status: 401, code: 'API_KEY_DISABLED', text: 'The API key is disabled' },
  ipNotAllowed: {
    status: 403,
    code: 'IP_NOT_ALLOWED',
    text: "The client is not in the API key's IP whitelist",
  },
  permissionDenied: {
    status: 403,
    code: 'PERMISSION_DENIED',
    text: 'The API key does not have the permission, or the path requires a token',
  },
  notFound: { status: 404, code: 'NOT_FOUND', text: 'There is no such path' },
  methodNotAllowed: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    text: 'The path does not support this method; the Allow header lists those that it does',
  },
  requestRepeated: {
    status: 409,
    code: 'REQUEST_REPEATED',
    text: 'The same signed order was sent before and its answer is no longer kept',
  },
  payloadTooLarge: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    text: 'The body is larger than 64 KiB',
  },
  rateLimited: {
    status: 429,
    code: 'RATE_LIMITED',
    text: 'Too many requests; Retry-After says in how many seconds to try again',
  },
  internal: { status: 500, code: 'INTERNAL_ERROR', text: 'An unexpected failure' },
  databaseFailed: { status: 500, code: 'DB_ERROR', text: 'The storage failed' },
  engineBusy: {
    status: 503,
    code: 'ENGINE_BUSY',
    text: 'The engine is overloaded; try again after 200, 400, 800 ms',
  },
  engineRestarting: {
    status: 503,
    code: 'ENGINE_RESTARTING',
    text: 'The engine is recovering or stopping; try again after a few seconds',
  },
  adminNotConfigured: {
    status: 503,
    code: 'ADMIN_NOT_CONFIGURED',
    text: 'The service has no ADMIN_API_KEY',
  },
} as const satisfies ErrorCatalog;

/** Errors of the administration of spot markets and balances. */
export const adminErrors = {
  marketExists: { status: 409, code: 'MARKET_EXISTS', text: 'The market id already exists' },
  amountNonPositive: {
    status: 400,
    code: 'AMOUNT_NON_POSITIVE',
    text: 'The amount is not above 0',
  },
  disabled: { status: 404, code: 'DISABLED', text: 'TESTNET_ONLY is not exactly `true`' },
  invalidStatus: {
    status: 400,
    code: 'INVALID_STATUS',
    text: 'The status is unknown, or the market cannot change into it',
  },
} as const satisfies ErrorCatalog;

/** Errors of spot trading, in the order in which an order is checked. */
export const spotErrors = {
  missingAuthentication: {
    status: 401,
    code: '',
    text: 'Empty body: missing or invalid token, wrong signature, timestamp outside +/-60000 ms',
  },
  forbidden: { status: 403, code: 'FORBIDDEN', text: "Cancelling another account's order" },
  marketNotFound: { status: 404, code: 'MARKET_NOT_FOUND', text: 'There is no such market' },
  tickerNotFound: {
    status: 404,
    code: 'TICKER_NOT_FOUND',
    text: 'The market has not traded yet; its ticker starts with the first fill',
  },
  tradingDisabled: {
    status: 503,
    code: 'spot trading disabled',
    text: 'SPOT_TRADING_ENABLED is false; permanent for the environment',
  },
  marketHalted: { status: 409, code: 'MARKET_HALTED', text: 'Halted: no new orders' },
  marketDelisted: { status: 410, code: 'MARKET_DELISTED', text: 'Delisted permanently' },
  marketStatusInvalid: {
    status: 400,
    code: 'market.status invalid',
    text: 'The market has an unrecognized status',
  },
  invalidSide: { status: 400, code: 'invalid side', text: 'side is neither buy nor sell' },
  invalidType: { status: 400, code: 'invalid type', text: 'type is neither limit nor market' },
  invalidTif: { status: 400, code: 'invalid tif', text: 'tif is none of gtc, ioc, fok, post_only' },
  priceRequired: {
    status: 400,
    code: 'price required for limit',
    text: 'A limit order without price',
  },
  quantityRequired: {
    status: 400,
    code: 'quantity required for limit',
    text: 'A limit order without quantity',
  },
  sellQuantityRequired: {
    status: 400,
    code: 'quantity required for market sell',
    text: 'A market sell without quantity',
  },
  buyQuoteRequired: {
    status: 400,
    code: 'quote_quantity required for market buy',
    text: 'A market buy without quote_quantity',
  },
  invalidTick: {
    status: 400,
    code: 'INVALID_TICK',
    text: 'The price is not a multiple of tick_size',
  },
  invalidLot: {
    status: 400,
    code: 'INVALID_LOT',
    text: 'The quantity is not a multiple of lot_size',
  },
  belowMinNotional: {
    status: 400,
    code: 'BELOW_MIN_NOTIONAL',
    text: 'price x quantity is below min_notional',
  },
  insufficientBalance: {
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    text: 'The order needs more than the available balance',
  },
  duplicateClientOrderId: {
    status: 409,
    code: 'DUPLICATE_CLIENT_ORDER_ID',
    text: 'Another live order of the account has this client_order_id',
  },
  tooManyOrders: {
    status: 400,
    code: 'TOO_MANY_ORDERS',
    text: 'The account has max_open_orders open orders in the market, and this one would rest',
  },
  postOnlyReject: {
    status: 400,
    code: 'POST_ONLY_REJECT',
    text: 'A post_only order that would cross the book',
  },
  selfTrade: {
    status: 400,
    code: 'SELF_TRADE',
    text: "The order would cross the caller's own resting order",
  },
  invalidId: { status: 400, code: 'invalid id', text: 'The path id is not a UUID' },
  orderNotFound: {
    status: 404,
    code: 'ORDER_NOT_FOUND',
    text: 'The order is absent, finished, or of another account',
  },
  panic: {
    status: 500,
    code: '',
    text: 'HTML body: an unexpected failure',
    page: '<!DOCTYPE html><title>500</title><h1>500 Internal Server Error</h1>\n',
  },
} as const satisfies ErrorCatalog;

/** The row of each reason here, and in families that have no other row for it. */
export const plainRows: ReasonRows = {
  ...futuresRows,
  account_not_found: spotErrors.orderNotFound,
  market_not_found: spotErrors.marketNotFound,
  market_halted: spotErrors.marketHalted,
  market_delisted: spotErrors.marketDelisted,
  market_status_unknown: spotErrors.marketStatusInvalid,
  market_exists: adminErrors.marketExists,
  market_units_too_fine: plainErrors.invalidParameter,
  market_terms_invalid: plainErrors.invalidParameter,
  market_status_final: adminErrors.invalidStatus,
  market_status_not_allowed: adminErrors.invalidStatus,
  ticker_not_found: spotErrors.tickerNotFound,
  spot_trading_disabled: spotErrors.tradingDisabled,
  side_unknown: spotErrors.invalidSide,
  order_type_unknown: spotErrors.invalidType,
  time_in_force_unknown: spotErrors.invalidTif,
  limit_price_missing: spotErrors.priceRequired,
  limit_quantity_missing: spotErrors.quantityRequired,
  market_sell_quantity_missing: spotErrors.sellQuantityRequired,
  market_buy_quote_missing: spotErrors.buyQuoteRequired,
  price_off_tick: spotErrors.invalidTick,
  quantity_off_lot: spotErrors.invalidLot,
  below_min_notional: spotErrors.belowMinNotional,
  duplicate_client_order_id: spotErrors.duplicateClientOrderId,
  insufficient_balance: spotErrors.insufficientBalance,
  too_many_orders: spotErrors.tooManyOrders,
  post_only_would_cross: spotErrors.postOnlyReject,
  self_trade: spotErrors.selfTrade,
  order_not_found: spotErrors.orderNotFound,
  order_not_owned: spotErrors.forbidden,
  amount_not_positive: adminErrors.amountNonPositive,
  amount_out_of_range: plainErrors.invalidParameter,
  deposit_out_of_turn: plainErrors.internal,
  withdrawals_gated: plainErrors.internal,
  withdrawal_under_way: plainErrors.internal,
  withdrawal_not_under_way: plainErrors.internal,
  test_credits_disabled: adminErrors.disabled,
  too_soon: plainErrors.rateLimited,
  parameter_invalid: plainErrors.invalidParameter,
  parameter_missing: plainErrors.invalidParameter,
  parameter_malformed: plainErrors.invalidParameter,
  parameter_unknown_member: plainErrors.invalidParameter,
  parameter_not_required: plainErrors.invalidParameter,
  parameter_combination: plainErrors.invalidParameter,
  interval_unknown: plainErrors.invalidParameter,
  rate_limited: plainErrors.rateLimited,
  too_many_new_orders: plainErrors.rateLimited,
  method_not_allowed: plainErrors.methodNotAllowed,
  path_not_found: plainErrors.notFound,
  payload_too_large: plainErrors.payloadTooLarge,
  unauthorized: plainErrors.unauthorized,
  signature_invalid: plainErrors.signatureInvalid,
  signature_missing: plainErrors.signatureInvalid,
  timestamp_missing: plainErrors.signatureInvalid,
  timestamp_invalid: plainErrors.signatureInvalid,
  api_key_missing: plainErrors.unauthorized,
  api_key_malformed: plainErrors.invalidApiKey,
  api_key_unknown: plainErrors.invalidApiKey,
  api_key_disabled: plainErrors.apiKeyDisabled,
  ip_not_allowed: plainErrors.ipNotAllowed,
  permission_denied: plainErrors.permissionDenied,
  token_required: plainErrors.permissionDenied,
  admin_not_configured: plainErrors.adminNotConfigured,
  admin_unauthorized: plainErrors.unauthorized,
  request_repeated: plainErrors.requestRepeated,
  engine_busy: plainErrors.engineBusy,
  engine_restarting: plainErrors.engineRestarting,
  database_failed: plainErrors.databaseFailed,
  chain_failed: claimErrors.chainError,
  signing_failed: claimErrors.signatureError,
  internal: plainErrors.internal,
};

function plainErrorBody(row: ErrorRow, { detail, values }: ErrorDetail): object | null {
  if (row.code === '') return null;
  const error = fillValues(String(row.code), values);
  return detail === null ? { error } : { error, detail };
}

/** Referral, on-chain, admin, faucet and operation paths. */
export const plainSurface: Surface = {
  name: 'plain',
  catalog: { ...plainErrors, ...adminErrors, ...referralErrors, ...claimErrors },
  rows: plainRows,
  errorBody: plainErrorBody,
};

/**
 * The plain family as used by spot: 401 has an empty body except for faults of the key itself, and
 * an unexpected failure is an HTML page.
 */
export const spotSurface: Surface = {
  name: 'spot',
  catalog: spotErrors,
  rows: {
    ...plainRows,
    unauthorized: spotErrors.missingAuthentication,
    signature_invalid: spotErrors.missingAuthentication,
    signature_missing: spotErrors.missingAuthentication,
    timestamp_missing: spotErrors.missingAuthentication,
    timestamp_invalid: spotErrors.missingAuthentication,
    api_key_missing: spotErrors.missingAuthentication,
    internal: spotErrors.panic,
  },
  errorBody: plainErrorBody,
};
