import {
  type PointsJobPorts,
  refreshEpochLeaderboards,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/** Refreshes the cache that the epoch leaderboards are read from. */
export function refreshEpochLeaderboardsJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-epoch-leaderboards',
    intervalMs,
    run: () => refreshEpochLeaderboards(ports),
  };
}
