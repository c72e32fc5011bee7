import type { QueryFields, Weighs } from '../endpoint.ts';

// Binance's weights that depend on what is asked for. A limit that is missing or malformed weighs
// what the default weighs.

/** 40 of all markets, 1 of one; other calls have other pairs. */
export function bySymbol(one: number, all: number): Weighs {
  return (query) => (isGiven(query, 'symbol') ? one : all);
}

/** Each step weighs its weight up to its limit, the last one beyond. */
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

// Parameters are read in any letter case, so they weigh the same in any.
function valueOf(query: QueryFields, name: string): unknown {
  for (const key in query) if (key.toLowerCase() === name) return query[key];
  return undefined;
}
