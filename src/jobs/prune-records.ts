import { setTimeout as delay } from 'node:timers/promises';
import { type PruneRecordsPorts, pruneRecords } from '../application/upkeep/prune-records.ts';
import type { TimedJob } from './timed-job.ts';

const intervalMs = 3_600_000;
const restMs = 20;

/**
 * Removes records that are only kept for a time.
 *
 * A late run is harmless: what was old enough when it started remains old enough.
 */
export function pruneRecordsJob(ports: PruneRecordsPorts): TimedJob {
  return {
    name: 'prune-records',
    intervalMs,
    run: ({ signal }) =>
      pruneRecords(ports, {
        signal,
        rest: () => delay(restMs, undefined, { signal }).catch(() => undefined),
      }),
  };
}
