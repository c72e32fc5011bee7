import { type Level, toUnits } from '@openbourse/client';
import { divide, multiply, readNumber } from '../number/read-number.ts';

// The spot ticket: finds errors in what is typed, in the order of the engine's checks, and computes
// what the order would cost.

export interface SpotDraft {
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly tif: 'gtc' | 'ioc' | 'fok' | 'post_only';
  readonly price: string;
  readonly quantity: string;
  /** The amount that a market buy spends. */
  readonly quote: string;
}

export interface SpotTerms {
  readonly tick_size: string;
  readonly lot_size: string;
  readonly min_notional: string;
  readonly maker_fee_bps: number;
  readonly taker_fee_bps: number;
}

export interface SpotFunds {
  readonly base: string;
  readonly quote: string;
}

export type SpotField = 'price' | 'quantity' | 'quote';

export interface FormError {
  readonly field: SpotField;
  readonly code: string;
}

export interface SpotSummary {
  /** In the quote token. */
  readonly notional: bigint;
  readonly fee: bigint;
  readonly averagePrice: bigint | null;
  readonly worstPrice: bigint | null;
  /** The displayed book does not hold that much. */
  readonly isBeyondBook: boolean;
}

function isOffStep(text: string, step: string): boolean {
  return toUnits(text) % toUnits(step) !== 0n;
}

/** The errors of a draft; empty if it can be sent. An empty field is not yet an error. */
export function judgeSpotOrder(
  draft: SpotDraft,
  terms: SpotTerms,
  funds: SpotFunds,
): readonly FormError[] {
  const price = readNumber(draft.price);
  const quantity = readNumber(draft.quantity);
  const quote = readNumber(draft.quote);
  if (draft.type === 'limit') {
    if (price !== null && (isOffStep(price, terms.tick_size) || toUnits(price) === 0n)) {
      return [{ field: 'price', code: 'INVALID_TICK' }];
    }
    if (quantity !== null && isOffStep(quantity, terms.lot_size)) {
      return [{ field: 'quantity', code: 'INVALID_LOT' }];
    }
    if (price === null || quantity === null) return [];
    const notional = multiply(toUnits(price), toUnits(quantity));
    if (notional < toUnits(terms.min_notional)) {
      return [{ field: 'quantity', code: 'BELOW_MIN_NOTIONAL' }];
    }
    const isShort =
      draft.side === 'buy'
        ? notional > toUnits(funds.quote)
        : toUnits(quantity) > toUnits(funds.base);
    return isShort ? [{ field: 'quantity', code: 'INSUFFICIENT_BALANCE' }] : [];
  }
  if (draft.side === 'buy') return judgeMarketBuy(quote, terms, funds);
  if (quantity === null) return [];
  if (isOffStep(quantity, terms.lot_size)) return [{ field: 'quantity', code: 'INVALID_LOT' }];
  const isShort = toUnits(quantity) > toUnits(funds.base);
  return isShort ? [{ field: 'quantity', code: 'INSUFFICIENT_BALANCE' }] : [];
}

function judgeMarketBuy(
  quote: string | null,
  terms: SpotTerms,
  funds: SpotFunds,
): readonly FormError[] {
  if (quote === null) return [];
  if (toUnits(quote) < toUnits(terms.min_notional)) {
    return [{ field: 'quote', code: 'BELOW_MIN_NOTIONAL' }];
  }
  return toUnits(quote) > toUnits(funds.quote)
    ? [{ field: 'quote', code: 'INSUFFICIENT_BALANCE' }]
    : [];
}

/** True if every field that the order needs is filled. */
export function isComplete(draft: SpotDraft): boolean {
  if (draft.type === 'limit')
    return readNumber(draft.price) !== null && readNumber(draft.quantity) !== null;
  return readNumber(draft.side === 'buy' ? draft.quote : draft.quantity) !== null;
}

/**
 * What the order would cost: exact for a limit order, estimated from the book for a market order.
 */
export function summarizeSpotOrder(
  draft: SpotDraft,
  terms: SpotTerms,
  opposite: readonly Level[],
): SpotSummary | null {
  if (!isComplete(draft)) return null;
  if (draft.type === 'market') return walkBook(draft, terms, opposite);
  const price = toUnits(readNumber(draft.price) ?? '0');
  const notional = multiply(price, toUnits(readNumber(draft.quantity) ?? '0'));
  const fee = (notional * BigInt(terms.taker_fee_bps)) / 10_000n;
  return { notional, fee, averagePrice: price, worstPrice: price, isBeyondBook: false };
}

function walkBook(draft: SpotDraft, terms: SpotTerms, levels: readonly Level[]): SpotSummary {
  const isByQuote = draft.side === 'buy';
  let left = toUnits(readNumber(isByQuote ? draft.quote : draft.quantity) ?? '0');
  let base = 0n;
  let notional = 0n;
  let worstPrice: bigint | null = null;
  for (const { price, quantity } of levels) {
    if (left <= 0n) break;
    const wanted = isByQuote ? divide(left, price) : left;
    const taken = wanted < quantity ? wanted : quantity;
    if (taken === 0n) break;
    const value = multiply(price, taken);
    base += taken;
    notional += value;
    worstPrice = price;
    left -= isByQuote ? value : taken;
    if (taken === wanted) left = 0n;
  }
  const fee = (notional * BigInt(terms.taker_fee_bps)) / 10_000n;
  const averagePrice = base === 0n ? null : divide(notional, base);
  return { notional, fee, averagePrice, worstPrice, isBeyondBook: left > 0n };
}

/** The service's preview of a market order, which knows the whole book. */
export interface SpotPreview {
  readonly quantity: string | null;
  readonly est_filled_quantity: string;
  readonly est_notional: string;
  readonly est_avg_price: string | null;
  readonly est_worst_price: string | null;
  readonly taker_rate: string;
}

/** The summary of a market order by the service's preview. */
export function summaryOfPreview(preview: SpotPreview): SpotSummary {
  const { est_avg_price: average, est_worst_price: worst, quantity } = preview;
  const notional = toUnits(preview.est_notional);
  return {
    notional,
    fee: multiply(notional, toUnits(preview.taker_rate)),
    averagePrice: average === null ? null : toUnits(average),
    worstPrice: worst === null ? null : toUnits(worst),
    isBeyondBook: quantity !== null && toUnits(preview.est_filled_quantity) < toUnits(quantity),
  };
}

/** The request for the draft. */
export function spotOrderBody(draft: SpotDraft, symbol: string, clientOrderId: string) {
  return { ...spotPreviewBody(draft, symbol), client_order_id: clientOrderId };
}

/** The request for a preview of the draft. */
export function spotPreviewBody(draft: SpotDraft, symbol: string) {
  const shared = { symbol, side: draft.side, type: draft.type };
  if (draft.type === 'limit') {
    const price = readNumber(draft.price);
    return { ...shared, tif: draft.tif, price, quantity: readNumber(draft.quantity) };
  }
  return draft.side === 'buy'
    ? { ...shared, quote_quantity: readNumber(draft.quote) }
    : { ...shared, quantity: readNumber(draft.quantity) };
}
