import type pg from 'pg';
import { demoAddresses } from '../../domain/demo-accounts.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import { pointsTypes } from '../../programs/points/points-types.ts';

// A refresh is one transaction next to the projector's: it takes no lock that accrual waits for,
// and readers see the previous leaderboard until it commits. Only changes are written: first the
// points of ranked accounts, then the blocks whose order or points differ.

/** Entries in a block; the epoch leaderboard returns at most one block. */
export const blockEntries = 1_000;
/** The accounts that no board shows: there are few, and none outside development. */
export const unrankedAccounts = `SELECT account_id FROM accounts
  WHERE address BETWEEN '${demoAddresses.first}' AND '${demoAddresses.last}'`;
/** The channel that announces a finished refresh. */
export const boardChannel = 'points_boards';
/** The board of the current day; epochs have their own numbers, from 1. */
export const dailyBoard = 0;

interface Source {
  readonly board: number;
  readonly revision: number;
  /** The source of the points: a table and the value of its first key column. */
  readonly table: 'points_epochs' | 'points_days';
  readonly key: 'epoch' | 'day';
  readonly keyValue: number;
}

/** Refreshes the leaderboards of an epoch. */
export async function refreshEpochBoards(
  client: pg.ClientBase,
  epoch: EpochNumber,
  { now, isFinal }: { readonly now: TimestampMs; readonly isFinal: boolean },
): Promise<void> {
  const revision = await beginRefresh(client, epoch);
  if (revision === null) return;
  const source = { table: 'points_epochs', key: 'epoch', keyValue: epoch } as const;
  await rankTotals(client, { ...source, board: epoch, revision });
  for (const type of pointsTypes) await client.query(topBlock(type), [epoch, revision]);
  await noteRefresh(client, { board: epoch, revision, day: null, now, isFinal });
}

/** Refreshes the day's leaderboard, from scratch if it is another day's. */
export async function refreshDailyBoard(
  client: pg.ClientBase,
  day: DayNumber,
  now: TimestampMs,
): Promise<void> {
  const revision = await beginRefresh(client, dailyBoard);
  if (revision === null) return;
  const { rows } = await client.query<{ day: number }>(
    'SELECT day FROM points_boards WHERE board = $1',
    [dailyBoard],
  );
  const known = rows[0]?.day ?? null;
  // A process whose clock is slow must not restore yesterday.
  if (known !== null && known > day) return;
  if (known !== day) {
    await client.query('DELETE FROM points_ranked WHERE board = $1', [dailyBoard]);
    await client.query('DELETE FROM points_board_blocks WHERE board = $1', [dailyBoard]);
  }
  const source = { table: 'points_days', key: 'day', keyValue: day } as const;
  await rankTotals(client, { ...source, board: dailyBoard, revision });
  await noteRefresh(client, { board: dailyBoard, revision, day, now, isFinal: false });
}

const boardLock = 7_401;

/** The number of this refresh; null if another process is refreshing: its result is as good. */
async function beginRefresh(client: pg.ClientBase, board: number): Promise<number | null> {
  // Sorting a million entries fits into this; the default would use temporary files.
  await client.query(`SET LOCAL work_mem = '128MB'`);
  const { rows } = await client.query<{ revision: string | null }>(
    `SELECT CASE WHEN pg_try_advisory_xact_lock($1, $2) THEN nextval('points_revisions') END
       AS revision`,
    [boardLock, board],
  );
  const revision = rows[0]?.revision ?? null;
  return revision === null ? null : Number(revision);
}

async function rankTotals(client: pg.ClientBase, source: Source): Promise<void> {
  const { board, revision, table, key, keyValue } = source;
  const changed = await client.query(
    `INSERT INTO points_ranked (board, account_id, points)
     SELECT $1::integer, source.account_id, source.total FROM ${table} AS source
     LEFT JOIN points_ranked AS known ON known.board = $1
       AND known.account_id = source.account_id
     WHERE source.${key} = $2 AND source.total > 0
       AND source.account_id NOT IN (${unrankedAccounts})
       AND known.points IS DISTINCT FROM source.total
     ON CONFLICT (board, account_id) DO UPDATE SET points = excluded.points`,
    [board, keyValue],
  );
  // Every account that has earned keeps its row, so those to remove are the ones without points.
  const gone = await client.query(
    `DELETE FROM points_ranked AS known USING ${table} AS source
     WHERE known.board = $1 AND known.account_id = source.account_id
       AND source.${key} = $2 AND source.total <= 0`,
    [board, keyValue],
  );
  if ((changed.rowCount ?? 0) + (gone.rowCount ?? 0) > 0) {
    await writeBlocks(client, { board, revision });
  }
}

