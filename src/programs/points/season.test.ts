import { describe, expect, it, test } from 'vitest';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { earnLevelOf, findEarnLevelFault } from './earn-levels.ts';
import { epochTier } from './epoch-tiers.ts';
import { type DayNumber, type EpochNumber, epochEnd, epochOfDay, epochStart } from './epochs.ts';
import { toPoints } from './points.ts';
import { epochSettlingMs, nextSeasonStep } from './season.ts';

// 1970-01-05 was a Monday.
const monday = 4 as DayNumber;
const epoch = (number: number): EpochNumber => number as EpochNumber;
const at = (time: number): TimestampMs => time as TimestampMs;

test('epochs: weeks from a Monday, numbered from 1', () => {
  expect(epochOfDay(monday, monday)).toBe(1);
  expect(epochOfDay(10 as DayNumber, monday)).toBe(1);
  expect(epochOfDay(11 as DayNumber, monday)).toBe(2);
  expect(epochOfDay(3 as DayNumber, monday)).toBe(0);
  expect(epochEnd(epoch(1), monday)).toBe(epochStart(epoch(2), monday));
  expect(new Date(epochStart(epoch(2), monday)).toISOString()).toBe('1970-01-12T00:00:00.000Z');
});

test('epochTier: T1 ranks 1-10, T2 11-100, T3 below', () => {
  expect([1, 10, 11, 100, 101, 1_000_000].map(epochTier)).toEqual([
    'T1',
    'T1',
    'T2',
    'T2',
    'T3',
    'T3',
  ]);
});

describe('nextSeasonStep', () => {
  const terms = { startEpoch: epoch(2), endEpoch: epoch(3), snapshotAt: null };
  const start = epochStart(epoch(2), monday);
  const end = epochEnd(epoch(3), monday) + epochSettlingMs;

  it('season: goes active when its first epoch starts', () => {
    expect(nextSeasonStep('pending', terms, at(start - 1), monday)).toBeNull();
    expect(nextSeasonStep('pending', terms, at(start), monday)).toBe('activate');
    expect(nextSeasonStep('pending', terms, at(end), monday)).toBe('activate');
  });

  it('season: its snapshot is due at snapshot_at, or when its last epoch has ended', () => {
    expect(nextSeasonStep('active', terms, at(end - 1), monday)).toBeNull();
    expect(nextSeasonStep('active', terms, at(end), monday)).toBe('snapshot');
    const scheduled = { ...terms, snapshotAt: at(start + 5) };
    expect(nextSeasonStep('active', scheduled, at(start + 4), monday)).toBeNull();
    expect(nextSeasonStep('active', scheduled, at(start + 5), monday)).toBe('snapshot');
  });

  it('season: a completed one stays completed', () => {
    expect(nextSeasonStep('completed', terms, at(end), monday)).toBeNull();
  });
});

describe('earn levels', () => {
  const bounds: readonly [number, number | null][] = [
    [0, 999],
    [1000, 9999],
    [10_000, 49_999],
    [50_000, 199_999],
    [200_000, 499_999],
    [500_000, null],
  ];
  const levels = bounds.map(([pointsMin, pointsMax], level) => ({
    level,
    pointsMin,
    pointsMax,
    weight: level,
  }));

  it('levels: the defaults are valid', () => {
    expect(findEarnLevelFault(levels)).toBeNull();
  });

  it.each([
    ['a gap', 2, { pointsMin: 10_001 }],
    ['an overlap', 2, { pointsMin: 9_999 }],
    ['an end before the beginning', 1, { pointsMax: 999 }],
    ['an end of the highest', 5, { pointsMax: 600_000 }],
    ['no end below the highest', 1, { pointsMax: null }],
    ['a level twice', 3, { level: 2 }],
    ['a first that begins above 0', 0, { pointsMin: 1 }],
  ])('levels: %s is invalid', (_name, index, change) => {
    const changed = levels.map((row, place) => (place === index ? { ...row, ...change } : row));
    expect(findEarnLevelFault(changed)).toEqual(expect.any(String));
  });

  it('levels: five rows are invalid', () => {
    expect(findEarnLevelFault(levels.slice(0, 5))).toEqual(expect.any(String));
  });

  it.each([
    [0n, 0],
    [99_999_999_999n, 0],
    [100_000_000_000n, 1],
    [49_999_999_999_999n, 4],
    [50_000_000_000_000n, 5],
    [10n ** 30n, 5],
  ])('earnLevelOf: %s units of 10^-8 points are level %s', (units, level) => {
    expect(earnLevelOf(toPoints(units), levels).level).toBe(level);
  });
});
