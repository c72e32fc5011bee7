import { assert } from '../../domain/assert.ts';
import { type Points, wholePoints } from './points.ts';

// Earn levels map points to a subscription quota (interface.md, area 4). The rows cover every
// number of points from 0 on exactly once.

/** A range of points and the weight of the accounts within it. */
export interface EarnLevel {
  /** 0 to 5. */
  readonly level: number;
  /** Whole points, inclusive. */
  readonly pointsMin: number;
  /** Whole points, inclusive; null for the highest level. */
  readonly pointsMax: number | null;
  readonly weight: number;
}

export const earnLevelMax = 5;

/**
 * Returns what is wrong with a set of levels, as a message for an administrator; null if it is
 * valid.
 */
export function findEarnLevelFault(levels: readonly EarnLevel[]): string | null {
  if (levels.length !== earnLevelMax + 1) return `levels: one row for each level 0-${earnLevelMax}`;
  for (const [index, row] of levels.entries()) {
    const fault = findRowFault(row, index, levels[index - 1] ?? null);
    if (fault !== null) return fault;
  }
  return null;
}

function findRowFault(row: EarnLevel, index: number, below: EarnLevel | null): string | null {
  if (row.level !== index) return `level: the rows are 0-${earnLevelMax}, each once, in order`;
  const least = below === null ? 0 : (below.pointsMax ?? 0) + 1;
  if (row.pointsMin !== least) {
    return `points_min: level ${index} must begin at ${least}, without gap or overlap`;
  }
  if ((row.pointsMax === null) !== (index === earnLevelMax)) {
    return `points_max: level ${earnLevelMax} has none, every other level has one`;
  }
  if (row.pointsMax !== null && row.pointsMax < row.pointsMin) {
    return `points_max: level ${index} must not end before it begins`;
  }
  return null;
}

/**
 * The level for a number of points, rounded down to whole points. Throws an AssertionError if the
 * highest level has an end.
 */
export function earnLevelOf(points: Points, levels: readonly EarnLevel[]): EarnLevel {
  const whole = wholePoints(points);
  const found = levels.find(({ pointsMax }) => pointsMax === null || whole <= BigInt(pointsMax));
  assert(found !== undefined, 'the highest level has no upper bound');
  return found;
}
