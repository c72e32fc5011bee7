import type { Address } from '../../domain/identifiers.ts';
import { earnLevelOf } from '../../programs/points/earn-levels.ts';
import { type EpochTier, epochTier } from '../../programs/points/epoch-tiers.ts';
import { formatPoints } from '../../programs/points/points.ts';
import type { PointsByType } from '../../programs/points/points-types.ts';
import { totalPoints } from '../../programs/points/registry.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';

export interface OwnPointsPorts extends PointsReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
}

interface OwnPointsByType {
  readonly total: string;
  readonly trading: string;
  readonly pnl: string;
  readonly holding: string;
  readonly referral: string;
  readonly staking: string;
}

export interface OwnPointsView {
  readonly epoch_number: number;
  readonly points: OwnPointsByType;
  /** Of the current UTC day. */
  readonly points_today: OwnPointsByType;
  readonly rank: number | null;
  readonly tier: EpochTier | null;
  readonly earn_level: number;
  readonly weight: number;
}

/**
 * The caller's points of the active epoch, including everything that it has finished; rank and tier
 * are those of the last refresh. The earn level is that of the total shown.
 */
export async function loadOwnPoints(
  ports: OwnPointsPorts,
  caller: Address,
): Promise<OwnPointsView> {
  const { pointsReader, exchange, barrier } = ports;
  await waitForDatabase({ exchange, barrier });
  const { epoch, day } = await loadPointsMoment(ports);
  const { points, rank } = await pointsReader.loadStanding(caller, epoch);
  const today = await pointsReader.loadDay(caller, day);
  const total = totalPoints(points);
  const level = earnLevelOf(total, await pointsReader.listEarnLevels());
  return {
    epoch_number: epoch,
    points: viewPoints(points),
    points_today: viewPoints(today),
    rank,
    tier: rank === null ? null : epochTier(rank),
    earn_level: level.level,
    weight: level.weight,
  };
}

function viewPoints(points: PointsByType): OwnPointsByType {
  return {
    total: formatPoints(totalPoints(points)),
    trading: formatPoints(points.trading),
    pnl: formatPoints(points.pnl),
    holding: formatPoints(points.holding),
    referral: formatPoints(points.referral),
    staking: formatPoints(points.staking),
  };
}
