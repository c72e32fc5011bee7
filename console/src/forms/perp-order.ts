import { fromUnits, toUnits } from '@openbourse/client';
import { readNumber } from '../number/read-number.ts';
import * as texts from '../text/en/frame.ts';

// The perpetuals ticket: converts what is typed to a request, and finds errors in it.

export type PerpType =
  | 'LIMIT'
  | 'MARKET'
  | 'STOP'
  | 'STOP_MARKET'
  | 'TAKE_PROFIT'
  | 'TAKE_PROFIT_MARKET'
  | 'TRAILING_STOP_MARKET';

export interface PerpDraft {
  readonly side: 'BUY' | 'SELL';
  readonly type: PerpType;
  readonly tif: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
  readonly price: string;
  readonly stop: string;
  readonly quantity: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** The price from which a trailing stop follows; empty: at once. */
  readonly activation: string;
  /** The callback of a trailing stop, in percent. */
  readonly callback: string;
  /** The maximum slippage of a market order, in percent of the best price; empty: unlimited. */
  readonly slippage: string;
  /** The price that triggers. */
  readonly working: 'CONTRACT_PRICE' | 'MARK_PRICE';
  /** How many hours a GTD order lives. */
  readonly hours: string;
  readonly isReduceOnly: boolean;
}

/** True if the order waits for a trigger price before it becomes an order. */
export function isTrigger({ type }: PerpDraft): boolean {
  return type !== 'LIMIT' && type !== 'MARKET';
}

export function isTrailing({ type }: PerpDraft): boolean {
  return type === 'TRAILING_STOP_MARKET';
}

/** True if the order has a limit price. */
export function hasLimit({ type }: PerpDraft): boolean {
  return type === 'LIMIT' || type === 'STOP' || type === 'TAKE_PROFIT';
}

/** True if every field that the order needs is filled. */
export function isPerpComplete(draft: PerpDraft): boolean {
  const needed = [
    draft.quantity,
    ...(hasLimit(draft) ? [draft.price] : []),
    ...(isTrailing(draft) ? [draft.callback] : isTrigger(draft) ? [draft.stop] : []),
  ];
  return needed.every((text) => readNumber(text) !== null) && judgeCallback(draft) === null;
}

/** The error code for the price or quantity; null if it is valid or empty. */
export function judgeStep(text: string, step: string, code: string): string | null {
  const number = readNumber(text);
  if (number === null) return null;
  return toUnits(number) === 0n || toUnits(number) % toUnits(step) !== 0n ? code : null;
}

/** Checks the callback of a trailing stop: 0.1 to 5 percent, in steps of 0.01. */
export function judgeCallback(draft: PerpDraft): string | null {
  const number = isTrailing(draft) ? readNumber(draft.callback) : null;
  if (number === null) return null;
  const units = toUnits(number);
  const isOff = units % toUnits('0.01') !== 0n;
  return isOff || units < toUnits('0.1') || units > toUnits('5') ? 'INVALID_CALLBACK_RATE' : null;
}

const hourMs = 3_600_000;

function triggerFields(draft: PerpDraft, now: number) {
  if (!isTrigger(draft)) return {};
  const activation = readNumber(draft.activation);
  return {
    workingType: draft.working,
    ...(isTrailing(draft)
      ? {
          callbackRate: readNumber(draft.callback),
          ...(activation === null ? {} : { activationPrice: activation }),
        }
      : { stopPrice: readNumber(draft.stop) }),
    ...(hasLimit(draft) && draft.tif === 'GTD'
      ? { goodTillDate: Math.floor(now / 1000) * 1000 + Number(draft.hours) * hourMs }
      : {}),
  };
}

function childFields(draft: PerpDraft) {
  const takeProfit = isTrigger(draft) ? null : readNumber(draft.takeProfit);
  const stopLoss = isTrigger(draft) ? null : readNumber(draft.stopLoss);
  return {
    ...(takeProfit === null ? {} : { take_profit_price: takeProfit }),
    ...(stopLoss === null ? {} : { stop_loss_price: stopLoss }),
  };
}

/** The maximum slippage of a market order as the fraction that the service expects; null: none. */
function slippageOf({ type, slippage }: PerpDraft): string | null {
  const percent = type === 'MARKET' ? readNumber(slippage) : null;
  return percent === null ? null : fromUnits(toUnits(percent) / 100n);
}

/** The request for the draft; `now` in the server's milliseconds since 1970. */
export function perpOrderBody(
  draft: PerpDraft,
  symbol: string,
  { clientOrderId, now }: { readonly clientOrderId: string; readonly now: number },
) {
  const slippage = slippageOf(draft);
  return {
    symbol,
    side: draft.side,
    type: draft.type,
    newClientOrderId: clientOrderId,
    quantity: readNumber(draft.quantity),
    ...(hasLimit(draft) ? { price: readNumber(draft.price), timeInForce: draft.tif } : {}),
    ...triggerFields(draft, now),
    ...(draft.isReduceOnly ? { reduceOnly: true } : {}),
    ...childFields(draft),
    ...(slippage === null ? {} : { max_slippage: slippage }),
  };
}

/** What the service is asked about the order before it is placed; an empty quantity: not yet. */
export function perpPreviewBody(draft: PerpDraft, symbol: string) {
  const { side, type, isReduceOnly } = draft;
  const price = type === 'LIMIT' ? readNumber(draft.price) : null;
  return {
    symbol,
    side,
    type: type as 'LIMIT' | 'MARKET',
    quantity: readNumber(draft.quantity) ?? '',
    ...(price === null ? {} : { price }),
    ...(isReduceOnly ? { reduceOnly: true } : {}),
  };
}

const slippageMax = toUnits('0.01');
const largeShare = 20n;

interface Estimate {
  /** A fraction of the best price. */
  readonly est_slippage: string;
  readonly est_notional: string;
}

/** The question before a market order that slips far or is large for the equity; null: none. */
export function warningOfMarketOrder(estimate: Estimate, equity: string): string | null {
  if (toUnits(estimate.est_slippage) > slippageMax) {
    return texts.estimateIsWorse;
  }
  return toUnits(estimate.est_notional) * largeShare > toUnits(equity)
    ? texts.overShareOfEquity
    : null;
}
