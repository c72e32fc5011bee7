import { type Amount, amountFromDecimal, formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import {
  type HeldValue,
  type Holding,
  type HoldingKey,
  Holdings,
  type MarkIndex,
  settlingMoments,
} from '../../programs/points/holdings.ts';
import { integerArray } from '../array-parameters.ts';
import { BatchInsert, integerColumn, numberColumn, replaceColumns } from '../batch-insert.ts';
import { decimalOf } from '../column-values.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { ProjectionContext } from '../projector/projection.ts';
import type { StatementRunner } from '../projector/statement-queue.ts';

// Follows open positions and mark prices. A batch without either costs nothing; one in which a full
// hour passes counts every open position, so that points are added every hour.

type Step =
  | { readonly kind: 'mark'; readonly marketId: number; readonly markPrice: Amount }
  | { readonly kind: 'position'; readonly key: HoldingKey; readonly quantity: Decimal };

interface TimedStep {
  readonly at: TimestampMs;
  readonly sequence: number;
  readonly step: Step;
}

interface Stored {
  readonly settledAt: TimestampMs;
  readonly marks: readonly (readonly [number, MarkIndex])[];
}

/** What positions earned up to the batch's end; brings the tables up to it. */
export async function countHoldings(
  batch: OutcomeBatch,
  context: ProjectionContext,
): Promise<readonly HeldValue[]> {
  const steps = stepsOf(batch, context);
  const [begin, end] = [steps[0]?.at, steps.at(-1)?.at];
  if (begin === undefined || end === undefined) return [];
  const { statements } = context;
  const { settledAt, marks } = await loadStored(statements);
  // Before anything was followed there is nothing to settle.
  const moments = settlingMoments(settledAt === 0 ? begin : settledAt, end);
  const open =
    moments.length > 0
      ? await loadAll(statements)
      : await loadSome(statements, positionKeys(steps));
  const holdings = new Holdings(marks, open);
  const pending = [...moments];
  for (const { at, step } of steps) {
    while (pending[0] !== undefined && pending[0] <= at) {
      holdings.settleAll(pending[0]);
      pending.shift();
    }
    if (step.kind === 'mark') holdings.setMark(step.marketId, step.markPrice, at);
    else holdings.setQuantity(step.key, step.quantity, at);
  }
  await writeHoldings(statements, holdings);
  await writeMarks(statements, holdings, new Set(steps.flatMap(marketOfMark)));
  const settled = moments.at(-1) ?? (settledAt === 0 ? begin : null);
  if (settled !== null) {
    await statements.run({
      text: 'UPDATE points_clock SET settled_at = $1',
      values: [settled],
    });
  }
  return holdings.earned;
}

function stepsOf(batch: OutcomeBatch, { directory }: ProjectionContext): readonly TimedStep[] {
  const steps: TimedStep[] = [];
  for (const { event, outcome } of batch.eventsOf('markPriceChanged')) {
    const { marketId, markPrice } = event;
    const step: Step = { kind: 'mark', marketId, markPrice };
    steps.push({ at: outcome.timestamp, sequence: outcome.sequence, step });
  }
  for (const { event, outcome } of batch.eventsOf('positionChanged')) {
    const { accountId, marketId, quantity } = event.position;
    const { lotSize } = directory.getFuturesMarket(marketId);
    const size = (BigInt(Math.abs(quantity)) * lotSize) as Decimal;
    const step: Step = { kind: 'position', key: { accountId, marketId }, quantity: size };
    steps.push({ at: outcome.timestamp, sequence: outcome.sequence, step });
  }
  return steps.sort((left, right) => left.sequence - right.sequence);
}

function positionKeys(steps: readonly TimedStep[]): readonly HoldingKey[] {
  return steps.flatMap(({ step }) => (step.kind === 'position' ? [step.key] : []));
}

function marketOfMark({ step }: TimedStep): readonly number[] {
  return step.kind === 'mark' ? [step.marketId] : [];
}

interface StoredRow {
  settled_at: string;
  market_id: number | null;
  mark_price: string;
  index_sum: string;
  marked_at: string;
}

async function loadStored(statements: StatementRunner): Promise<Stored> {
  const { rows } = await statements.run<StoredRow>({
    name: 'select-points-marks',
    text: `SELECT settled_at, market_id, mark_price, index_sum, marked_at
      FROM points_clock LEFT JOIN points_marks ON true`,
  });
  const settledAt = Number(rows[0]?.settled_at ?? 0) as TimestampMs;
  const marks = rows.flatMap((row): (readonly [number, MarkIndex])[] => {
    if (row.market_id === null) return [];
    const markPrice = amountFromDecimal(decimalOf(row.mark_price));
    assert(markPrice !== null, 'a mark price is an amount');
    const at = Number(row.marked_at) as TimestampMs;
    return [[row.market_id, { markPrice, sum: BigInt(row.index_sum), at }]];
  });
  return { settledAt, marks };
}

interface HoldingRow {
  account_id: string;
  market_id: number;
  quantity: string;
  index_sum: string;
}

async function loadAll(statements: StatementRunner): Promise<readonly Holding[]> {
  const { rows } = await statements.run<HoldingRow>({
    name: 'select-points-holdings',
    text: 'SELECT account_id, market_id, quantity, index_sum FROM points_holdings',
  });
  return rows.map(holdingFromRow);
}

async function loadSome(
  statements: StatementRunner,
  keys: readonly HoldingKey[],
): Promise<readonly Holding[]> {
  if (keys.length === 0) return [];
  const { rows } = await statements.run<HoldingRow>({
    name: 'select-points-holdings-of',
    text: `SELECT DISTINCT account_id, holding.market_id, quantity, index_sum
      FROM unnest($1::bigint[], $2::bigint[]) AS wanted (account_id, market_id)
      JOIN points_holdings AS holding USING (account_id, market_id)`,
    values: [
      integerArray(keys.map(({ accountId }) => accountId)),
      integerArray(keys.map(({ marketId }) => marketId)),
    ],
  });
  return rows.map(holdingFromRow);
}

function holdingFromRow(row: HoldingRow): Holding {
  return {
    accountId: Number(row.account_id) as AccountId,
    marketId: row.market_id,
    quantity: decimalOf(row.quantity),
    indexSum: BigInt(row.index_sum),
  };
}

const holdingRows = new BatchInsert<Holding>({
  table: 'points_holdings',
  columns: [
    integerColumn('account_id', ({ accountId }) => accountId),
    integerColumn('market_id', ({ marketId }) => marketId),
    numberColumn('quantity', ({ quantity }) => formatDecimal(quantity)),
    numberColumn('index_sum', ({ indexSum }) => indexSum.toString()),
  ],
  onConflict: `(account_id, market_id) ${replaceColumns('quantity', 'index_sum')}`,
});

async function writeHoldings(statements: StatementRunner, holdings: Holdings): Promise<void> {
  const { open, closed } = holdings.changes;
  if (open.length > 0) await statements.run(holdingRows.statement(open));
  if (closed.length === 0) return;
  await statements.run({
    name: 'delete-points-holdings',
    text: `DELETE FROM points_holdings AS holding
      USING unnest($1::bigint[], $2::bigint[]) AS gone (account_id, market_id)
      WHERE holding.account_id = gone.account_id AND holding.market_id = gone.market_id`,
    values: [
      integerArray(closed.map(({ accountId }) => accountId)),
      integerArray(closed.map(({ marketId }) => marketId)),
    ],
  });
}

const markRows = new BatchInsert<MarkIndex & { readonly marketId: number }>({
  table: 'points_marks',
  columns: [
    integerColumn('market_id', ({ marketId }) => marketId),
    numberColumn('mark_price', ({ markPrice }) => formatAmount(markPrice)),
    numberColumn('index_sum', ({ sum }) => sum.toString()),
    integerColumn('marked_at', ({ at }) => at),
  ],
  onConflict: `(market_id) ${replaceColumns('mark_price', 'index_sum', 'marked_at')}`,
});

async function writeMarks(
  statements: StatementRunner,
  holdings: Holdings,
  changed: ReadonlySet<number>,
): Promise<void> {
  const rows = [...holdings.marks].flatMap(([marketId, mark]) =>
    changed.has(marketId) ? [{ marketId, ...mark }] : [],
  );
  if (rows.length > 0) await statements.run(markRows.statement(rows));
}
