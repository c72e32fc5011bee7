import * as answers from '../../../application/format-average.ts';
import type { Amount } from '../../../domain/amount.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';

/** Money divided by quantity as a price, formatted for answers; null if nothing was traded. */
export function formatAverage(
  market: Pick<FuturesMarket, 'tickSize' | 'lotSize'>,
  quote: Amount,
  lots: bigint,
): string | null {
  const quantity = (lots * market.lotSize) as Decimal;
  return quantity === 0n ? null : answers.formatAverage(quote, quantity, market.tickSize);
}
