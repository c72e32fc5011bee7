import {
  type PointsJobPorts,
  refreshDailyLeaderboard,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Refreshes the cache that the daily leaderboard is read from, and purges it after midnight.
 *
 * A late run is harmless: a lock in the database lets one process at a time refresh a board, from
 * the current points, and never for a day before the one that is shown.
 */
export function refreshDailyLeaderboardJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-daily-leaderboard',
    intervalMs,
    run: () => refreshDailyLeaderboard(ports),
  };
}
