import { formatScaled } from '../../../domain/decimal.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';

const bpsScale = 4;

/** A rate in basis points, as a fraction. */
export function rateOf(bps: number): string {
  return formatScaled(BigInt(bps), bpsScale);
}

/** A market's rates as fractions; there is no surcharge for buyers or sellers. */
export function ratesOf({ makerFeeBps, takerFeeBps }: SpotMarket) {
  return { maker: rateOf(makerFeeBps), taker: rateOf(takerFeeBps), buyer: '0', seller: '0' };
}

export const noRates = { maker: '0', taker: '0', buyer: '0', seller: '0' } as const;
