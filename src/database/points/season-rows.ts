import type { Selectable } from 'kysely';
import type { Season, SeasonInput } from '../../application/points/points-ports.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { EpochNumber } from '../../programs/points/epochs.ts';
import type { SeasonStatus } from '../../programs/points/season.ts';
import { timeOf } from '../column-values.ts';
import type { PointsSeasonsTable } from './points-tables.ts';

export function seasonFromRow(row: Selectable<PointsSeasonsTable>): Season {
  return {
    seasonId: row.season_id,
    seasonNo: row.season_no,
    label: row.label,
    startEpoch: row.start_epoch as EpochNumber,
    endEpoch: row.end_epoch as EpochNumber,
    userPoolTokens: Number(row.user_pool_tokens),
    marketMakerPoolTokens: Number(row.mm_pool_tokens),
    status: row.status as SeasonStatus,
    snapshotAt: timeOf(row.snapshot_at),
    snapshotTakenAt: timeOf(row.snapshot_taken_at),
    distributionAt: timeOf(row.distribution_at),
  };
}

/** The columns that an administrator sets. */
export function rowFromSeason(input: SeasonInput) {
  return {
    label: input.label,
    start_epoch: input.startEpoch,
    end_epoch: input.endEpoch,
    user_pool_tokens: input.userPoolTokens,
    mm_pool_tokens: input.marketMakerPoolTokens,
    snapshot_at: dateOf(input.snapshotAt),
    distribution_at: dateOf(input.distributionAt),
  };
}

function dateOf(time: TimestampMs | null): Date | null {
  return time === null ? null : new Date(time);
}
