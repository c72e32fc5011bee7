import { type Amount, toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import { valueDown } from '../../domain/margin.ts';

// A perp account's equity over time, computed backwards from its present state: every change of
// the wallet and of the positions is stored, so each earlier state follows exactly.

export const equityIntervals = ['1h', '1d'] as const;
export type EquityInterval = (typeof equityIntervals)[number];

/** A position as stored; a short has a negative quantity and a negative cost. */
interface StoredPosition {
  readonly marketId: FuturesMarketId;
  /** The base asset in units of 10^-18. */
  readonly quantity: bigint;
  /** What the position was opened for, in USDT. */
  readonly cost: bigint;
}

/** An account's trades in one market within one period. */
export interface PeriodTrades {
  /** The period's number, counted in periods since 1970. */
  readonly period: number;
  readonly marketId: FuturesMarketId;
  /** Bought less sold, in units of 10^-18. */
  readonly quantity: bigint;
  /** Paid for what was bought, less what was received, in USDT. */
  readonly quote: bigint;
  readonly profit: bigint;
  readonly fees: bigint;
}

/** Changes of the wallet in one period that no trade made. */
interface PeriodIncome {
  readonly period: number;
  readonly funding: bigint;
  /** Transfers, withdrawals and clearing by the insurance fund. */
  readonly transfers: bigint;
}

/** The last mark price computed in a period, in USDT for one whole base asset. */
interface PeriodMark {
  readonly period: number;
  readonly marketId: FuturesMarketId;
  readonly price: bigint;
}

/** An account's present state and its changes since the first period, of one moment. */
export interface EquityRecords {
  readonly walletBalance: bigint;
  readonly positions: readonly StoredPosition[];
  readonly trades: readonly PeriodTrades[];
  readonly income: readonly PeriodIncome[];
  /** Oldest first; for each market also the last one before the first period. */
  readonly marks: readonly PeriodMark[];
}

/** One period; amounts in USDT. */
export interface EquityPeriod {
  readonly period: number;
  readonly walletBalance: Amount;
  readonly unrealizedProfit: Amount;
  readonly equity: Amount;
  readonly realizedProfit: Amount;
  readonly funding: Amount;
  /** Zero or negative, unless maker rebates exceed them. */
  readonly fees: Amount;
  readonly transfers: Amount;
  /** The change of the equity without transfers. */
  readonly profit: Amount;
}

export interface PeriodSpan {
  readonly first: number;
  readonly last: number;
}

interface State {
  wallet: bigint;
  readonly held: Map<FuturesMarketId, { quantity: bigint; cost: bigint }>;
}

/**
 * The periods of the span, newest first, each as of its end. Periods before the account's first
 * movement are left out.
 */
export function equityByPeriod(
  records: EquityRecords,
  { first, last }: PeriodSpan,
): readonly EquityPeriod[] {
  const state: State = {
    wallet: records.walletBalance,
    held: new Map(
      records.positions.map(({ marketId, quantity, cost }) => [marketId, { quantity, cost }]),
    ),
  };
  const trades = groupByPeriod(records.trades);
  const income = groupByPeriod(records.income);
  const marksAt = marksByPeriod(records.marks, { first, last });
  const periods: EquityPeriod[] = [];
  let unrealized = unrealizedAt(state, marksAt(last));
  for (let period = last; period >= first; period -= 1) {
    const atEnd = { wallet: state.wallet, unrealized };
    const changes = sumChanges(trades.get(period) ?? [], income.get(period) ?? []);
    undo(state, trades.get(period) ?? [], changes);
    unrealized = unrealizedAt(state, marksAt(period - 1));
    const equity = atEnd.wallet + atEnd.unrealized;
    periods.push({
      period,
      walletBalance: toAmount(atEnd.wallet),
      unrealizedProfit: toAmount(atEnd.unrealized),
      equity: toAmount(equity),
      realizedProfit: toAmount(changes.profit),
      funding: toAmount(changes.funding),
      fees: toAmount(0n - changes.fees),
      transfers: toAmount(changes.transfers),
      profit: toAmount(equity - state.wallet - unrealized - changes.transfers),
    });
  }
  const isEmpty = (each: EquityPeriod): boolean =>
    each.equity === 0n && !trades.has(each.period) && !income.has(each.period);
  return periods.slice(0, periods.findLastIndex((each) => !isEmpty(each)) + 1);
}

interface Changes {
  readonly profit: bigint;
  readonly fees: bigint;
  readonly funding: bigint;
  readonly transfers: bigint;
}

function sumChanges(trades: readonly PeriodTrades[], income: readonly PeriodIncome[]): Changes {
  return {
    profit: sumOf(trades, ({ profit }) => profit),
    fees: sumOf(trades, ({ fees }) => fees),
    funding: sumOf(income, ({ funding }) => funding),
    transfers: sumOf(income, ({ transfers }) => transfers),
  };
}

function sumOf<T>(rows: readonly T[], amountOf: (row: T) => bigint): bigint {
  return rows.reduce((sum, row) => sum + amountOf(row), 0n);
}

/** Returns the state to what it held before these changes. */
function undo(state: State, trades: readonly PeriodTrades[], changes: Changes): void {
  state.wallet -= changes.profit - changes.fees + changes.funding + changes.transfers;
  for (const { marketId, quantity, quote, profit } of trades) {
    const position = state.held.get(marketId) ?? { quantity: 0n, cost: 0n };
    // A trade changes the cost by what it paid and by the profit that it realized.
    state.held.set(marketId, {
      quantity: position.quantity - quantity,
      cost: position.cost - quote - profit,
    });
  }
}

function unrealizedAt(state: State, marks: ReadonlyMap<FuturesMarketId, bigint>): bigint {
  let sum = 0n;
  for (const [marketId, { quantity, cost }] of state.held) {
    if (quantity === 0n) continue;
    const mark = marks.get(marketId);
    // Without any mark price there was no profit to speak of.
    if (mark === undefined) continue;
    sum += valueDown(quantity, mark) - cost;
  }
  return sum;
}

function groupByPeriod<T extends { readonly period: number }>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.period);
    if (group === undefined) groups.set(row.period, [row]);
    else group.push(row);
  }
  return groups;
}

/** The marks at the end of any period from just before the span to its end. */
function marksByPeriod(
  marks: readonly PeriodMark[],
  { first, last }: PeriodSpan,
): (period: number) => ReadonlyMap<FuturesMarketId, bigint> {
  const byPeriod = new Map<number, ReadonlyMap<FuturesMarketId, bigint>>();
  const known = new Map<FuturesMarketId, bigint>();
  let next = 0;
  for (let period = first - 1; period <= last; period += 1) {
    for (let mark = marks[next]; mark !== undefined && mark.period <= period; ) {
      known.set(mark.marketId, mark.price);
      next += 1;
      mark = marks[next];
    }
    byPeriod.set(period, new Map(known));
  }
  return (period) => byPeriod.get(period) ?? new Map();
}
