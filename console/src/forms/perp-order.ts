import { toUnits } from '@openbourse/client';
import { readNumber } from '../number/read-number.ts';

// The perpetuals ticket: from what is typed to the request, and what is wrong with it.

export interface PerpDraft {
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'MARKET' | 'STOP_MARKET' | 'TAKE_PROFIT_MARKET';
  readonly tif: 'GTC' | 'IOC' | 'FOK' | 'GTX';
  readonly price: string;
  readonly stop: string;
  readonly quantity: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly leverage: number;
  readonly isReduceOnly: boolean;
}

export function isTrigger({ type }: PerpDraft): boolean {
  return type === 'STOP_MARKET' || type === 'TAKE_PROFIT_MARKET';
}

/** Whether every field that the order needs is filled. */
export function isPerpComplete(draft: PerpDraft): boolean {
  if (readNumber(draft.quantity) === null) return false;
  if (draft.type === 'LIMIT') return readNumber(draft.price) !== null;
  return !isTrigger(draft) || readNumber(draft.stop) !== null;
}

export interface PerpTerms {
  readonly tick_size: string;
  readonly lot_size: string;
}

/** The code of what is wrong with the price or quantity; null where nothing is, or it is empty. */
export function judgeStep(text: string, step: string, code: string): string | null {
  const number = readNumber(text);
  if (number === null) return null;
  return toUnits(number) === 0n || toUnits(number) % toUnits(step) !== 0n ? code : null;
}

/** The request that the draft stands for. */
export function perpOrderBody(draft: PerpDraft, symbol: string, clientOrderId: string) {
  const takeProfit = readNumber(draft.takeProfit);
  const stopLoss = readNumber(draft.stopLoss);
  return {
    ...{ symbol, side: draft.side, type: draft.type, newClientOrderId: clientOrderId },
    ...{ quantity: readNumber(draft.quantity), leverage: draft.leverage },
    ...(draft.type === 'LIMIT' ? { price: readNumber(draft.price), timeInForce: draft.tif } : {}),
    ...(isTrigger(draft) ? { stopPrice: readNumber(draft.stop) } : {}),
    ...(draft.isReduceOnly ? { reduceOnly: true } : {}),
    ...(takeProfit === null ? {} : { take_profit_price: takeProfit }),
    ...(stopLoss === null ? {} : { stop_loss_price: stopLoss }),
  };
}
