import { type EpochTier, epochTier } from '../../programs/points/epoch-tiers.ts';
import { dayStart, type EpochNumber, epochStart } from '../../programs/points/epochs.ts';
import { formatPoints } from '../../programs/points/points.ts';
import type { RankType } from '../../programs/points/points-types.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';

export { rankTypes } from '../../programs/points/points-types.ts';

/** Refresh times are reported to the minute. */
const minuteMs = 60_000;

export interface EpochLeaderboardView {
  readonly epoch_number: number;
  readonly rank_type: RankType;
  readonly entries: readonly {
    readonly rank: number;
    readonly user_address: string;
    readonly username: string | null;
    readonly points: string;
    readonly tier: EpochTier;
  }[];
  readonly total: number;
  readonly updated_at: string;
}

/** The top ranks of an epoch as of the last refresh; none before the first. */
export async function loadEpochLeaderboard(
  ports: PointsReadPorts,
  page: {
    readonly epoch: number;
    readonly type: RankType;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<EpochLeaderboardView> {
  const { firstDay } = await loadPointsMoment(ports);
  const { epoch, type, limit, offset } = page;
  const number = epoch as EpochNumber;
  const board = await ports.pointsReader.loadEpochBoard(number, type, limit, offset);
  const entries = board.entries.map(({ rank, address, username, points }) => ({
    rank,
    user_address: address,
    username,
    points: formatPoints(points),
    tier: epochTier(rank),
  }));
  // An epoch that was never refreshed is still empty.
  const updatedAt = board.refreshedAt ?? epochStart(number, firstDay);
  return {
    epoch_number: epoch,
    rank_type: type,
    entries,
    total: entries.length,
    updated_at: isoTime(updatedAt),
  };
}

export interface DailyLeaderboardView {
  readonly date: string;
  readonly epoch_number: number;
  readonly refreshed_at: string;
  readonly total: number;
  readonly entries: readonly {
    readonly rank: number;
    readonly user_address: string;
    readonly points_today: string;
    readonly tier: EpochTier | null;
  }[];
}

/** Today's points as of today's last refresh; empty for any epoch but the active one. */
export async function loadDailyLeaderboard(
  ports: PointsReadPorts,
  page: { readonly epoch: number | null; readonly limit: number; readonly offset: number },
): Promise<DailyLeaderboardView> {
  const { day, epoch: activeEpoch } = await loadPointsMoment(ports);
  const { limit, offset } = page;
  const board = await ports.pointsReader.loadDailyBoard({ day, epoch: activeEpoch, limit, offset });
  const epoch = page.epoch ?? activeEpoch;
  const isActive = epoch === activeEpoch;
  const refreshedAt = board.refreshedAt ?? dayStart(day);
  return {
    date: isoTime(dayStart(day)).slice(0, 10),
    epoch_number: epoch,
    refreshed_at: isoTime(refreshedAt - (refreshedAt % minuteMs)).replace('.000Z', 'Z'),
    total: isActive ? board.total : 0,
    entries: (isActive ? board.entries : []).map(({ rank, address, points, epochRank }) => ({
      rank,
      user_address: address,
      points_today: formatPoints(points),
      tier: epochRank === null ? null : epochTier(epochRank),
    })),
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
