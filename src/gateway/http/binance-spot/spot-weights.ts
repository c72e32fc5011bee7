import type { QueryFields, Weighs } from '../endpoint.ts';

// Binance's spot weights that depend on the parameters.

/** The weight of depth depends on its levels. */
export const depthWeight: Weighs = (query) => {
  const limit = Number(query['limit'] ?? 100);
  if (limit > 1_000) return 250;
  if (limit > 500) return 50;
  return limit > 100 ? 25 : 5;
};

/** One weight for a single market, another for several or all. */
export function byMarkets(one: number, several: number): Weighs {
  return (query) => (isGiven(query, 'symbol') ? one : several);
}

/** `each` for each market, at most `most`. */
export function byListedMarkets(each: number, most: number): Weighs {
  return (query) => {
    const { symbols } = query;
    const count = typeof symbols === 'string' ? symbols.split(',').length : 1;
    return Math.min(most, each * count);
  };
}

/** The weight of the day's statistics depends on the number of markets. */
export const dayTickerWeight: Weighs = (query) => {
  if (isGiven(query, 'symbol')) return 2;
  const { symbols } = query;
  if (typeof symbols !== 'string' || symbols === '') return 80;
  const count = symbols.split(',').length;
  if (count > 100) return 80;
  return count > 20 ? 40 : 2;
};

export const ownTradesWeight: Weighs = (query) => (isGiven(query, 'orderId') ? 5 : 20);

export const testWeight: Weighs = ({ computeCommissionRates }) =>
  computeCommissionRates === 'true' ? 20 : 1;

function isGiven(query: QueryFields, name: string): boolean {
  const value = query[name];
  return value !== undefined && value !== '';
}
