import type { SeasonStatus } from '../../programs/points/season.ts';
import { nextSeasonStep } from '../../programs/points/season.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { loadPointsMoment } from './points-moment.ts';
import type { PointsJobPorts } from './refresh-leaderboards.ts';

/**
 * Advances every season as far as it is due: active when its first epoch starts, completed with its
 * snapshot. Each step is a separate transaction, so that the next run continues an interrupted one.
 * @throws DatabaseError
 */
export async function advanceSeasons(ports: PointsJobPorts): Promise<void> {
  const { pointsJobs, barrier, exchange } = ports;
  const { now, firstDay } = await loadPointsMoment(ports);
  for (const season of await pointsJobs.listUnfinishedSeasons()) {
    const { seasonNo } = season;
    let status: SeasonStatus = season.status;
    if (nextSeasonStep(status, season, now, firstDay) === 'activate') {
      await pointsJobs.activateSeason(seasonNo);
      status = 'active';
    }
    if (nextSeasonStep(status, season, now, firstDay) !== 'snapshot') continue;
    await waitForDatabase({ exchange, barrier });
    await pointsJobs.takeSnapshot(seasonNo, now);
  }
}
