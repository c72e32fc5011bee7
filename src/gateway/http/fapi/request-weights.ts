import type { QueryFields, Weighs } from '../endpoint.ts';

// Binance's weights that depend on the parameters. A missing or malformed limit weighs like the
// default.

/** One weight for a single market, another for all, for example 1 and 40. */
export function bySymbol(one: number, all: number): Weighs {
  return (query) => (isGiven(query, 'symbol') ? one : all);
}

/** Each step's weight applies up to its limit, the last one beyond. */
function byLimit(
  usual: number,
  steps: readonly (readonly [limit: number, weight: number])[],
): Weighs {
  return (query) => {
    const asked = Number(valueOf(query, 'limit') ?? usual);
    const limit = asked >= 1 ? asked : usual;
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

function isGiven(query: QueryFields, name: string): boolean {
  const value = valueOf(query, name);
  return value !== undefined && value !== '';
}

// Parameters are read in any letter case, so the weight must not depend on it.
function valueOf(query: QueryFields, name: string): unknown {
  for (const key in query) if (key.toLowerCase() === name) return query[key];
  return undefined;
}
