import type { Kysely } from 'kysely';
import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { type DayNumber, dayOf, type EpochNumber } from '../../programs/points/epochs.ts';
import type { Tables } from '../tables.ts';
import type { PointsTerms } from './points-change.ts';

// The start of the first epoch is chosen once and stored: a later change would divide the weeks
// that are already counted differently.

/** The key in the settings table; the value is in Unix seconds. */
const epochStartKey = 'points_epoch_start';
/** The first epoch whose points are capped by fees. */
const capEpochKey = 'points_cap_epoch';

/** The stored setting differs from POINTS_EPOCH_START, and points are counted by it. */
export class EpochStartConflict extends Error {
  override readonly name = 'EpochStartConflict';
}

/** The first day of the first epoch. */
export async function loadFirstPointsDay(client: pg.ClientBase): Promise<DayNumber> {
  const { rows } = await client.query<{ value: number }>(
    'SELECT value FROM settings WHERE key = $1',
    [epochStartKey],
  );
  const seconds = rows[0]?.value;
  assert(typeof seconds === 'number', 'the migrations set the start of the first epoch');
  return dayOf((seconds * 1000) as TimestampMs);
}

/** When points start to count, and the first epoch in which fees cap them. */
export async function loadPointsTerms(client: pg.ClientBase): Promise<PointsTerms> {
  const { rows } = await client.query<{ value: number }>(
    'SELECT value FROM settings WHERE key = $1',
    [capEpochKey],
  );
  const cappedFrom = rows[0]?.value;
  assert(typeof cappedFrom === 'number', 'the migrations set from when fees cap points');
  return {
    firstDay: await loadFirstPointsDay(client),
    cappedFrom: cappedFrom as EpochNumber,
  };
}

/** As loadFirstPointsDay, within a Kysely transaction. */
export async function firstDayFromSetting(db: Kysely<Tables>): Promise<DayNumber> {
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', epochStartKey)
    .executeTakeFirstOrThrow();
  return dayOf((Number(value) * 1000) as TimestampMs);
}

/**
 * Stores the given start, unless points are already counted by another one.
 * @throws EpochStartConflict
 */
export async function writeEpochStart(client: pg.ClientBase, startSeconds: number): Promise<void> {
  const { rows } = await client.query<{ value: number; is_counted: boolean }>(
    `SELECT value, EXISTS (SELECT FROM points_days) AS is_counted FROM settings WHERE key = $1`,
    [epochStartKey],
  );
  const [stored] = rows;
  if (stored?.value === startSeconds) return;
  if (stored?.is_counted === true) {
    throw new EpochStartConflict(
      `points are counted from ${stored.value}; POINTS_EPOCH_START ${startSeconds} is ignored`,
    );
  }
  await client.query(
    'UPDATE settings SET value = to_jsonb($2::bigint), updated_at = now() WHERE key = $1',
    [epochStartKey, startSeconds],
  );
}
