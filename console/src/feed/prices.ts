import { heldAnswer } from '../api/query.ts';
import { decimalsOf, formatDecimal, formatWhole } from '../number/format.ts';
import type { MarketKind } from './market.ts';

const spotMarket = (symbol: string) =>
  heldAnswer('GET /api/v1/spot/markets')?.items.find(({ id }) => id === symbol);

/** The token that a spot market is priced in; null if the market is not read. */
export function quoteOf(symbol: string): string | null {
  return spotMarket(symbol)?.quote_token ?? null;
}

function tickOf(kind: MarketKind, symbol: string): string | undefined {
  if (kind === 'spot') return spotMarket(symbol)?.tick_size;
  return heldAnswer('GET /api/v1/markets')?.find((each) => each.symbol === symbol)?.tick_size;
}

/** A price with the decimals of its market's tick; of a market that is not read, with its own. */
export function formatPrice(
  kind: MarketKind,
  symbol: string,
  price: string | null | undefined,
): string {
  const tick = tickOf(kind, symbol);
  return tick === undefined ? formatWhole(price) : formatDecimal(price, decimalsOf(tick));
}
