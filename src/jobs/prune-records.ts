import { setTimeout as delay } from 'node:timers/promises';
import type { OldRecordKind, OldRecords } from '../application/ports-jobs.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { shownVolumeDays } from '../programs/vip/vip-volume.ts';
import type { TimedJob } from './timed-job.ts';

export interface PruneRecordsPorts {
  readonly oldRecords: OldRecords;
  readonly now: () => TimestampMs;
}

const dayMs = 86_400_000;
const intervalMs = 3_600_000;
// So many rows go in some milliseconds, and others get a turn before the next ones.
const rowsAtOnce = 5_000;
const pauseMs = 20;

/** How long after its time is over a record stays. */
const keptDays: ReadonlyMap<OldRecordKind, number> = new Map([
  ['loginNonces', 0],
  // No volume looks back further; a day more, so that no clock that is behind misses anything.
  ['futuresVolumeHours', shownVolumeDays + 1],
  ['rewardVouchers', 90],
]);

/**
 * Removes what is kept for a time only. What a user can ask for, and what the books rest on, stays.
 *
 * A late run does no harm: what was old enough when it began is old enough for ever.
 */
export function pruneRecordsJob({ oldRecords, now }: PruneRecordsPorts): TimedJob {
  return {
    name: 'prune-records',
    intervalMs,
    run: async ({ signal }) => {
      for (const [kind, days] of keptDays) {
        const before = (now() - days * dayMs) as TimestampMs;
        while (!signal.aborted) {
          const removed = await oldRecords.remove(kind, { before, rowsMax: rowsAtOnce });
          if (removed < rowsAtOnce) break;
          await delay(pauseMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}
