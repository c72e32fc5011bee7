import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { openAccount } from '../trading/open-account.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';
import type {
  EarnLevelChange,
  PointsCredit,
  PointsStore,
  Season,
  SeasonChange,
  SeasonInput,
} from './points-ports.ts';

export { earnLevelMax } from '../../programs/points/earn-levels.ts';
export type { EpochNumber } from '../../programs/points/epochs.ts';
export { pointsFromDecimal } from '../../programs/points/points.ts';
export { pointsTypes } from '../../programs/points/points-types.ts';
export type { EarnLevelChange, Season, SeasonChange, SeasonInput } from './points-ports.ts';

// Administration of the points program.

export interface PointsAdminPorts extends PointsReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly pointsStore: PointsStore;
}

/** Creates a season; it is active at once if its first epoch has started. */
export async function createSeason(
  { pointsStore, now }: PointsAdminPorts,
  seasonNo: number,
  input: SeasonInput,
): Promise<Season | 'exists'> {
  return pointsStore.createSeason(seasonNo, input, now());
}

export async function changeSeason(
  { pointsStore, now }: PointsAdminPorts,
  seasonNo: number,
  change: SeasonChange,
): ReturnType<PointsStore['changeSeason']> {
  return pointsStore.changeSeason(seasonNo, change, now());
}

/** Changes earn levels; the rows must remain without gaps. */
export async function changeEarnLevels(
  { pointsStore, now }: PointsAdminPorts,
  changes: readonly EarnLevelChange[],
): Promise<Outcome<null>> {
  const fault = await pointsStore.changeEarnLevels(changes, now());
  return fault === null ? done(null) : refused({ reason: 'parameter_invalid', detail: fault });
}

/**
 * Credits points to an account on the current day and epoch, opening the account if needed; a
 * reference counts once.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function creditPoints(
  ports: PointsAdminPorts,
  credit: PointsCredit,
): Promise<Outcome<null>> {
  const { day, firstDay, now } = await loadPointsMoment(ports);
  if (day < firstDay) {
    const detail = 'points: the first epoch has not started';
    return refused({ reason: 'parameter_invalid', detail });
  }
  await openAccount(ports.exchange, credit.account);
  await waitForDatabase(ports);
  await ports.pointsStore.credit(credit, now);
  return done(null);
}
