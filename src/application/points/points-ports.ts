import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { EarnLevel } from '../../programs/points/earn-levels.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import type { Points } from '../../programs/points/points.ts';
import type { PointsByType, PointsType, RankType } from '../../programs/points/points-types.ts';
import type { SeasonStatus, SeasonTerms } from '../../programs/points/season.ts';

// What the points program needs of the database. Points themselves are written by the projector;
// leaderboards are made of them by refreshes and read as they were made.

export interface RankedAccount {
  readonly rank: number;
  readonly address: Address;
  readonly username: string | null;
  readonly points: Points;
}

/** An epoch's ranking as of its last refresh. */
export interface EpochBoard {
  readonly entries: readonly RankedAccount[];
  /** Null before the first refresh. */
  readonly refreshedAt: TimestampMs | null;
}

export interface DailyEntry extends Omit<RankedAccount, 'username'> {
  /** Its rank in the epoch; null while it has none, and at least 101 where it is no top rank. */
  readonly epochRank: number | null;
}

/** A day's ranking as of its last refresh; without entries where that was another day. */
export interface DailyBoard {
  readonly entries: readonly DailyEntry[];
  readonly total: number;
  readonly refreshedAt: TimestampMs | null;
}

export interface PointsStanding {
  readonly points: PointsByType;
  /** As of the last refresh; null while unranked. */
  readonly rank: number | null;
}

export interface SeasonInput extends SeasonTerms {
  readonly label: string;
  /** Whole tokens. */
  readonly userPoolTokens: number;
  readonly marketMakerPoolTokens: number;
  readonly distributionAt: TimestampMs | null;
}

export interface Season extends SeasonInput {
  readonly seasonId: string;
  readonly seasonNo: number;
  readonly status: SeasonStatus;
  readonly snapshotTakenAt: TimestampMs | null;
}

export interface DistributionRow {
  readonly rank: number;
  readonly address: Address;
  readonly pool: 'user' | 'mm';
  readonly points: Points;
  readonly tokens: number;
}

export interface DistributionPage {
  readonly items: readonly DistributionRow[];
  readonly total: number;
}

export interface StoredEarnLevel extends EarnLevel {
  readonly updatedAt: TimestampMs;
  readonly updatedBy: string | null;
}

export interface PointsReader {
  /** The first day of the first epoch; kept once chosen. */
  loadFirstDay(): Promise<DayNumber>;
  loadEpochBoard(epoch: EpochNumber, type: RankType, limit: number): Promise<EpochBoard>;
  loadDailyBoard(filter: {
    readonly day: DayNumber;
    readonly epoch: EpochNumber;
    readonly limit: number;
    readonly offset: number;
  }): Promise<DailyBoard>;
  loadStanding(account: Address, epoch: EpochNumber): Promise<PointsStanding>;
  listSeasons(): Promise<readonly Season[]>;
  findSeason(seasonNo: number): Promise<Season | null>;
  /** Ranks from `offset + 1` on. */
  listDistribution(seasonNo: number, offset: number, limit: number): Promise<DistributionPage>;
  listEarnLevels(): Promise<readonly StoredEarnLevel[]>;
}

export interface PointsCredit {
  readonly reference: string;
  readonly account: Address;
  readonly type: PointsType;
  readonly points: Points;
}

export interface EarnLevelChange {
  readonly level: number;
  readonly pointsMin?: number | undefined;
  /** Null: without end. */
  readonly pointsMax?: number | null | undefined;
  readonly weight?: number | undefined;
}

export type SeasonChange = {
  readonly [Field in keyof SeasonInput]?: SeasonInput[Field] | undefined;
};

/** A fault is a sentence for the administrator; null: done. */
export type Fault = string | null;

/** An administrator's writes; each is one transaction with its audit row. */
export interface PointsStore {
  createSeason(seasonNo: number, input: SeasonInput, now: TimestampMs): Promise<Season | 'exists'>;
  changeSeason(
    seasonNo: number,
    change: SeasonChange,
    now: TimestampMs,
  ): Promise<Season | 'not_found' | 'completed' | { readonly fault: string }>;
  changeEarnLevels(changes: readonly EarnLevelChange[], now: TimestampMs): Promise<Fault>;
  /** The account must have its row. False: the reference was counted before. */
  credit(credit: PointsCredit, now: TimestampMs): Promise<boolean>;
}

/** What the jobs do; each call is one transaction, safe to be cut off and to be made twice. */
export interface PointsJobStore {
  /** Epochs whose leaderboard may still change, oldest first. */
  listOpenEpochs(current: EpochNumber): Promise<readonly EpochNumber[]>;
  /** Brings the leaderboards of all types up to date; a final one is not refreshed again. */
  refreshEpoch(
    epoch: EpochNumber,
    refresh: { readonly now: TimestampMs; readonly isFinal: boolean },
  ): Promise<void>;
  /** Brings the day's leaderboard up to date, and purges the one of another day. */
  refreshDay(day: DayNumber, now: TimestampMs): Promise<void>;
  listUnfinishedSeasons(): Promise<readonly Season[]>;
  activateSeason(seasonNo: number): Promise<void>;
  /** Shares the pools out and completes the season; does nothing where it is not active. */
  takeSnapshot(seasonNo: number, now: TimestampMs): Promise<void>;
}
