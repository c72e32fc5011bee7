import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { EarnLevel } from '../../programs/points/earn-levels.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import type { Points } from '../../programs/points/points.ts';
import type { PointsByType, PointsType, RankType } from '../../programs/points/points-types.ts';
import type { SeasonStatus, SeasonTerms } from '../../programs/points/season.ts';

// What the points program needs from the database. The projector writes points; refreshes build the
// leaderboards, which are read as built.

/** A place on a leaderboard; rank 1 has the most points. */
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

/** What an account has earned in an epoch, and its place on the leaderboard of all types. */
export interface AccountPoints {
  readonly points: PointsByType;
  /** As of the last refresh; null while unranked. */
  readonly rank: number | null;
}

/** What an administrator sets of a season; pools are shared out by its snapshot. */
export interface SeasonInput extends SeasonTerms {
  readonly label: string;
  /** Whole tokens. */
  readonly userPoolTokens: number;
  readonly marketMakerPoolTokens: number;
  readonly distributionAt: TimestampMs | null;
}

/** A stored season. Its number is unique and chosen by the administrator. */
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

/** A page of what a season gives to each account, and the number of accounts in all. */
export interface DistributionPage {
  readonly items: readonly DistributionRow[];
  readonly total: number;
}

/** A row of the earn level table, and who changed it last; null: as installed. */
export interface StoredEarnLevel extends EarnLevel {
  readonly updatedAt: TimestampMs;
  readonly updatedBy: string | null;
}

/** Reads what the program has written; throws DatabaseError if the database does not respond. */
export interface PointsReader {
  /** The first day of the first epoch; permanent once chosen. */
  loadFirstDay(): Promise<DayNumber>;
  /** Ranks from `offset + 1` on; 0 if none is given. */
  loadEpochBoard(
    epoch: EpochNumber,
    type: RankType,
    limit: number,
    offset?: number,
  ): Promise<EpochBoard>;
  /** Ranks from `offset + 1` on; `epoch` is the one whose ranks are shown beside them. */
  loadDailyBoard(filter: {
    readonly day: DayNumber;
    readonly epoch: EpochNumber;
    readonly limit: number;
    readonly offset: number;
  }): Promise<DailyBoard>;
  /** All zero and unranked for an address without an account. */
  loadStanding(account: Address, epoch: EpochNumber): Promise<AccountPoints>;
  /** What the account has earned on the day. */
  loadDay(account: Address, day: DayNumber): Promise<PointsByType>;
  /** By number. */
  listSeasons(): Promise<readonly Season[]>;
  /** Null if there is no season of this number. */
  findSeason(seasonNo: number): Promise<Season | null>;
  /** Ranks from `offset + 1` on. */
  listDistribution(seasonNo: number, offset: number, limit: number): Promise<DistributionPage>;
  /** By level, from 0. */
  listEarnLevels(): Promise<readonly StoredEarnLevel[]>;
}

/** Points that an administrator grants; a reference counts once, however often it is sent. */
export interface PointsCredit {
  readonly reference: string;
  readonly account: Address;
  readonly type: PointsType;
  readonly points: Points;
}

/**
 * A change of one row of the earn level table; absent fields keep their values. Points are whole
 * points, both ends inclusive.
 */
export interface EarnLevelChange {
  readonly level: number;
  readonly pointsMin?: number | undefined;
  /** Null: no upper end. */
  readonly pointsMax?: number | null | undefined;
  readonly weight?: number | undefined;
}

/** A change of a season; absent fields keep their values. */
export type SeasonChange = {
  readonly [Field in keyof SeasonInput]?: SeasonInput[Field] | undefined;
};

/** A fault as a message for the administrator; null: success. */
export type Fault = string | null;

/** An administrator's writes; each is one transaction with its audit row. */
export interface PointsStore {
  /** `exists`: the number is taken. */
  createSeason(seasonNo: number, input: SeasonInput, now: TimestampMs): Promise<Season | 'exists'>;
  /** A completed season cannot change; `fault` says what is wrong with the changed terms. */
  changeSeason(
    seasonNo: number,
    change: SeasonChange,
    now: TimestampMs,
  ): Promise<Season | 'not_found' | 'completed' | { readonly fault: string }>;
  /** Changes all of them or, if the table would be invalid, none. */
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
  /** Pending and active seasons, by number. */
  listUnfinishedSeasons(): Promise<readonly Season[]>;
  /** Does nothing if the season is not pending. */
  activateSeason(seasonNo: number): Promise<void>;
  /** Shares the pools out and completes the season; does nothing if it is not active. */
  takeSnapshot(seasonNo: number, now: TimestampMs): Promise<void>;
}
