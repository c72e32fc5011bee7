import type { Weighs } from '../endpoint.ts';
import { FapiFields } from './fapi-fields.ts';

// Binance's weights that depend on the parameters, which are read like the handlers read them: a
// call must not weigh less than what it does. A missing or malformed limit weighs like the default.

/** One weight for a single market, another for all, for example 1 and 40. */
export function bySymbol(one: number, all: number): Weighs {
  return (query) => (new FapiFields(query).has('symbol') ? one : all);
}

/** Each step's weight applies up to its limit, the last one beyond. */
function byLimit(
  usual: number,
  steps: readonly (readonly [limit: number, weight: number])[],
): Weighs {
  return (query) => {
    const limit = new FapiFields(query).integer('limit', 1) ?? usual;
    const step = steps.find(([most]) => limit <= most) ?? steps.at(-1);
    return step?.[1] ?? 1;
  };
}

export const depthWeight = byLimit(500, [
  [50, 2],
  [100, 5],
  [500, 10],
  [1_000, 20],
]);

export const klineWeight = byLimit(500, [
  [99, 1],
  [499, 2],
  [1_000, 5],
  [1_500, 10],
]);
