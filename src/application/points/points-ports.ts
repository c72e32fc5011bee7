import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { EarnLevel } from '../../programs/points/earn-levels.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import type { Points } from '../../programs/points/points.ts';
import type { PointsByType, PointsType, RankType } from '../../programs/points/points-types.ts';
import type { SeasonStatus, SeasonTerms } from '../../programs/points/season.ts';

// What the points program needs from the database. The projector writes points; refreshes build the
// leaderboards, which are read as built.

export interface RankedAccount {
  readonly rank: number;
  readonly address: Address;
  readonly username: string | null;
  readonly points: Points;
}

/** An epoch's leaderboard as of its last refresh. */
export interface EpochBoard {
  readonly entries: readonly RankedAccount[];
  /** Null before the first refresh. */
  readonly refreshedAt: TimestampMs | null;
}

interface DailyEntry extends Omit<RankedAccount, 'username'> {
  /** Rank in the epoch; null while unranked, and at least 101 if it is not a top rank. */
  readonly epochRank: number | null;
}

/** A day's leaderboard as of its last refresh; empty if that was on another day. */
export interface DailyBoard {
  readonly entries: readonly DailyEntry[];
  readonly total: number;
  readonly refreshedAt: TimestampMs | null;
}

export interface AccountPoints {
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

interface DistributionRow {
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
  /** The first day of the first epoch; permanent once chosen. */
  loadFirstDay(): Promise<DayNumber>;
  /** Ranks from `offset + 1` on; 0 where none is given. */
  loadEpochBoard(
    epoch: EpochNumber,
    type: RankType,
    limit: number,
    offset?: number,
  ): Promise<EpochBoard>;
  loadDailyBoard(filter: {
    readonly day: DayNumber;
    readonly epoch: EpochNumber;
    readonly limit: number;
    readonly offset: number;
  }): Promise<DailyBoard>;
  loadStanding(account: Address, epoch: EpochNumber): Promise<AccountPoints>;
  /** What the account has earned on the day. */
  loadDay(account: Address, day: DayNumber): Promise<PointsByType>;
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
  /** Null: no upper end. */
  readonly pointsMax?: number | null | undefined;
  readonly weight?: number | undefined;
}

export type SeasonChange = {
  readonly [Field in keyof SeasonInput]?: SeasonInput[Field] | undefined;
};

/** A fault as a message for the administrator; null: success. */
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
  /** The account must have a row. False: the reference was already counted. */
  credit(credit: PointsCredit, now: TimestampMs): Promise<boolean>;
}

/** Writes of the timed jobs; each is one transaction that can be interrupted and repeated. */
export interface PointsJobStore {
  /** Epochs whose leaderboard can still change, oldest first. */
  listOpenEpochs(current: EpochNumber): Promise<readonly EpochNumber[]>;
  /** Refreshes the leaderboards of all types; a final one is not refreshed again. */
  refreshEpoch(
    epoch: EpochNumber,
    refresh: { readonly now: TimestampMs; readonly isFinal: boolean },
  ): Promise<void>;
  /** Refreshes the day's leaderboard and purges that of any other day. */
  refreshDay(day: DayNumber, now: TimestampMs): Promise<void>;
  listUnfinishedSeasons(): Promise<readonly Season[]>;
  activateSeason(seasonNo: number): Promise<void>;
  /** Shares the pools out and completes the season; does nothing if it is not active. */
  takeSnapshot(seasonNo: number, now: TimestampMs): Promise<void>;
}
