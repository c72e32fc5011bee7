import type { Weighs } from '../endpoint.ts';
import { FapiFields } from '../fapi/fapi-fields.ts';

// Binance's spot weights that depend on the parameters, which are read like the handlers read them:
// a call must not weigh less than what it does.

/** The weight of depth depends on its levels. */
export const depthWeight: Weighs = (query) => {
  const limit = new FapiFields(query).integer('limit') ?? 100;
  if (limit > 1_000) return 250;
  if (limit > 500) return 50;
  return limit > 100 ? 25 : 5;
};

/** One weight for a single market, another for several or all. */
export function byMarkets(one: number, several: number): Weighs {
  return (query) => (new FapiFields(query).has('symbol') ? one : several);
}

/** `each` for each market, at most `most`. */
export function byListedMarkets(each: number, most: number): Weighs {
  return (query) => {
    const count = new FapiFields(query).list('symbols')?.length ?? 1;
    return Math.min(most, each * Math.max(1, count));
  };
}

/** The weight of the day's statistics depends on the number of markets. */
export const dayTickerWeight: Weighs = (query) => {
  const fields = new FapiFields(query);
  if (fields.has('symbol')) return 2;
  const symbols = fields.list('symbols');
  if (symbols === null || symbols.length > 100) return 80;
  return symbols.length > 20 ? 40 : 2;
};

export const ownTradesWeight: Weighs = (query) => (new FapiFields(query).has('orderId') ? 5 : 20);

export const testWeight: Weighs = (query) =>
  new FapiFields(query).flag('computeCommissionRates') === true ? 20 : 1;
