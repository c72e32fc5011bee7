import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import type { HistoryOrder } from '../../../application/ports/futures-history.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { TradeId } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { exchangeErrors, exchangeSurface } from '../../errors/exchange-errors.ts';
import { noTime, replyWithReason, type Surface } from '../../errors/surface.ts';
import type { Answer } from '../endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';

// Answers that several endpoints of /fapi share.

/** The longest time span of a query at Binance: 7 days. */
const queryWindowMs = 7 * 86_400_000;

export const badSymbol: Answer<never> = refused({ reason: 'market_not_found' });
export const operationDone = { code: 200, msg: 'success' };

/** The answer if a field is wrong; null if all are valid. */
export function failed({ failure }: FapiFields): Answer<never> | null {
  return failure === null ? null : { kind: 'failed', failure };
}

/**
 * The market that `symbol` names; null, and recorded as a failure of the fields, if it is missing.
 */
export function requireMarket(ports: FuturesPorts, fields: FapiFields): FuturesMarket | null {
  const symbol = fields.requiredText('symbol');
  return symbol === '' ? null : peekMarket(ports, symbol);
}

/** The market that `symbol` names, null if none is given, undefined if it is unknown. */
export function optionalMarket(
  ports: FuturesPorts,
  fields: FapiFields,
): FuturesMarket | null | undefined {
  const symbol = fields.text('symbol');
  return symbol === null ? null : (peekMarket(ports, symbol) ?? undefined);
}

/** One object if a symbol was given, otherwise a list. */
export function oneOrAll<T>(isOne: boolean, all: readonly T[]): Answer<unknown> {
  return done(isOne ? all[0] : all);
}

export interface Window {
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** From the start if one was given, otherwise the newest rows. */
  readonly order: HistoryOrder;
}

/** Reads startTime and endTime, at most 7 days apart; without a start the last 7 days. */
export function readWindow(fields: FapiFields, now: number): Window {
  const start = fields.time('startTime');
  const end = fields.time('endTime');
  if (start !== null && end !== null && (end < start || end - start > queryWindowMs)) {
    fields.fail('parameter_malformed', 'endTime', 'the window is longer than 7 days');
  }
  if (start !== null) {
    return { startTime: start, endTime: end ?? start + queryWindowMs, order: 'oldest_first' };
  }
  return { startTime: (end ?? now) - queryWindowMs, endTime: end, order: 'newest_first' };
}

/** Rows from an id on, at any time. */
export const fromIdOn: Window = { startTime: null, endTime: null, order: 'oldest_first' };

/** How many trades a request gets without `limit`, and at most. */
export const tradeLimitDefault = 500;
export const tradeLimitMax = 1_000;

/** Reads which trades of a market are asked for. */
export function readTradePage(fields: FapiFields) {
  const limit = fields.limit(tradeLimitDefault, tradeLimitMax);
  const from = fields.integer('fromId') as TradeId | null;
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  return { from, startTime, endTime, limit };
}

/** A refusal as one element of a batch's answer. */
export function batchError(
  answer: Exclude<Answer<unknown>, { kind: 'done' | 'raw' }>,
  surface: Surface = exchangeSurface,
): object {
  switch (answer.kind) {
    case 'refused':
      return replyWithReason(surface, answer.rejection, noTime).body ?? {};
    case 'failed':
      return replyWithReason(surface, answer.failure, noTime).body ?? {};
    case 'error':
      return surface.errorBody(answer.row, { detail: null, values: answer.values }, 0) ?? {};
  }
}

export const { cancelRejected, noSuchOrder, invalidListenKey } = exchangeErrors;
