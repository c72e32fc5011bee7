import type { TimestampMs } from '../../domain/identifiers.ts';
import { type DayNumber, type EpochNumber, epochEnd, epochStart } from './epochs.ts';

// A season goes active when its first epoch starts, and completed when its snapshot is taken: at
// snapshot_at, else when its last epoch ends. There is no state between and no way back.

export type SeasonStatus = 'pending' | 'active' | 'completed';

/** When a season moves. */
export interface SeasonTerms {
  readonly startEpoch: EpochNumber;
  readonly endEpoch: EpochNumber;
  readonly snapshotAt: TimestampMs | null;
}

/**
 * What the last moments of an epoch are given to be counted before a snapshot at its end: commands
 * that were stamped in it may still be on their way to the disk.
 */
export const epochSettlingMs = 10_000;

export type SeasonStep = 'activate' | 'snapshot';

/** The step that is due; a pending season is activated first, however late it is. */
export function nextSeasonStep(
  status: SeasonStatus,
  terms: SeasonTerms,
  now: TimestampMs,
  firstDay: DayNumber,
): SeasonStep | null {
  switch (status) {
    case 'pending':
      return now >= epochStart(terms.startEpoch, firstDay) ? 'activate' : null;
    case 'active':
      return now >= snapshotTime(terms, firstDay) ? 'snapshot' : null;
    case 'completed':
      return null;
  }
}

function snapshotTime({ snapshotAt, endEpoch }: SeasonTerms, firstDay: DayNumber): number {
  return snapshotAt ?? epochEnd(endEpoch, firstDay) + epochSettlingMs;
}
