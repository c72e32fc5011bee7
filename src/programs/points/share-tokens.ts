import type { Points } from './points.ts';

// How a season's pool is shared: by points, in whole tokens, by largest remainder, so that the
// parts always sum to the pool (contract.md section 7).

/** Who shares, in the order of the ranking: points, then address. */
export interface Participant<K> {
  readonly key: K;
  readonly points: Points;
}

export interface TokenShare<K> {
  readonly key: K;
  readonly tokens: bigint;
}

export interface RawShare {
  readonly tokens: bigint;
  /** What was cut off, in parts of the total; the largest ones get a token more. */
  readonly remainder: bigint;
}

/** One participant's whole tokens of a pool, rounded down, with what was cut off. */
export function cutShare(pool: bigint, points: Points, total: Points): RawShare {
  const product = pool * points;
  return { tokens: product / total, remainder: product % total };
}

/** Shares the pool out exactly; nobody has points: nobody gets anything. */
export function shareTokens<K>(
  pool: bigint,
  participants: readonly Participant<K>[],
): readonly TokenShare<K>[] {
  const total = participants.reduce((sum, { points }) => sum + points, 0n) as Points;
  if (total === 0n) return participants.map(({ key }) => ({ key, tokens: 0n }));
  const shares = participants.map(({ key, points }) => ({ key, ...cutShare(pool, points, total) }));
  const given = shares.reduce((sum, { tokens }) => sum + tokens, 0n);
  const byRemainder = shares
    .map(({ remainder }, place) => ({ remainder, place }))
    .sort((left, right) => compare(right.remainder, left.remainder) || left.place - right.place);
  const favoured = new Set(byRemainder.slice(0, Number(pool - given)).map(({ place }) => place));
  return shares.map(({ key, tokens }, place) => ({
    key,
    tokens: favoured.has(place) ? tokens + 1n : tokens,
  }));
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
