import { type Decimal, parseDecimalValue } from '../../../domain/decimal.ts';
import { done, type Outcome, refused } from '../../../domain/outcome.ts';

const one = 10n ** 18n;

/** The field as a fraction from 0 to 1; null if it is absent. */
export function readMaxSlippage(
  value: string | number | null | undefined,
): Outcome<Decimal | null> {
  if (value === undefined || value === null) return done(null);
  const fraction = parseDecimalValue(value);
  if (fraction !== null && fraction >= 0n && fraction <= one) return done(fraction);
  const detail = 'max_slippage: a fraction from 0 to 1';
  return refused({ reason: 'parameter_invalid', detail });
}
