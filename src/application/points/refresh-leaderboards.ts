import { epochEnd } from '../../programs/points/epochs.ts';
import { epochSettlingMs } from '../../programs/points/season.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';
import type { PointsJobStore } from './points-ports.ts';

export interface PointsJobPorts extends PointsReadPorts {
  readonly exchange: Pick<Exchange, 'durableSequence'>;
  readonly barrier: ReadBarrier;
  readonly pointsJobs: PointsJobStore;
}

/**
 * Refreshes the leaderboards of every epoch that can still change: the active one, and earlier ones
 * until the first refresh after their end.
 * @throws DatabaseError
 */
export async function refreshEpochLeaderboards(ports: PointsJobPorts): Promise<void> {
  // Everything done before this moment counts, however far behind the database is.
  const { now, firstDay, epoch: active } = await loadPointsMoment(ports);
  await waitForDatabase(ports);
  for (const epoch of await ports.pointsJobs.listOpenEpochs(active)) {
    const isFinal = now >= epochEnd(epoch, firstDay) + epochSettlingMs;
    await ports.pointsJobs.refreshEpoch(epoch, { now, isFinal });
  }
}

/**
 * Refreshes the day's leaderboard; the first run after UTC 00:00 purges the day before. The day is
 * that of the start of the run, even if midnight passes during it.
 * @throws DatabaseError
 */
export async function refreshDailyLeaderboard(ports: PointsJobPorts): Promise<void> {
  const { now, day } = await loadPointsMoment(ports);
  await waitForDatabase(ports);
  await ports.pointsJobs.refreshDay(day, now);
}
