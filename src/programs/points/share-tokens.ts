import type { Points } from './points.ts';

// Shares a season's pool in whole tokens in proportion to points, by largest remainder, so that the
// shares always sum to the pool (contract.md section 7).

/**
 * A participant of a season. Participants are ordered as in the ranking: by points, then address.
 */
export interface Participant<K> {
  readonly key: K;
  readonly points: Points;
}

/** A participant's part of the pool in whole tokens. */
export interface TokenShare<K> {
  readonly key: K;
  readonly tokens: bigint;
}

/** A proportional share before the remainders are given out. */
export interface RawShare {
  readonly tokens: bigint;
  /**
   * The part that was cut off, in 1/total tokens; the largest remainders receive one more token.
   */
  readonly remainder: bigint;
}

/**
 * A participant's share of a pool in whole tokens, rounded down, and the remainder. The total must
 * be positive.
 */
export function cutShare(pool: bigint, points: Points, total: Points): RawShare {
  const product = pool * points;
  return { tokens: product / total, remainder: product % total };
}

/** Shares out the whole pool. If nobody has points, every share is zero. */
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
  const roundedUp = new Set(byRemainder.slice(0, Number(pool - given)).map(({ place }) => place));
  return shares.map(({ key, tokens }, place) => ({
    key,
    tokens: roundedUp.has(place) ? tokens + 1n : tokens,
  }));
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
