import type { Amount } from '../../../domain/amount.ts';
import { formatScaled } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';

const averageScale = 8;
const amountToLotScale = 10n ** 18n;

/** Money over quantity as a price with 8 decimals, cut; null where nothing was traded. */
export function formatAverage(market: FuturesMarket, quote: Amount, lots: bigint): string | null {
  const quantity = lots * market.lotSize;
  return quantity === 0n ? null : formatScaled((quote * amountToLotScale) / quantity, averageScale);
}
