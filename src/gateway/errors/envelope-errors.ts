import type { ErrorCatalog, ErrorRow } from './error-row.ts';
import { fillValues } from './error-row.ts';
import { futuresErrors } from './futures-errors.ts';
import { plainErrors, plainRows, spotErrors } from './plain-errors.ts';
import type { ErrorDetail, ReasonRows, Surface } from './surface.ts';

// The envelope family: points, sign-in, account and every other /api/v1 path. Success and failure
// share one form: {success, data, error, timestamp}.

/** Errors of every envelope path. */
export const envelopeErrors = {
  ...plainErrors,
  ...futuresErrors,
} as const satisfies ErrorCatalog;

/** Errors of sign-in and of the account's own settings. */
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
    text: 'The account already has the maximum number of API keys: <limit>',
  },
} as const satisfies ErrorCatalog;

const envelopeRows: ReasonRows = {
  ...plainRows,
  side_unknown: plainErrors.invalidParameter,
  order_type_unknown: plainErrors.invalidParameter,
  time_in_force_unknown: plainErrors.invalidParameter,
  limit_price_missing: plainErrors.invalidParameter,
  limit_quantity_missing: plainErrors.invalidParameter,
  market_sell_quantity_missing: plainErrors.invalidParameter,
  market_buy_quote_missing: plainErrors.invalidParameter,
  order_not_owned: spotErrors.orderNotFound,
  too_many_orders: futuresErrors.tooManyOrders,
  amount_not_positive: plainErrors.invalidParameter,
  chain_failed: plainErrors.internal,
  signing_failed: plainErrors.internal,
};

/** A failure in the envelope; /fapi also uses it for failed authentication. */
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
