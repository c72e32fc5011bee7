import type { ErrorCatalog, ErrorRow } from './error-row.ts';
import { fillValues } from './error-row.ts';
import { futuresErrors, futuresRows } from './futures-errors.ts';
import { adminErrors, plainErrors, spotErrors } from './plain-errors.ts';
import type { ErrorDetail, ReasonRows, Surface } from './surface.ts';

// The envelope family: points, sign-in, account and every other /api/v1 path. Success and failure
// share one form: {success, data, error, timestamp}.

/** Errors of every envelope path. */
export const envelopeErrors = {
  ...plainErrors,
  ...futuresErrors,
} as const satisfies ErrorCatalog;

/** Errors of signing in and of the account's own settings. */
export const accountErrors = {
  invalidSignature: {
    status: 401,
    code: 'INVALID_SIGNATURE',
    text: "The signature is not the address's, or the message is not the one that was issued",
  },
  nonceExpired: {
    status: 401,
    code: 'NONCE_EXPIRED',
    text: 'The nonce is unknown, used or older than 5 minutes; ask for another',
  },
  domainMismatch: {
    status: 401,
    code: 'DOMAIN_MISMATCH',
    text: 'The message was made for another domain, address or chain',
  },
  usernameTaken: { status: 409, code: 'USERNAME_TAKEN', text: 'Another account has the username' },
  apiKeyNotFound: {
    status: 404,
    code: 'API_KEY_NOT_FOUND',
    text: 'The account has no such API key',
  },
  apiKeyLimit: {
    status: 409,
    code: 'API_KEY_LIMIT_REACHED',
    text: 'The account has as many API keys as it may have: <limit>',
  },
} as const satisfies ErrorCatalog;

const envelopeRows: ReasonRows = {
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
  side_unknown: plainErrors.invalidParameter,
  order_type_unknown: plainErrors.invalidParameter,
  time_in_force_unknown: plainErrors.invalidParameter,
  limit_price_missing: plainErrors.invalidParameter,
  limit_quantity_missing: plainErrors.invalidParameter,
  market_sell_quantity_missing: plainErrors.invalidParameter,
  market_buy_quote_missing: plainErrors.invalidParameter,
  price_off_tick: spotErrors.invalidTick,
  quantity_off_lot: spotErrors.invalidLot,
  below_min_notional: spotErrors.belowMinNotional,
  duplicate_client_order_id: spotErrors.duplicateClientOrderId,
  insufficient_balance: spotErrors.insufficientBalance,
  post_only_would_cross: spotErrors.postOnlyReject,
  self_trade: spotErrors.selfTrade,
  order_not_found: spotErrors.orderNotFound,
  order_not_owned: spotErrors.orderNotFound,
  amount_not_positive: plainErrors.invalidParameter,
  amount_out_of_range: plainErrors.invalidParameter,
  deposit_out_of_turn: plainErrors.internal,
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
  api_key_missing: plainErrors.unauthorized,
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
  chain_failed: plainErrors.internal,
  signing_failed: plainErrors.internal,
  internal: plainErrors.internal,
};

/** A failure in the envelope; /fapi answers failed authentication with it too. */
export function envelopeErrorBody(
  row: ErrorRow,
  { detail, values }: ErrorDetail,
  nowMs: number,
): object {
  const message = detail ?? fillValues(row.text, values);
  return {
    success: false,
    data: null,
    error: { code: String(row.code), message },
    timestamp: Math.floor(nowMs / 1000),
  };
}

/** A success in the envelope. */
export function envelopeBody(data: unknown, nowMs: number): object {
  return { success: true, data, error: null, timestamp: Math.floor(nowMs / 1000) };
}

/** Points, sign-in, account, and every other path below /api/v1. */
export const envelopeSurface: Surface = {
  name: 'envelope',
  catalog: { ...envelopeErrors, ...accountErrors },
  rows: envelopeRows,
  errorBody: envelopeErrorBody,
};
