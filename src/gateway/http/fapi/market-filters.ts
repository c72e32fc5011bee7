import type { Decimal } from '../../../domain/decimal.ts';
import { type FuturesMarket, futuresPriceMax } from '../../../domain/futures-market.ts';
import {
  type Lots,
  lotsFromDecimal,
  type Ticks,
  ticksFromDecimal,
} from '../../../domain/spot-market.ts';

// The bounds of PRICE_FILTER and LOT_SIZE: exchangeInfo publishes them, and orders must meet them.

const most = 1_000_000_000n * 10n ** 18n;

export function largestPrice({ tickSize }: FuturesMarket): Decimal {
  return largestMultiple(tickSize, futuresPriceMax);
}

export function largestQuantity({ lotSize }: FuturesMarket): Decimal {
  return largestMultiple(lotSize, Number.MAX_SAFE_INTEGER);
}

/** The price in ticks; null if PRICE_FILTER refuses it. */
export function filterPrice(market: FuturesMarket, price: Decimal): Ticks | null {
  return price > largestPrice(market) ? null : ticksFromDecimal(market, price);
}

/** The quantity truncated to whole lots; null if LOT_SIZE refuses it. */
export function cutToLots(market: FuturesMarket, quantity: Decimal): Lots | null {
  const cut = (quantity - (quantity % market.lotSize)) as Decimal;
  return cut === 0n || cut > most ? null : lotsFromDecimal(market, cut);
}

function largestMultiple(unit: Decimal, countMax: number): Decimal {
  const units = most / unit;
  const unitsMax = BigInt(countMax);
  return ((units < unitsMax ? units : unitsMax) * unit) as Decimal;
}
