import {
  type PointsJobPorts,
  refreshDailyLeaderboard,
} from '../application/points/refresh-leaderboards.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Refreshes the cache that the daily leaderboard is read from, and purges it after midnight.
 *
 * A late run does no harm: one process at a time refreshes a board, which a lock of the database
 * sees to, from the points as they are then, and never a day before the one that is shown.
 */
export function refreshDailyLeaderboardJob(ports: PointsJobPorts, intervalMs: number): TimedJob {
  return {
    name: 'refresh-daily-leaderboard',
    intervalMs,
    run: () => refreshDailyLeaderboard(ports),
  };
}
