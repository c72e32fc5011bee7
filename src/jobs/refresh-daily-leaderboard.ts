import {
  type PointsJobPorts,
  refreshDailyLeaderboard,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/** Refreshes the cache that the daily leaderboard is read from, and purges it after midnight. */
export function refreshDailyLeaderboardJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-daily-leaderboard',
    intervalMs,
    run: () => refreshDailyLeaderboard(ports),
  };
}
