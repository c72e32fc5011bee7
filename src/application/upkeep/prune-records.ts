import type { TimestampMs } from '../../domain/identifiers.ts';
import { shownVolumeDays } from '../../programs/vip/vip-volume.ts';
import type { OldRecordKind, OldRecords } from '../ports/jobs.ts';

export interface PruneRecordsPorts {
  readonly oldRecords: OldRecords;
  readonly now: () => TimestampMs;
}

export interface PruneTurn {
  readonly signal: AbortSignal;
  /** Yields to other work before the next rows are removed. */
  readonly rest: () => Promise<void>;
}

const dayMs = 86_400_000;
// Removing this many rows takes a few milliseconds.
const rowsAtOnce = 5_000;

/** How many days a record is kept after it has expired. */
const keptDays: ReadonlyMap<OldRecordKind, number> = new Map([
  ['loginNonces', 0],
  ['endedSessions', 0],
  // No volume covers a longer time; one extra day allows for a clock that is slow.
  ['futuresVolumeHours', shownVolumeDays + 1],
  ['rewardVouchers', 90],
  // The histories of the wallet and of referral keep the same data permanently.
  ['accountEvents', 30],
  ['downloads', 0],
]);

/**
 * Removes records that are only kept for a time. What users can request, and what the books are
 * based on, is kept.
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
