import type { Amount } from '../domain/amount.ts';
import { decimalsPerAmount } from '../domain/amount.ts';
import { type Decimal, decimalScale, formatScaled } from '../domain/decimal.ts';

const eightDecimals = 10n ** 10n;

/** Money over a positive quantity, cut to 8 decimals or the tick's, whichever is finer. */
export function formatAverage(money: Amount, quantity: Decimal, tickSize: Decimal): string {
  const average = (money * decimalsPerAmount * 10n ** BigInt(decimalScale)) / quantity;
  const step = averageStep(tickSize);
  return formatScaled(average - (average % step), decimalScale);
}

function averageStep(tickSize: Decimal): bigint {
  let step = 1n;
  while (step < eightDecimals && tickSize % (step * 10n) === 0n) step *= 10n;
  return step;
}
