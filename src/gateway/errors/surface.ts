import type { Rejection, RejectionReason } from '../../domain/rejection.ts';
import type { ErrorCatalog, ErrorRow, ErrorValues } from './error-row.ts';
import type { FailureReason, GatewayFailure } from './gateway-failure.ts';

// A surface is one style of answering callers. It has one table of errors and one function that
// makes a body from a row. Reasons are mapped to the table by a total map, so that a surface that
// omits a reason does not compile.

export type Reason = RejectionReason | FailureReason;

/** The surface's row for every reason. */
export type ReasonRows = Readonly<Record<Reason, ErrorRow>>;

export interface ErrorDetail {
  /** For malformed input: which field, and why. */
  readonly detail: string | null;
  readonly values: ErrorValues;
}

export interface ErrorReply {
  readonly status: number;
  /** Null: an empty body, or the page. */
  readonly body: object | null;
  /** HTML instead of a body; its type is in the headers. */
  readonly page: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Surface {
  readonly name: 'plain' | 'spot' | 'envelope' | 'exchange' | 'binance_spot';
  readonly catalog: ErrorCatalog;
  readonly rows: ReasonRows;
  errorBody(row: ErrorRow, detail: ErrorDetail, nowMs: number): object | null;
}

const noDetail: ErrorDetail = { detail: null, values: {} };
const noHeaders: Readonly<Record<string, string>> = {};
const pageHeaders = { 'content-type': 'text/html; charset=utf-8' };

/** The time of an error whose body shows none. */
export const noTime = 0;

/** The reply for a row that an endpoint names. */
export function replyWithRow(
  surface: Surface,
  row: ErrorRow,
  nowMs: number,
  values: ErrorValues = {},
): ErrorReply {
  const body = surface.errorBody(row, { detail: values['detail'] ?? null, values }, nowMs);
  return { status: row.status, body, page: null, headers: noHeaders };
}

/** The reply for a reason; an endpoint can have its own rows for some reasons. */
export function replyWithReason(
  surface: Surface,
  cause: Rejection | GatewayFailure,
  nowMs: number,
  ownRows: Partial<ReasonRows> = {},
): ErrorReply {
  const row = ownRows[cause.reason] ?? surface.rows[cause.reason];
  const { page } = row;
  const status = isBan(cause) ? bannedStatus : row.status;
  if (page !== undefined) return { status, body: null, page, headers: pageHeaders };
  const body = surface.errorBody(row, detailOf(cause), nowMs);
  return { status, body, page: null, headers: headersOf(cause) };
}

const bannedStatus = 418;

function isBan(cause: Rejection | GatewayFailure): boolean {
  return cause.reason === 'rate_limited' && cause.isBanned === true;
}

function detailOf(cause: Rejection | GatewayFailure): ErrorDetail {
  if ('parameter' in cause) {
    return { detail: cause.detail, values: { parameter: cause.parameter } };
  }
  if (cause.reason === 'too_many_new_orders') {
    return { detail: null, values: { limit: cause.limit } };
  }
  const detail = cause.reason === 'parameter_invalid' ? cause.detail : fixedDetails[cause.reason];
  if (detail === undefined) return noDetail;
  // By convention a detail begins with the parameter's name and a colon.
  return { detail, values: { parameter: detail.split(':', 1)[0] ?? '' } };
}

// Input that only the engine finds malformed, described for the caller.
const fixedDetails: Partial<Record<Reason, string>> = {
  amount_out_of_range: 'amount: more than a balance or a market can hold',
  market_units_too_fine:
    'lot_size: lot_size and tick_size x lot_size must be multiples of 0.00000001',
  market_terms_invalid:
    'quote_token: must differ from base_token, and the sizes must be within what amounts can hold',
};

function headersOf(cause: Rejection | GatewayFailure): Readonly<Record<string, string>> {
  if ('retryAfterSeconds' in cause) return { 'retry-after': String(cause.retryAfterSeconds) };
  if (cause.reason === 'method_not_allowed') return { allow: cause.allowed };
  if (cause.reason !== 'too_soon') return noHeaders;
  return { 'retry-after': String(Math.ceil(cause.retryAfterMs / 1000)) };
}
