import type { AccountId } from '../../domain/identifiers.ts';
import { type EpochNumber, epochOfDay } from '../../programs/points/epochs.ts';
import {
  addEarned,
  type CappedPoints,
  capByFees,
  type EpochEarned,
  nothingEarned,
} from '../../programs/points/fee-cap.ts';
import { toPoints } from '../../programs/points/points.ts';
import { integerArray } from '../array-parameters.ts';
import type { StatementRunner } from '../projector/statement-queue.ts';
import type { AccountDay, PointsChange, PointsTerms } from './points-change.ts';
import { amountOfColumn, pointsOfColumn } from './points-columns.ts';

// The cap applies to an epoch, and a day counts what it changes of that. A later day can therefore
// remove points of an earlier day's positions, if its profit needs the room.

export interface DayChange extends AccountDay, PointsChange {}

/** A day's change, with what it would be without the cap. */
export interface CountedDay extends DayChange {
  readonly earned: EpochEarned;
}

interface EpochRow {
  epoch: number;
  account_id: string;
  fees_paid: string;
  pnl_earned: string;
  holding_earned: string;
}

const selectEarned = `
  SELECT epoch, account_id, fees_paid, pnl_earned, holding_earned
  FROM unnest($1::bigint[], $2::bigint[]) AS wanted (epoch, account_id)
  JOIN points_epochs USING (epoch, account_id)`;

/** The days in order, with the points that the cap leaves them. */
export async function capDays(
  statements: StatementRunner,
  days: readonly DayChange[],
  { firstDay, cappedFrom }: PointsTerms,
): Promise<readonly CountedDay[]> {
  const placed = days.map((day) => ({ ...day, epoch: epochOfDay(day.day, firstDay) }));
  const sums = await loadEarned(statements, placed);
  return placed.map(({ epoch, ...day }) => {
    const { accountId, facts, points } = day;
    const earned = { feesPaid: facts.feesPaid, pnl: points.pnl, holding: points.holding };
    const key = keyOf(epoch, accountId);
    const before = sums.get(key) ?? nothingEarned;
    const after = addEarned(before, earned);
    sums.set(key, after);
    if (epoch < cappedFrom) return { ...day, earned };
    const left = changeBetween(capByFees(before), capByFees(after));
    return { ...day, points: { ...points, ...left }, earned };
  });
}

function changeBetween(before: CappedPoints, after: CappedPoints): CappedPoints {
  return {
    pnl: toPoints(after.pnl - before.pnl),
    holding: toPoints(after.holding - before.holding),
  };
}

async function loadEarned(
  statements: StatementRunner,
  days: readonly { readonly accountId: AccountId; readonly epoch: EpochNumber }[],
): Promise<Map<string, EpochEarned>> {
  const wanted = new Map(days.map((day) => [keyOf(day.epoch, day.accountId), day]));
  const { rows } = await statements.run<EpochRow>({
    name: 'select-points-earned',
    text: selectEarned,
    values: [
      integerArray([...wanted.values()].map(({ epoch }) => epoch)),
      integerArray([...wanted.values()].map(({ accountId }) => accountId)),
    ],
  });
  return new Map(
    rows.map((row) => [
      keyOf(row.epoch, row.account_id),
      {
        feesPaid: amountOfColumn(row.fees_paid),
        pnl: pointsOfColumn(row.pnl_earned),
        holding: pointsOfColumn(row.holding_earned),
      },
    ]),
  );
}

function keyOf(epoch: number, accountId: AccountId | string): string {
  return `${epoch} ${accountId}`;
}
