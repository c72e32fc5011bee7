import { advanceSeasons } from '../application/points/advance-seasons.ts';
import type { PointsJobPorts } from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

// Maximum delay of a season's activation and snapshot; an idle run is two small queries.
const intervalMs = 10_000;

/**
 * Activates seasons and takes their snapshots.
 *
 * A late run is harmless: a season is activated only from pending, and its snapshot is one
 * transaction that locks the season's row and does nothing if it is no longer active.
 */
export function advanceSeasonsJob(ports: PointsJobPorts): TimedJob {
  return { name: 'advance-seasons', intervalMs, run: () => advanceSeasons(ports) };
}
