import {
  type Decimal,
  decimalOne,
  formatDecimal,
  requireDecimal,
} from '../../../domain/decimal.ts';

const ratioUnit = 10_000n;

/** Rounded to four decimals, halves away from zero; 0 if the denominator is 0. */
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

/** The part of a volume that takers sold, and the ratio of what they bought to it. */
export function ratioText(
  bought: string,
  volume: string,
): { readonly sold: string; readonly ratio: string } {
  const sold = requireDecimal(volume) - requireDecimal(bought);
  return { sold: formatDecimal(sold as Decimal), ratio: quotient(requireDecimal(bought), sold) };
}

/** The distance of a price from the index, in USDT and as a fraction of the index. */
export function basisOf(price: string, index: string) {
  const difference = requireDecimal(price) - requireDecimal(index);
  return {
    futuresPrice: price,
    indexPrice: index,
    basis: formatDecimal(difference as Decimal),
    basisRate: quotient(difference, requireDecimal(index)),
    // A perpetual has no delivery date from which to compute an annual rate.
    annualizedBasisRate: '',
  };
}