async function writeBlocks(
  client: pg.ClientBase,
  { board, revision }: Pick<Source, 'board' | 'revision'>,
): Promise<void> {
  await client.query(
    `WITH entries AS (
       SELECT ranked.account_id, account.address, ranked.points,
         row_number() OVER (ORDER BY ranked.points DESC, account.address COLLATE "C") - 1 AS place
       FROM points_ranked AS ranked JOIN accounts AS account USING (account_id)
       WHERE ranked.board = $1
     )
     INSERT INTO points_board_blocks AS known
       (board, rank_type, block, first_points, first_address, account_ids, points, revision)
     SELECT $1::integer, 'total', (place / ${blockEntries})::integer, max(points),
       max(address) FILTER (WHERE place % ${blockEntries} = 0),
       array_agg(account_id ORDER BY place), array_agg(points ORDER BY place), $2::bigint
     FROM entries GROUP BY place / ${blockEntries}
     ${replaceChangedBlock}`,
    [board, revision],
  );
  await client.query(
    `DELETE FROM points_board_blocks WHERE board = $1 AND rank_type = 'total'
       AND block * ${blockEntries} >= (SELECT count(*) FROM points_ranked WHERE board = $1)`,
    [board],
  );
}

const replaceChangedBlock = `ON CONFLICT (board, rank_type, block) DO UPDATE SET
  first_points = excluded.first_points, first_address = excluded.first_address,
  account_ids = excluded.account_ids, points = excluded.points, revision = excluded.revision
  WHERE known.account_ids <> excluded.account_ids OR known.points <> excluded.points`;

/** Only the entries that can be requested: the first block of one type. */
function topBlock(type: (typeof pointsTypes)[number]): string {
  return `WITH least AS (
      SELECT ${type} AS points FROM points_epochs WHERE epoch = $1 AND ${type} > 0
        AND account_id NOT IN (${unrankedAccounts})
      ORDER BY ${type} DESC LIMIT 1 OFFSET ${blockEntries - 1}
    ), entries AS (
      SELECT account_id, address, ${type} AS points FROM points_epochs
      JOIN accounts USING (account_id)
      WHERE epoch = $1 AND ${type} > 0 AND ${type} >= coalesce((SELECT points FROM least), 0)
        AND account_id NOT IN (${unrankedAccounts})
      ORDER BY ${type} DESC, address COLLATE "C" LIMIT ${blockEntries}
    ), cleared AS (
      DELETE FROM points_board_blocks WHERE board = $1 AND rank_type = '${type}'
        AND NOT EXISTS (SELECT FROM entries)
    )
    INSERT INTO points_board_blocks AS known
      (board, rank_type, block, first_points, first_address, account_ids, points, revision)
    SELECT $1::integer, '${type}', 0, max(points),
      (array_agg(address ORDER BY points DESC, address COLLATE "C"))[1],
      array_agg(account_id ORDER BY points DESC, address COLLATE "C"),
      array_agg(points ORDER BY points DESC, address COLLATE "C"), $2::bigint
    FROM entries HAVING count(*) > 0
    ${replaceChangedBlock}`;
}

async function noteRefresh(
  client: pg.ClientBase,
  board: {
    readonly board: number;
    readonly revision: number;
    readonly day: DayNumber | null;
    readonly now: TimestampMs;
    readonly isFinal: boolean;
  },
): Promise<void> {
  await client.query(
    `INSERT INTO points_boards (board, day, total, refreshed_at, is_final, revision)
     SELECT $1::integer, $2::integer, count(*), $3::timestamptz, $4::boolean, $5::bigint
     FROM points_ranked WHERE board = $1
     ON CONFLICT (board) DO UPDATE SET day = excluded.day, total = excluded.total,
       refreshed_at = excluded.refreshed_at, is_final = excluded.is_final,
       revision = excluded.revision`,
    [board.board, board.day, new Date(board.now), board.isFinal, board.revision],
  );
  await client.query(`NOTIFY ${boardChannel}`);
}
