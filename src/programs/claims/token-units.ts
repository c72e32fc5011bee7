import { type Amount, amountScale, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { type Decimal, decimalScale } from '../../domain/decimal.ts';

// On chain a token counts in its own smallest unit, in the engine in 10^-8. What does not fit is
// cut off, so that a deposit never credits more, and a withdrawal never pays more, than there was.

/**
 * Converts a token's smallest units on chain to an amount, rounded down; the remainder stays with
 * the exchange.
 */
export function amountFromRaw(rawAmount: bigint, tokenDecimals: number): Amount {
  const excess = tokenDecimals - amountScale;
  return toAmount(
    excess > 0 ? rawAmount / 10n ** BigInt(excess) : rawAmount * 10n ** BigInt(-excess),
  );
}

/**
 * Converts an amount that `cutForToken` returned to the token's smallest unit on chain. Throws an
 * AssertionError if the amount has more decimals than the token.
 */
export function rawFromAmount(amount: Amount, tokenDecimals: number): bigint {
  const missing = amountScale - tokenDecimals;
  if (missing <= 0) return amount * 10n ** BigInt(-missing);
  const unit = 10n ** BigInt(missing);
  assert(amount % unit === 0n, 'the amount has more decimals than the token');
  return amount / unit;
}

/** Rounds the decimal towards zero to what both the engine and the token can represent. */
export function cutForToken(value: Decimal, tokenDecimals: number): Amount {
  const places = Math.min(amountScale, tokenDecimals);
  const unit = 10n ** BigInt(decimalScale - places);
  return toAmount((value / unit) * 10n ** BigInt(amountScale - places));
}
