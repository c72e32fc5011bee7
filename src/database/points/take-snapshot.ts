import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { formatPoints, type Points } from '../../programs/points/points.ts';
import { cutShare } from '../../programs/points/share-tokens.ts';
import { BatchInsert, integerColumn, numberColumn, wordColumn } from '../batch-insert.ts';
import { pointsOfColumn } from './points-columns.ts';
import { unrankedAccounts } from './refresh-boards.ts';

// A season's pools are shared out in one transaction that sees one state of the points: rows and
// status are written together or not at all. The pure rule computes the shares row by row; the
// tokens left over by rounding go to the largest remainders.

// This many rows occupy the thread that serves requests for a few milliseconds.
const chunkRows = 1_000;

type Pool = 'user' | 'mm';

interface SeasonRow {
  status: string;
  start_epoch: number;
  end_epoch: number;
  user_pool_tokens: string;
  mm_pool_tokens: string;
}

interface ShareRow {
  readonly seasonNo: number;
  readonly rank: number;
  readonly accountId: string;
  readonly pool: Pool;
  readonly points: Points;
  readonly tokens: bigint;
  readonly remainder: bigint;
}

const shares = new BatchInsert<ShareRow>({
  table: 'points_distributions',
  columns: [
    integerColumn('season_no', ({ seasonNo }) => seasonNo),
    integerColumn('rank', ({ rank }) => rank),
    integerColumn('account_id', ({ accountId }) => Number(accountId)),
    wordColumn('pool', ({ pool }) => pool),
    numberColumn('points', ({ points }) => formatPoints(points)),
    integerColumn('tokens', ({ tokens }) => Number(tokens)),
    numberColumn('remainder', ({ remainder }) => remainder.toString()),
  ],
});

const participants = `
  SELECT row_number() OVER (ORDER BY points DESC, address COLLATE "C") AS rank, account_id,
    CASE WHEN is_market_maker THEN 'mm' ELSE 'user' END AS pool, points
  FROM (
    SELECT account_id, sum(total) AS points FROM points_epochs
    WHERE epoch BETWEEN $1 AND $2 AND account_id NOT IN (${unrankedAccounts})
    GROUP BY account_id HAVING sum(total) > 0
  ) AS earned JOIN accounts USING (account_id)`;

/** Takes the snapshot of an active season; the transaction must be REPEATABLE READ. */
export async function takeSeasonSnapshot(
  client: pg.ClientBase,
  seasonNo: number,
  now: TimestampMs,
): Promise<void> {
  const season = await lockSeason(client, seasonNo);
  if (season?.status !== 'active') return;
  await client.query(`SET LOCAL work_mem = '128MB'`);
  const span = [season.start_epoch, season.end_epoch];
  const pools = new Map<Pool, bigint>([
    ['user', BigInt(season.user_pool_tokens)],
    ['mm', BigInt(season.mm_pool_tokens)],
  ]);
  const totals = await sumPools(client, span);
  const given = await writeShares(client, seasonNo, { span, pools, totals });
  for (const [pool, tokens] of pools) {
    if (!totals.has(pool)) continue;
    await giveRest(client, seasonNo, pool, tokens - (given.get(pool) ?? 0n));
  }
  await client.query(
    `UPDATE points_seasons SET status = 'completed', snapshot_taken_at = $2 WHERE season_no = $1`,
    [seasonNo, new Date(now)],
  );
}

async function lockSeason(client: pg.ClientBase, seasonNo: number): Promise<SeasonRow | undefined> {
  const { rows } = await client.query<SeasonRow>(
    'SELECT * FROM points_seasons WHERE season_no = $1 FOR UPDATE',
    [seasonNo],
  );
  return rows[0];
}

async function sumPools(
  client: pg.ClientBase,
  span: readonly number[],
): Promise<ReadonlyMap<Pool, Points>> {
  const { rows } = await client.query<{ pool: Pool; points: string }>(
    `SELECT pool, sum(points) AS points FROM (${participants}) AS participant GROUP BY pool`,
    [...span],
  );
  return new Map(rows.map(({ pool, points }) => [pool, pointsOfColumn(points)]));
}

interface Sharing {
  readonly span: readonly number[];
  readonly pools: ReadonlyMap<Pool, bigint>;
  readonly totals: ReadonlyMap<Pool, Points>;
}

/** Writes everyone's rounded share; returns what was given out, by pool. */
async function writeShares(
  client: pg.ClientBase,
  seasonNo: number,
  { span, pools, totals }: Sharing,
): Promise<ReadonlyMap<Pool, bigint>> {
  const given = new Map<Pool, bigint>();
  await client.query(`DECLARE participant NO SCROLL CURSOR FOR ${participants} ORDER BY rank`, [
    ...span,
  ]);
  for (;;) {
    const { rows } = await client.query<{
      rank: string;
      account_id: string;
      pool: Pool;
      points: string;
    }>(`FETCH ${chunkRows} FROM participant`);
    if (rows.length === 0) break;
    const cut = rows.map((row): ShareRow => {
      const points = pointsOfColumn(row.points);
      const total = totals.get(row.pool);
      assert(total !== undefined, 'an account with points is in the sum of its pool');
      const share = cutShare(pools.get(row.pool) ?? 0n, points, total);
      given.set(row.pool, (given.get(row.pool) ?? 0n) + share.tokens);
      const rank = Number(row.rank);
      return { seasonNo, rank, accountId: row.account_id, pool: row.pool, points, ...share };
    });
    await client.query(shares.statement(cut));
  }
  await client.query('CLOSE participant');
  return given;
}

async function giveRest(
  client: pg.ClientBase,
  seasonNo: number,
  pool: Pool,
  rest: bigint,
): Promise<void> {
  if (rest === 0n) return;
  await client.query(
    `UPDATE points_distributions SET tokens = tokens + 1
     WHERE season_no = $1 AND rank IN (
       SELECT rank FROM points_distributions WHERE season_no = $1 AND pool = $2
       ORDER BY remainder DESC, rank LIMIT $3)`,
    [seasonNo, pool, rest.toString()],
  );
}
