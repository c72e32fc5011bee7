import {
  type PointsJobPorts,
  refreshEpochLeaderboards,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Refreshes the cache that the epoch leaderboards are read from.
 *
 * A late run is harmless: a lock in the database lets one process at a time refresh a board, from
 * the current points.
 */
export function refreshEpochLeaderboardsJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-epoch-leaderboards',
    intervalMs,
    run: () => refreshEpochLeaderboards(ports),
  };
}
