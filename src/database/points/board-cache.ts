import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { DayNumber } from '../../programs/points/epochs.ts';
import { pointsFromDecimal } from '../../programs/points/points.ts';
import type { RankType } from '../../programs/points/points-types.ts';
import { decimalOf } from '../column-values.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { NotificationHandler } from '../notifications/notification-listener.ts';
import { AddressList } from './address-list.ts';
import { loadFirstPointsDay } from './epoch-setting.ts';
import { type RankedBlock, Ranking } from './ranking.ts';
import { boardChannel, dailyBoard } from './refresh-boards.ts';

// The most requested leaderboards in memory, as of the last refresh: a page then needs nothing from
// the database, which is busy while the next refresh runs. What changed is read after each refresh
// of any process, block by block.

/** One board as of its last refresh. */
export interface BoardImage {
  readonly revision: number;
  readonly day: DayNumber | null;
  readonly total: number;
  readonly refreshedAt: TimestampMs;
  /** The ranking by total points. */
  readonly ranking: Ranking;
  /** The first block of each type that has entries. */
  readonly tops: ReadonlyMap<RankType, RankedBlock>;
  readonly usernames: ReadonlyMap<number, string>;
}

/** All loaded boards, at one moment. */
export interface BoardImages {
  readonly firstDay: DayNumber;
  readonly boards: ReadonlyMap<number, BoardImage>;
  /** The last epoch that was ever refreshed; 0 before the first. */
  readonly lastEpoch: number;
}

interface BoardRow {
  board: number;
  day: number | null;
  total: number;
  refreshed_at: Date;
  revision: string;
}

interface BlockRow {
  rank_type: RankType;
  block: number;
  account_ids: string;
  points: string;
}

// The active epoch and the one before, which is requested when it has just ended.
const epochsKept = 2;
const restMs = 1;
const rest = (): Promise<void> => delay(restMs);

export class BoardCache implements NotificationHandler {
  readonly channel = boardChannel;
  readonly addresses = new AddressList();
  readonly #pool: Pick<DatabasePool, 'withClient'>;
  readonly #log: DatabaseLog;
  #images: BoardImages | null = null;
  #isStopped = false;
  #running: Promise<void> | null = null;
  #isAgainDue = false;

  constructor(pool: Pick<DatabasePool, 'withClient'>, log: DatabaseLog) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Null until they were read once. */
  get images(): BoardImages | null {
    return this.#images;
  }

  onNotification(): void {
    void this.catchUp();
  }

  onConnected(): void {
    void this.catchUp();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Resolves once everything refreshed before the call is loaded. */
  async catchUp(): Promise<void> {
    if (this.#isStopped) return;
    this.#isAgainDue = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAgainDue && !this.#isStopped) {
      this.#isAgainDue = false;
      try {
        this.#images = await this.#pool.withClient((client) => this.#load(client));
      } catch (error) {
        // Pages are read from the database until the next refresh, as before the first one.
        this.#images = null;
        this.#log.warn({ error: String(error) }, 'leaderboards could not be read into memory');
      }
    }
  }

  async #load(client: pg.ClientBase): Promise<BoardImages> {
    // One state of all tables, however many refreshes commit meanwhile.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      const images = await this.#read(client);
      await client.query('COMMIT');
      return images;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #read(client: pg.ClientBase): Promise<BoardImages> {
    const firstDay = await loadFirstPointsDay(client);
    const { rows } = await client.query<BoardRow>(
      `SELECT board, day, total, refreshed_at, revision FROM points_boards
       WHERE board = $1 OR board > (SELECT max(board) FROM points_boards) - $2
       ORDER BY board`,
      [dailyBoard, epochsKept],
    );
    await this.addresses.catchUp(client, rest);
    const boards = new Map<number, BoardImage>();
    for (const row of rows) boards.set(row.board, await this.#readBoard(client, row));
    return { firstDay, boards, lastEpoch: rows.at(-1)?.board ?? 0 };
  }

  async #readBoard(client: pg.ClientBase, row: BoardRow): Promise<BoardImage> {
    const { board, total } = row;
    const known = this.#images?.boards.get(board);
    const revision = Number(row.revision);
    if (known?.revision === revision) return known;
    const since = known !== undefined && known.revision < revision ? known.revision : 0;
    const before = since === 0 ? undefined : known;
    const { rows } = await client.query<
      Pick<BlockRow, 'rank_type' | 'block'> & { is_new: boolean }
    >(
      `SELECT rank_type, block, revision > $2 AS is_new FROM points_board_blocks
       WHERE board = $1 AND (revision > $2 OR block = 0) ORDER BY block`,
      [board, since],
    );
    const tops = new Map<RankType, RankedBlock>();
    const changed = new Map<number, RankedBlock>();
    for (const { rank_type: type, block, is_new: isNew } of rows) {
      const same = isNew ? undefined : before?.tops.get(type);
      const contents = same ?? (await readBlock(client, { board, type, block }));
      if (block === 0) tops.set(type, contents);
      if (type === 'total' && isNew) changed.set(block, contents);
      if (same !== undefined) continue;
      await this.addresses.complete(client, contents.accountIds);
      await rest();
    }
    // Ranks of the daily board are never requested.
    const accountsMax = board === dailyBoard ? 0 : this.addresses.last;
    const ranking = before?.ranking ?? Ranking.empty;
    return {
      revision,
      total,
      tops,
      day: row.day as DayNumber | null,
      refreshedAt: row.refreshed_at.getTime() as TimestampMs,
      ranking: await ranking.replaced(changed, { total, accountsMax }, rest),
      usernames: await readUsernames(client, tops),
    };
  }
}

async function readBlock(
  client: pg.ClientBase,
  { board, type, block }: { board: number; type: RankType; block: number },
): Promise<RankedBlock> {
  // As one text each, which is faster to read than the driver's arrays.
  const { rows } = await client.query<BlockRow>(
    `SELECT array_to_string(account_ids, ',') AS account_ids,
       array_to_string(points, ',') AS points
     FROM points_board_blocks WHERE board = $1 AND rank_type = $2 AND block = $3`,
    [board, type, block],
  );
  const [row] = rows;
  assert(row !== undefined, 'a block that was listed is there');
  return {
    accountIds: Int32Array.from(row.account_ids.split(','), Number),
    points: BigInt64Array.from(row.points.split(','), unitsOf),
  };
}

// 64 bits suffice for 92 billion points of one account; anything larger fails.
function unitsOf(text: string): bigint {
  const points = pointsFromDecimal(decimalOf(text));
  assert(
    points !== null && BigInt.asIntN(64, points) === points,
    `not a number of points: ${text}`,
  );
  return points;
}

async function readUsernames(
  client: pg.ClientBase,
  tops: ReadonlyMap<RankType, RankedBlock>,
): Promise<ReadonlyMap<number, string>> {
  const accountIds = new Set([...tops.values()].flatMap((block) => [...block.accountIds]));
  const { rows } = await client.query<{ account_id: string; username: string }>(
    `SELECT account_id, username FROM accounts
     WHERE account_id = ANY ($1::bigint[]) AND username IS NOT NULL`,
    [[...accountIds]],
  );
  return new Map(rows.map((row) => [Number(row.account_id), row.username]));
}
