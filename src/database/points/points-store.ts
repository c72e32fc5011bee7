import { CompiledQuery, type Transaction } from 'kysely';
import type {
  EarnLevelChange,
  Fault,
  PointsCredit,
  PointsStore,
  Season,
  SeasonChange,
  SeasonInput,
} from '../../application/points/points-ports.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { type EarnLevel, findEarnLevelFault } from '../../programs/points/earn-levels.ts';
import { dayOf, epochOfDay, epochStart } from '../../programs/points/epochs.ts';
import { formatPoints, zeroPoints } from '../../programs/points/points.ts';
import type { PointsByType } from '../../programs/points/points-types.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import { adminActor } from '../projections/admin-records.ts';
import { requireAccountId } from '../referral/account-rows.ts';
import type { Tables } from '../tables.ts';
import { firstDayFromSetting } from './epoch-setting.ts';
import { rowFromSeason, seasonFromRow } from './season-rows.ts';
import { creditStatements } from './write-points.ts';

type Write = Transaction<Tables>;

const noPoints: PointsByType = {
  trading: zeroPoints,
  pnl: zeroPoints,
  holding: zeroPoints,
  referral: zeroPoints,
  staking: zeroPoints,
};

/** An administrator's writes to the points program, each with its audit row. */
export class DatabasePointsStore implements PointsStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async createSeason(
    seasonNo: number,
    input: SeasonInput,
    now: TimestampMs,
  ): Promise<Season | 'exists'> {
    return this.#write(async (transaction) => {
      const firstDay = await firstDayFromSetting(transaction);
      const isRunning = now >= epochStart(input.startEpoch, firstDay);
      const row = await transaction
        .insertInto('points_seasons')
        .values({
          ...rowFromSeason(input),
          season_no: seasonNo,
          status: isRunning ? 'active' : 'pending',
        })
        .onConflict((conflict) => conflict.column('season_no').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return 'exists';
      const season = seasonFromRow(row);
      await insertAudit(
        transaction,
        { action: 'create_points_season', detail: season },
        { at: new Date(now) },
      );
      return season;
    });
  }

  async changeSeason(
    seasonNo: number,
    change: SeasonChange,
    now: TimestampMs,
  ): ReturnType<PointsStore['changeSeason']> {
    return this.#write(async (transaction) => {
      const known = await transaction
        .selectFrom('points_seasons')
        .selectAll()
        .where('season_no', '=', seasonNo)
        .forUpdate()
        .executeTakeFirst();
      if (known === undefined) return 'not_found';
      if (known.status === 'completed') return 'completed';
      const present = seasonFromRow(known);
      const wanted: Season = { ...present, ...definedOnly(change) };
      if (wanted.startEpoch > wanted.endEpoch) {
        return { fault: 'end_epoch: must not be before start_epoch' };
      }
      if (present.status === 'active' && wanted.startEpoch !== present.startEpoch) {
        return { fault: 'start_epoch: the season has begun' };
      }
      await transaction
        .updateTable('points_seasons')
        .set(rowFromSeason(wanted))
        .where('season_no', '=', seasonNo)
        .execute();
      await insertAudit(
        transaction,
        { action: 'change_points_season', detail: wanted },
        { at: new Date(now) },
      );
      return wanted;
    });
  }

  async changeEarnLevels(changes: readonly EarnLevelChange[], now: TimestampMs): Promise<Fault> {
    return this.#write(async (transaction) => {
      const rows = await transaction
        .selectFrom('points_earn_levels')
        .selectAll()
        .orderBy('level')
        .forUpdate()
        .execute();
      const known = rows.map(
        (row): EarnLevel => ({
          level: row.level,
          pointsMin: Number(row.points_min),
          pointsMax: row.points_max === null ? null : Number(row.points_max),
          weight: row.weight,
        }),
      );
      const wanted = known.map((row): EarnLevel => {
        const change = changes.find(({ level }) => level === row.level);
        return change === undefined ? row : { ...row, ...definedOnly(change) };
      });
      const fault = findEarnLevelFault(wanted);
      if (fault !== null) return fault;
      for (const row of wanted) {
        if (!changes.some(({ level }) => level === row.level)) continue;
        await updateEarnLevel(transaction, row, now);
      }
      await insertAudit(
        transaction,
        { action: 'set_points_earn_levels', detail: { levels: wanted } },
        { at: new Date(now) },
      );
      return null;
    });
  }

  async credit(credit: PointsCredit, now: TimestampMs): Promise<boolean> {
    return this.#write(async (transaction) => {
      const accountId = await requireAccountId(transaction, credit.account);
      const firstDay = await firstDayFromSetting(transaction);
      const day = dayOf(now);
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('points_credits')
        .values({
          reference: credit.reference,
          account_id: accountId,
          type: credit.type,
          points: formatPoints(credit.points),
          day,
          admin_actor: adminActor,
          created_at: new Date(now),
        })
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      const points = { ...noPoints, [credit.type]: credit.points };
      const epoch = epochOfDay(day, firstDay);
      for (const { text, values = [] } of creditStatements({ accountId, points, day, epoch })) {
        await transaction.executeQuery(CompiledQuery.raw(text, values));
      }
      const { reference, account, type } = credit;
      const detail = { reference, address: account, type, points: formatPoints(credit.points) };
      await insertAudit(transaction, { action: 'credit_points', detail }, { at: new Date(now) });
      return true;
    });
  }

  async #write<T>(work: (transaction: Write) => Promise<T>): Promise<T> {
    return this.#pool.query((db) => db.transaction().execute(work));
  }
}

async function updateEarnLevel(
  transaction: Write,
  { level, pointsMin, pointsMax, weight }: EarnLevel,
  now: TimestampMs,
): Promise<void> {
  await transaction
    .updateTable('points_earn_levels')
    .set({
      points_min: pointsMin,
      points_max: pointsMax,
      weight,
      updated_at: new Date(now),
      updated_by: adminActor,
    })
    .where('level', '=', level)
    .execute();
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are given; absent ones keep their value. */
function definedOnly<T extends object>(change: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
