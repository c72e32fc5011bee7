import type { QueryFields, Weighs } from '../endpoint.ts';

// Binance's weights of spot that depend on what is asked for.

/** Depth weighs by its levels. */
export const depthWeight: Weighs = (query) => {
  const limit = Number(query['limit'] ?? 100);
  if (limit > 1_000) return 250;
  if (limit > 500) return 50;
  return limit > 100 ? 25 : 5;
};

/** One of one market, another of several or all. */
export function byMarkets(one: number, several: number): Weighs {
  return (query) => (isGiven(query, 'symbol') ? one : several);
}

/** So much for each market, at most `most`. */
export function byListedMarkets(each: number, most: number): Weighs {
  return (query) => {
    const { symbols } = query;
    const count = typeof symbols === 'string' ? symbols.split(',').length : 1;
    return Math.min(most, each * count);
  };
}

/** The day's statistics weigh by how many markets are asked for. */
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
