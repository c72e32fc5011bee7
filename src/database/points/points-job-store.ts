import type pg from 'pg';
import type { PointsJobStore, Season } from '../../application/points/points-ports.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import type { DatabasePool } from '../database-pool.ts';
import { refreshDailyBoard, refreshEpochBoards } from './refresh-boards.ts';
import { seasonFromRow } from './season-rows.ts';
import { takeSeasonSnapshot } from './take-snapshot.ts';

type JobPool = Pick<DatabasePool, 'query' | 'withClient'>;

export class DatabasePointsJobStore implements PointsJobStore {
  readonly #pool: JobPool;
  readonly #onRefreshed: () => Promise<void>;

  /** A refresh ends when `onRefreshed` has resolved. */
  constructor(pool: JobPool, onRefreshed: () => Promise<void> = async () => undefined) {
    this.#pool = pool;
    this.#onRefreshed = onRefreshed;
  }

  async listOpenEpochs(current: EpochNumber): Promise<readonly EpochNumber[]> {
    return this.#pool.withClient(async (client) => {
      const { rows } = await client.query<{ epoch: number }>(
        `SELECT epoch FROM generate_series(1, $1::integer) AS epoch
         WHERE NOT EXISTS (SELECT FROM points_boards WHERE board = epoch AND is_final)
         ORDER BY epoch`,
        [current],
      );
      return rows.map(({ epoch }) => epoch as EpochNumber);
    });
  }

  async refreshEpoch(
    epoch: EpochNumber,
    refresh: { readonly now: TimestampMs; readonly isFinal: boolean },
  ): Promise<void> {
    await this.#transact('BEGIN', (client) => refreshEpochBoards(client, epoch, refresh));
    await this.#onRefreshed();
  }

  async refreshDay(day: DayNumber, now: TimestampMs): Promise<void> {
    await this.#transact('BEGIN', (client) => refreshDailyBoard(client, day, now));
    await this.#onRefreshed();
  }

  async listUnfinishedSeasons(): Promise<readonly Season[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('points_seasons')
        .selectAll()
        .where('status', '<>', 'completed')
        .orderBy('season_no')
        .execute(),
    );
    return rows.map(seasonFromRow);
  }

  async activateSeason(seasonNo: number): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('points_seasons')
        .set({ status: 'active' })
        .where('season_no', '=', seasonNo)
        .where('status', '=', 'pending')
        .execute(),
    );
  }

  async takeSnapshot(seasonNo: number, now: TimestampMs): Promise<void> {
    await this.#transact('BEGIN ISOLATION LEVEL REPEATABLE READ', (client) =>
      takeSeasonSnapshot(client, seasonNo, now),
    );
  }

  async #transact(begin: string, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    await this.#pool.withClient(async (client) => {
      await client.query(begin);
      try {
        await work(client);
        await client.query('COMMIT');
      } catch (error) {
        // A lost connection cannot roll back; the server does it.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }
}
