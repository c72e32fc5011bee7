import {
  type PointsJobPorts,
  refreshEpochLeaderboards,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Refreshes the cache that the epoch leaderboards are read from.
 *
 * A late run does no harm: one process at a time refreshes a board, which a lock of the database
 * sees to, from the points as they are then.
 */
export function refreshEpochLeaderboardsJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-epoch-leaderboards',
    intervalMs,
    run: () => refreshEpochLeaderboards(ports),
  };
}
