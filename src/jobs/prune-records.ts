import { setTimeout as delay } from 'node:timers/promises';
import { type PruneRecordsPorts, pruneRecords } from '../application/upkeep/prune-records.ts';
import type { TimedJob } from './timed-job.ts';

const intervalMs = 3_600_000;
const restMs = 20;

/**
 * Removes what is kept for a time only.
 *
 * A late run does no harm: what was old enough when it began is old enough for ever.
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
