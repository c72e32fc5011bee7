import { listOf, textOf } from '../../client/api-client.ts';
import { decimalOne, parseDecimal } from '../../domain/decimal.ts';
import { type MicroUsdt, toMicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';

// What a trader's trades must have earned the referrer, recomputed from the trades that the
// exchange shows: each fee at its trade's price, times the rate, rounded down per trade.

const decimalUnitsPerMicro = 10n ** 12n;

/** Computed from a page of GET /spot/trades. */
export function expectedCommission(trades: unknown, rate: string): MicroUsdt {
  return listOf(trades, 'items').reduce<MicroUsdt>((sum, trade) => {
    const fee = decimalOf(textOf(trade, 'fee'));
    const isUsdt = textOf(trade, 'fee_token') === 'USDT';
    const feeValue = isUsdt ? fee : (fee * decimalOf(textOf(trade, 'price'))) / decimalOne;
    const commission = (feeValue * decimalOf(rate)) / decimalOne / decimalUnitsPerMicro;
    return toMicroUsdt(sum + commission);
  }, zeroMicroUsdt);
}

export function decimalOf(text: string): bigint {
  const value = parseDecimal(text);
  if (value === null) throw new TypeError(`${text} is not a decimal`);
  return value;
}
