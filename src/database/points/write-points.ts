import { formatAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { addFacts, type DayFacts, noFacts } from '../../programs/points/day-facts.ts';
import { type DayNumber, type EpochNumber, epochOfDay } from '../../programs/points/epochs.ts';
import { addEarned, type EpochEarned, nothingEarned } from '../../programs/points/fee-cap.ts';
import { formatPoints, toPoints } from '../../programs/points/points.ts';
import type { PointsByType } from '../../programs/points/points-types.ts';
import { countPoints, pointsBetween, totalPoints } from '../../programs/points/registry.ts';
import { integerArray } from '../array-parameters.ts';
import { BatchInsert, integerColumn, numberColumn } from '../batch-insert.ts';
import type { Statement, StatementRunner } from '../projector/statement-queue.ts';
import { type CountedDay, capDays, type DayChange } from './cap-days.ts';
import { type AccountDay, type PointsChange, type PointsTerms } from './points-change.ts';
import { amountOfColumn } from './points-columns.ts';

// Only the projector writes facts, so they can be read, added to and written back. Administrators
// add points too, so points are written as differences. Rows are written by day before epoch, each
// in key order, which is also the order of credits.

interface EpochChange extends PointsChange {
  readonly epoch: EpochNumber;
  /** Before the cap. */
  readonly earned: EpochEarned;
}

const pointsColumns = [
  numberColumn<PointsChange>('trading', ({ points }) => formatPoints(points.trading)),
  numberColumn<PointsChange>('pnl', ({ points }) => formatPoints(points.pnl)),
  numberColumn<PointsChange>('holding', ({ points }) => formatPoints(points.holding)),
  numberColumn<PointsChange>('referral', ({ points }) => formatPoints(points.referral)),
  numberColumn<PointsChange>('staking', ({ points }) => formatPoints(points.staking)),
  numberColumn<PointsChange>('total', ({ points }) => formatPoints(totalPoints(points))),
];

const factNames = ['fees_paid', 'referee_fees', 'realized_profit', 'value_held'];
const earnedNames = ['fees_paid', 'pnl_earned', 'holding_earned'];
const pointsNames = ['trading', 'pnl', 'holding', 'referral', 'staking', 'total'];

/** The part of ON CONFLICT that adds the new values to the stored ones. */
function addColumns(names: readonly string[]): string {
  const sums = names.map((name) => `${name} = row.${name} + excluded.${name}`);
  return `DO UPDATE SET ${sums.join(', ')}`;
}

const dayRows = new BatchInsert<DayChange>({
  table: 'points_days',
  columns: [
    integerColumn('day', ({ day }) => day),
    integerColumn('account_id', ({ accountId }) => accountId),
    numberColumn('fees_paid', ({ facts }) => formatAmount(facts.feesPaid)),
    numberColumn('referee_fees', ({ facts }) => formatAmount(facts.refereeFees)),
    numberColumn('realized_profit', ({ facts }) => formatAmount(facts.realizedProfit)),
    numberColumn('value_held', ({ facts }) => facts.valueHeld.toString()),
    ...pointsColumns,
  ],
  onConflict: `(day, account_id) ${addColumns([...factNames, ...pointsNames])}`,
});

const epochRows = new BatchInsert<EpochChange>({
  table: 'points_epochs',
  columns: [
    integerColumn('epoch', ({ epoch }) => epoch),
    integerColumn('account_id', ({ accountId }) => accountId),
    numberColumn('fees_paid', ({ earned }) => formatAmount(earned.feesPaid)),
    numberColumn('pnl_earned', ({ earned }) => formatPoints(earned.pnl)),
    numberColumn('holding_earned', ({ earned }) => formatPoints(earned.holding)),
    ...pointsColumns,
  ],
  onConflict: `(epoch, account_id) ${addColumns([...earnedNames, ...pointsNames])}`,
});

const selectFacts = `
  SELECT day, account_id, fees_paid, referee_fees, realized_profit, value_held
  FROM unnest($1::bigint[], $2::bigint[]) AS wanted (day, account_id)
  JOIN points_days USING (day, account_id)`;

interface FactsRow {
  day: number;
  account_id: string;
  fees_paid: string;
  referee_fees: string;
  realized_profit: string;
  value_held: string;
}

export function keyOfDay(accountId: AccountId | string, day: number): string {
  return `${day} ${accountId}`;
}

/**
 * Adds to the days and epochs; returns the number of rows. Days before the first epoch do not
 * count.
 */
export async function writePoints(
  statements: StatementRunner,
  added: readonly AccountDay[],
  terms: PointsTerms,
): Promise<number> {
  const counted = added.filter(({ day }) => day >= terms.firstDay).sort(byDayAndAccount);
  if (counted.length === 0) return 0;
  const known = await loadFacts(statements, counted);
  const uncapped = counted.map((entry): DayChange => {
    const before = known.get(keyOfDay(entry.accountId, entry.day)) ?? noFacts;
    const after = addFacts(before, entry.facts);
    return { ...entry, points: pointsBetween(countPoints(before), countPoints(after)) };
  });
  const days = await capDays(statements, uncapped, terms);
  const epochs = sumByEpoch(days, terms.firstDay);
  await statements.run(dayRows.statement(days));
  if (epochs.length > 0) await statements.run(epochRows.statement(epochs));
  return days.length + epochs.length;
}

/** Statements that add points without facts to a day and then to its epoch. */
export function creditStatements({
  accountId,
  points,
  day,
  epoch,
}: PointsChange & {
  readonly day: DayNumber;
  readonly epoch: EpochNumber;
}): readonly Statement[] {
  return [
    dayRows.statement([{ accountId, day, facts: noFacts, points }]),
    epochRows.statement([{ accountId, epoch, points, earned: nothingEarned }]),
  ];
}

function byDayAndAccount(left: AccountDay, right: AccountDay): number {
  return left.day - right.day || left.accountId - right.accountId;
}

async function loadFacts(
  statements: StatementRunner,
  days: readonly AccountDay[],
): Promise<ReadonlyMap<string, DayFacts>> {
  const { rows } = await statements.run<FactsRow>({
    name: 'select-points-facts',
    text: selectFacts,
    values: [
      integerArray(days.map(({ day }) => day)),
      integerArray(days.map(({ accountId }) => accountId)),
    ],
  });
  return new Map(
    rows.map((row) => [
      keyOfDay(row.account_id, row.day),
      {
        feesPaid: amountOfColumn(row.fees_paid),
        refereeFees: amountOfColumn(row.referee_fees),
        realizedProfit: amountOfColumn(row.realized_profit),
        valueHeld: BigInt(row.value_held),
      },
    ]),
  );
}

function sumByEpoch(days: readonly CountedDay[], firstDay: DayNumber): readonly EpochChange[] {
  const sums = new Map<string, EpochChange>();
  for (const { accountId, day, points, earned } of days) {
    const epoch = epochOfDay(day, firstDay);
    const key = keyOfDay(accountId, epoch);
    const sum = sums.get(key);
    sums.set(key, {
      accountId,
      epoch,
      points: sum === undefined ? points : addPoints(sum.points, points),
      earned: sum === undefined ? earned : addEarned(sum.earned, earned),
    });
  }
  const isChange = (values: object) => Object.values(values).some((each) => each !== 0n);
  return [...sums.values()]
    .filter(({ points, earned }) => isChange(points) || isChange(earned))
    .sort((left, right) => left.epoch - right.epoch || left.accountId - right.accountId);
}

function addPoints(left: PointsByType, right: PointsByType): PointsByType {
  return {
    trading: toPoints(left.trading + right.trading),
    pnl: toPoints(left.pnl + right.pnl),
    holding: toPoints(left.holding + right.holding),
    referral: toPoints(left.referral + right.referral),
    staking: toPoints(left.staking + right.staking),
  };
}
