import type { TimestampMs } from '../../domain/identifiers.ts';
import { shownVolumeDays } from '../../programs/vip/vip-volume.ts';
import type { OldRecordKind, OldRecords } from '../ports-jobs.ts';

export interface PruneRecordsPorts {
  readonly oldRecords: OldRecords;
  readonly now: () => TimestampMs;
}

export interface PruneTurn {
  readonly signal: AbortSignal;
  /** Gives others a turn before the next rows go. */
  readonly rest: () => Promise<void>;
}

const dayMs = 86_400_000;
// So many rows go in some milliseconds.
const rowsAtOnce = 5_000;

/** How long after its time is over a record stays. */
const keptDays: ReadonlyMap<OldRecordKind, number> = new Map([
  ['loginNonces', 0],
  // No volume looks back further; a day more, so that no clock that is behind misses anything.
  ['futuresVolumeHours', shownVolumeDays + 1],
  ['rewardVouchers', 90],
  // The histories of the wallet and of referral hold the same for good.
  ['accountEvents', 30],
  ['downloads', 0],
]);

/**
 * Removes what is kept for a time only. What a user can ask for, and what the books rest on, stays.
 * @throws DatabaseError
 */
export async function pruneRecords(
  { oldRecords, now }: PruneRecordsPorts,
  { signal, rest }: PruneTurn,
): Promise<void> {
  for (const [kind, days] of keptDays) {
    const before = (now() - days * dayMs) as TimestampMs;
    while (!signal.aborted) {
      const removed = await oldRecords.remove(kind, { before, rowsMax: rowsAtOnce });
      if (removed < rowsAtOnce) break;
      await rest();
    }
  }
}
