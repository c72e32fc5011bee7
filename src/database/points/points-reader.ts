import { sql } from 'kysely';
import type {
  AccountPoints,
  DailyBoard,
  DistributionPage,
  EpochBoard,
  PointsReader,
  Season,
  StoredEarnLevel,
} from '../../application/points/points-ports.ts';
import { assert } from '../../domain/assert.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import { secondTierRankMax } from '../../programs/points/epoch-tiers.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import type { PointsByType, PointsType, RankType } from '../../programs/points/points-types.ts';
import type { DatabasePool } from '../database-pool.ts';
import { loadFirstPointsDay } from './epoch-setting.ts';
import { pointsOfColumn } from './points-columns.ts';
import { blockEntries, dailyBoard } from './refresh-boards.ts';
import { seasonFromRow } from './season-rows.ts';

/** Reads of the points program; each reads a few rows by key, whatever the number of accounts. */
export class DatabasePointsReader implements PointsReader {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async loadFirstDay(): Promise<DayNumber> {
    return this.#pool.withClient(loadFirstPointsDay);
  }

  async loadEpochBoard(
    epoch: EpochNumber,
    type: RankType,
    limit: number,
    offset = 0,
  ): Promise<EpochBoard> {
    const query = sql<EntryRow>`
      SELECT board.refreshed_at, entry.place, entry.points, account.address, account.username
      FROM points_boards AS board
      LEFT JOIN LATERAL (${boardEntries(type, offset, limit)}) AS entry ON true
      LEFT JOIN accounts AS account USING (account_id)
      WHERE board.board = ${epoch} ORDER BY entry.place`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const refreshedAt = rows[0]?.refreshed_at.getTime() ?? null;
    return { entries: rows.flatMap(entriesOf), refreshedAt: refreshedAt as TimestampMs | null };
  }

  async loadDailyBoard({ day, epoch, limit, offset }: DailyFilter): Promise<DailyBoard> {
    const query = sql<DailyRow>`
      SELECT board.refreshed_at, board.day, board.total, entry.place, entry.points,
        account.address, account.username, ranked.account_id IS NOT NULL AS is_ranked,
        array_position(top.account_ids, entry.account_id) AS epoch_rank
      FROM points_boards AS board
      LEFT JOIN LATERAL (${boardEntries('total', offset, limit)}) AS entry ON board.day = ${day}
      LEFT JOIN accounts AS account USING (account_id)
      LEFT JOIN points_ranked AS ranked
        ON ranked.board = ${epoch} AND ranked.account_id = entry.account_id
      LEFT JOIN LATERAL (
        SELECT account_ids[1:${secondTierRankMax}] AS account_ids FROM points_board_blocks
        WHERE board = ${epoch} AND rank_type = 'total' AND block = 0
      ) AS top ON true
      WHERE board.board = ${dailyBoard} ORDER BY entry.place`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const [first] = rows;
    if (first === undefined) return { entries: [], total: 0, refreshedAt: null };
    const entries = rows.flatMap((row) =>
      entriesOf(row).map((entry) => ({ ...entry, epochRank: epochRankOf(row) })),
    );
    return {
      entries,
      total: first.day === day ? first.total : 0,
      refreshedAt: first.refreshed_at.getTime() as TimestampMs,
    };
  }

  async loadStanding(account: Address, epoch: EpochNumber): Promise<AccountPoints> {
    const query = sql<StandingRow>`
      SELECT coalesce(trading, 0)::text AS trading, coalesce(pnl, 0)::text AS pnl,
        coalesce(holding, 0)::text AS holding, coalesce(referral, 0)::text AS referral,
        coalesce(staking, 0)::text AS staking,
        (SELECT block.block * ${blockEntries}
            + array_position(block.account_ids, account.account_id)
         FROM points_board_blocks AS block
         WHERE block.board = ${epoch} AND block.rank_type = 'total'
           AND (block.first_points > ranked.points OR (block.first_points = ranked.points
             AND block.first_address COLLATE "C" <= account.address COLLATE "C"))
         ORDER BY block.block DESC LIMIT 1) AS rank
      FROM (VALUES (${account}::text)) AS wanted (address)
      LEFT JOIN accounts AS account USING (address)
      LEFT JOIN points_epochs AS earned
        ON earned.epoch = ${epoch} AND earned.account_id = account.account_id
      LEFT JOIN points_ranked AS ranked
        ON ranked.board = ${epoch} AND ranked.account_id = account.account_id`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const [row] = rows;
    assert(row !== undefined, 'the requested account has a row');
    return { points: earnedOf(row), rank: row.rank };
  }

  async loadDay(account: Address, day: DayNumber): Promise<PointsByType> {
    const query = sql<EarnedTexts>`
      SELECT trading::text, pnl::text, holding::text, referral::text, staking::text
      FROM points_days JOIN accounts USING (account_id)
      WHERE address = ${account} AND day = ${day}`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    return earnedOf(rows[0] ?? nothingEarned);
  }

