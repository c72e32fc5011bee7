import { type Amount, amountFromDecimal, amountScale } from '../../domain/amount.ts';
import { type Decimal, parseDecimalValue } from '../../domain/decimal.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';

/** The field as a decimal above zero. */
export function readPositiveDecimal(field: string, value: string | number): Outcome<Decimal> {
  const decimal = parseDecimalValue(value);
  if (decimal === null) return malformedDecimal(field);
  return decimal > 0n ? done(decimal) : invalid(`${field}: must be above 0`);
}

/** The field as an amount of money of any sign. */
export function readAmount(field: string, value: string | number): Outcome<Amount> {
  const decimal = parseDecimalValue(value);
  if (decimal === null) return malformedDecimal(field);
  const amount = amountFromDecimal(decimal);
  return amount === null ? invalid(`${field}: at most ${amountScale} decimals`) : done(amount);
}

/** The field as an amount of money above zero. */
export function readPositiveAmount(field: string, value: string | number): Outcome<Amount> {
  const amount = readAmount(field, value);
  if (amount.kind === 'refused' || amount.value > 0n) return amount;
  return invalid(`${field}: must be above 0`);
}

interface MarketSizes {
  readonly tickSize: Decimal;
  readonly lotSize: Decimal;
  readonly minNotional: Amount;
}

/** The sizes of a new market; the smallest notional may still be below zero. */
export function readMarketSizes(body: {
  readonly tick_size: string | number;
  readonly lot_size: string | number;
  readonly min_notional: string | number;
}): Outcome<MarketSizes> {
  const tickSize = readPositiveDecimal('tick_size', body.tick_size);
  if (tickSize.kind === 'refused') return tickSize;
  const lotSize = readPositiveDecimal('lot_size', body.lot_size);
  if (lotSize.kind === 'refused') return lotSize;
  const minNotional = readAmount('min_notional', body.min_notional);
  if (minNotional.kind === 'refused') return minNotional;
  return done({
    tickSize: tickSize.value,
    lotSize: lotSize.value,
    minNotional: minNotional.value,
  });
}

/** The reader's result for a field that can be absent or null: then null. */
export function readOptional<T>(
  read: (field: string, value: string | number) => Outcome<T>,
  field: string,
  value: string | number | null | undefined,
): Outcome<T | null> {
  return value === undefined || value === null ? done(null) : read(field, value);
}

function malformedDecimal(field: string): Outcome<never> {
  return invalid(`${field}: not a plain decimal number`);
}

/** The refusal of a value, with what is wrong with it. */
export function invalid(detail: string): Outcome<never> {
  return refused({ reason: 'parameter_invalid', detail });
}
