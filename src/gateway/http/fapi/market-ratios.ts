import { assert } from '../../../domain/assert.ts';
import { type Decimal, formatDecimal, parseDecimal } from '../../../domain/decimal.ts';

const ratioUnit = 10_000n;
const decimalOne = 10n ** 18n;

function decimalOf(text: string): bigint {
  const value = parseDecimal(text);
  assert(value !== null, `${text} is a decimal`);
  return value;
}

/** To four decimals, halves away from zero; 0 over nothing. */
function quotient(numerator: bigint, denominator: bigint): string {
  if (denominator === 0n) return '0';
  const isNegative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [abs(numerator), abs(denominator)];
  const rounded = (2n * top * ratioUnit + bottom) / (2n * bottom);
  const value = (rounded * decimalOne) / ratioUnit;
  return formatDecimal((isNegative ? 0n - value : value) as Decimal);
}

function abs(value: bigint): bigint {
  return value < 0n ? 0n - value : value;
}

/** What takers sold of a volume, and what they bought over it. */
export function ratioText(
  bought: string,
  volume: string,
): { readonly sold: string; readonly ratio: string } {
  const sold = decimalOf(volume) - decimalOf(bought);
  return { sold: formatDecimal(sold as Decimal), ratio: quotient(decimalOf(bought), sold) };
}

/** How far a price is from the index, in USDT and as a part of the index. */
export function basisOf(price: string, index: string) {
  const difference = decimalOf(price) - decimalOf(index);
  return {
    futuresPrice: price,
    indexPrice: index,
    basis: formatDecimal(difference as Decimal),
    basisRate: quotient(difference, decimalOf(index)),
    // A perpetual has no delivery to reckon a year's rate by.
    annualizedBasisRate: '',
  };
}