  /** What an account has earned in an epoch so far; without a number it has no account. */
  async loadEarned(
    account: Address,
    epoch: EpochNumber,
  ): Promise<{ readonly accountId: number | null; readonly points: PointsByType }> {
    const query = sql<EarnedRow>`
      SELECT account.account_id, coalesce(trading, 0)::text AS trading,
        coalesce(pnl, 0)::text AS pnl, coalesce(holding, 0)::text AS holding,
        coalesce(referral, 0)::text AS referral, coalesce(staking, 0)::text AS staking
      FROM (VALUES (${account}::text)) AS wanted (address)
      LEFT JOIN accounts AS account USING (address)
      LEFT JOIN points_epochs AS earned
        ON earned.epoch = ${epoch} AND earned.account_id = account.account_id`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const [row] = rows;
    assert(row !== undefined, 'the requested account has a row');
    const accountId = row.account_id === null ? null : Number(row.account_id);
    return { accountId, points: earnedOf(row) };
  }

  async listSeasons(): Promise<readonly Season[]> {
    const rows = await this.#pool.query((db) =>
      db.selectFrom('points_seasons').selectAll().orderBy('season_no').execute(),
    );
    return rows.map(seasonFromRow);
  }

  async findSeason(seasonNo: number): Promise<Season | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('points_seasons')
        .selectAll()
        .where('season_no', '=', seasonNo)
        .executeTakeFirst(),
    );
    return row === undefined ? null : seasonFromRow(row);
  }

  async listDistribution(
    seasonNo: number,
    offset: number,
    limit: number,
  ): Promise<DistributionPage> {
    return this.#pool.query(async (db) => {
      const { total } = await db
        .selectFrom('points_distributions')
        .select(({ fn }) => fn.max('rank').as('total'))
        .where('season_no', '=', seasonNo)
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom('points_distributions')
        .innerJoin('accounts', 'accounts.account_id', 'points_distributions.account_id')
        .select(['rank', 'address', 'pool', 'points', 'tokens'])
        .where('season_no', '=', seasonNo)
        .where('rank', '>', offset)
        .where('rank', '<=', offset + limit)
        .orderBy('rank')
        .execute();
      const items = rows.map((row) => ({
        rank: row.rank,
        address: row.address as Address,
        pool: row.pool as 'user' | 'mm',
        points: pointsOfColumn(row.points),
        tokens: Number(row.tokens),
      }));
      return { items, total: total ?? 0 };
    });
  }

  async listEarnLevels(): Promise<readonly StoredEarnLevel[]> {
    const rows = await this.#pool.query((db) =>
      db.selectFrom('points_earn_levels').selectAll().orderBy('level').execute(),
    );
    return rows.map((row) => ({
      level: row.level,
      pointsMin: Number(row.points_min),
      pointsMax: row.points_max === null ? null : Number(row.points_max),
      weight: row.weight,
      updatedAt: row.updated_at.getTime() as TimestampMs,
      updatedBy: row.updated_by,
    }));
  }
}

type DailyFilter = Parameters<PointsReader['loadDailyBoard']>[0];

interface EntryRow {
  readonly refreshed_at: Date;
  readonly place: string | null;
  readonly points: string | null;
  readonly address: string | null;
  readonly username: string | null;
}

interface DailyRow extends EntryRow {
  readonly day: number;
  readonly total: number;
  readonly is_ranked: boolean;
  readonly epoch_rank: number | null;
}

type EarnedTexts = Readonly<Record<PointsType, string>>;
const nothingEarned: EarnedTexts = {
  trading: '0',
  pnl: '0',
  holding: '0',
  referral: '0',
  staking: '0',
};
type EarnedRow = EarnedTexts & { readonly account_id: string | null };
type StandingRow = EarnedTexts & { readonly rank: number | null };

/** The page from the one or two blocks that contain it. */
function boardEntries(type: RankType, offset: number, limit: number) {
  const firstBlock = Math.floor(offset / blockEntries);
  const lastBlock = Math.floor((offset + limit - 1) / blockEntries);
  return sql`
    SELECT item.account_id, item.points, item.place + cut.skipped AS place
    FROM points_board_blocks AS block,
      LATERAL (SELECT greatest(${offset} - block.block * ${blockEntries}, 0) AS low,
        ${offset + limit} - block.block * ${blockEntries} AS high,
        greatest(${offset}, block.block * ${blockEntries}) AS skipped) AS cut,
      unnest(block.account_ids[cut.low + 1:cut.high], block.points[cut.low + 1:cut.high])
        WITH ORDINALITY AS item (account_id, points, place)
    WHERE block.board = board.board AND block.rank_type = ${type}
      AND block.block BETWEEN ${firstBlock} AND ${lastBlock}`;
}

/** A board without entries has one row that contains none. */
function entriesOf({ place, points, address, username }: EntryRow) {
  if (place === null || points === null || address === null) return [];
  return [
    { rank: Number(place), address: address as Address, username, points: pointsOfColumn(points) },
  ];
}

function epochRankOf({ epoch_rank: rank, is_ranked: isRanked }: DailyRow): number | null {
  if (rank !== null) return rank;
  return isRanked ? secondTierRankMax + 1 : null;
}

function earnedOf(texts: EarnedTexts): PointsByType {
  return {
    trading: pointsOfColumn(texts.trading),
    pnl: pointsOfColumn(texts.pnl),
    holding: pointsOfColumn(texts.holding),
    referral: pointsOfColumn(texts.referral),
    staking: pointsOfColumn(texts.staking),
  };
}
