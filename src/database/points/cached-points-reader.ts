import type {
  AccountPoints,
  DailyBoard,
  EpochBoard,
  PointsReader,
  RankedAccount,
} from '../../application/points/points-ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import { toPoints } from '../../programs/points/points.ts';
import type { RankType } from '../../programs/points/points-types.ts';
import type { BoardCache, BoardImage, BoardImages } from './board-cache.ts';
import type { DatabasePointsReader } from './points-reader.ts';
import type { PlacedAccount, RankedBlock } from './ranking.ts';
import { dailyBoard } from './refresh-boards.ts';

/** Leaderboards from memory as far as they are loaded, everything else from the database. */
export class CachedPointsReader implements PointsReader {
  readonly #reader: DatabasePointsReader;
  readonly #cache: BoardCache;
  readonly listSeasons: PointsReader['listSeasons'];
  readonly findSeason: PointsReader['findSeason'];
  readonly listDistribution: PointsReader['listDistribution'];
  readonly listEarnLevels: PointsReader['listEarnLevels'];
  readonly loadDay: PointsReader['loadDay'];

  constructor(reader: DatabasePointsReader, cache: BoardCache) {
    this.#reader = reader;
    this.#cache = cache;
    this.listSeasons = () => reader.listSeasons();
    this.findSeason = (seasonNo) => reader.findSeason(seasonNo);
    this.listDistribution = (...page) => reader.listDistribution(...page);
    this.listEarnLevels = () => reader.listEarnLevels();
    this.loadDay = (...key) => reader.loadDay(...key);
  }

  async loadFirstDay(): Promise<DayNumber> {
    return this.#cache.images?.firstDay ?? this.#reader.loadFirstDay();
  }

  async loadEpochBoard(
    epoch: EpochNumber,
    type: RankType,
    limit: number,
    offset = 0,
  ): Promise<EpochBoard> {
    const board = findEpoch(this.#cache.images, epoch);
    // Memory has the first block of each type.
    if (board === undefined || (board !== null && offset > 0)) {
      return this.#reader.loadEpochBoard(epoch, type, limit, offset);
    }
    if (board === null) return { entries: [], refreshedAt: null };
    const { usernames, refreshedAt } = board;
    const entries = listTop(board.tops.get(type), limit).map((entry) =>
      this.#describe(entry, usernames.get(entry.accountId)),
    );
    return { entries, refreshedAt };
  }

  async loadDailyBoard(filter: Parameters<PointsReader['loadDailyBoard']>[0]): Promise<DailyBoard> {
    const { images } = this.#cache;
    const { day, epoch, limit, offset } = filter;
    const ranks = findEpoch(images, epoch);
    if (images === null || ranks === undefined) return this.#reader.loadDailyBoard(filter);
    const board = images.boards.get(dailyBoard);
    if (board === undefined) return { entries: [], total: 0, refreshedAt: null };
    const { refreshedAt } = board;
    if (board.day !== day) return { entries: [], total: 0, refreshedAt };
    const entries = board.ranking.list(offset, limit).map((entry) => ({
      ...this.#describe(entry),
      epochRank: ranks?.ranking.rankOf(entry.accountId) ?? null,
    }));
    return { entries, total: board.total, refreshedAt };
  }

  async loadStanding(account: Address, epoch: EpochNumber): Promise<AccountPoints> {
    const board = findEpoch(this.#cache.images, epoch);
    if (board === undefined) return this.#reader.loadStanding(account, epoch);
    const { accountId, points } = await this.#reader.loadEarned(account, epoch);
    const rank = accountId === null ? null : (board?.ranking.rankOf(accountId) ?? null);
    return { points, rank };
  }

  #describe({ accountId, place, points }: PlacedAccount, username?: string): RankedAccount {
    const address = this.#cache.addresses.get(accountId);
    return { rank: place, address, username: username ?? null, points: toPoints(points) };
  }
}

/** Null: the epoch was never refreshed. Undefined: only the database has it. */
function findEpoch(images: BoardImages | null, epoch: EpochNumber): BoardImage | null | undefined {
  if (images === null) return undefined;
  const board = images.boards.get(epoch);
  if (board !== undefined) return board;
  return epoch > images.lastEpoch ? null : undefined;
}

function listTop(block: RankedBlock | undefined, limit: number): readonly PlacedAccount[] {
  const points = block?.points.subarray(0, limit) ?? [];
  return [...points].map((each, index) => ({
    accountId: block?.accountIds[index] ?? 0,
    place: index + 1,
    points: each,
  }));
}
