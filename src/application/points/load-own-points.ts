import type { Address } from '../../domain/identifiers.ts';
import { earnLevelOf } from '../../programs/points/earn-levels.ts';
import { type EpochTier, epochTier } from '../../programs/points/epoch-tiers.ts';
import { formatPoints } from '../../programs/points/points.ts';
import { totalPoints } from '../../programs/points/registry.ts';
import type { Exchange, ReadBarrier } from '../ports.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';

export interface OwnPointsPorts extends PointsReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
}

export interface OwnPointsView {
  readonly epoch_number: number;
  readonly points: {
    readonly total: string;
    readonly trading: string;
    readonly pnl: string;
    readonly holding: string;
    readonly referral: string;
    readonly staking: string;
  };
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
  await barrier.waitFor(exchange.durableSequence);
  const { epoch } = await loadPointsMoment(ports);
  const { points, rank } = await pointsReader.loadStanding(caller, epoch);
  const total = totalPoints(points);
  const level = earnLevelOf(total, await pointsReader.listEarnLevels());
  return {
    epoch_number: epoch,
    points: {
      total: formatPoints(total),
      trading: formatPoints(points.trading),
      pnl: formatPoints(points.pnl),
      holding: formatPoints(points.holding),
      referral: formatPoints(points.referral),
      staking: formatPoints(points.staking),
    },
    rank,
    tier: rank === null ? null : epochTier(rank),
    earn_level: level.level,
    weight: level.weight,
  };
}
