import type { TimestampMs } from '../../domain/identifiers.ts';
import { type DayNumber, type EpochNumber, epochEnd, epochStart } from './epochs.ts';

// A season becomes active when its first epoch starts, and completed when its snapshot is taken: at
// snapshot_at, or when its last epoch ends. There is no intermediate state and no way back.

/** A season's state: before its first epoch, during its epochs, after its snapshot. */
export type SeasonStatus = 'pending' | 'active' | 'completed';

/** The terms that decide when a season changes state. */
export interface SeasonTerms {
  readonly startEpoch: EpochNumber;
  readonly endEpoch: EpochNumber;
  readonly snapshotAt: TimestampMs | null;
}

/**
 * Milliseconds between the end of an epoch and a snapshot of it: commands stamped within the epoch
 * may not yet be on disk when it ends.
 */
export const epochSettlingMs = 10_000;

/** The next state change of a season. */
export type SeasonStep = 'activate' | 'snapshot';

/** Returns the step that is due, or null. A pending season is activated first, however late. */
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
