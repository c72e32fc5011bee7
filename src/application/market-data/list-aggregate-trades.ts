import type { TradeId } from '../../domain/identifiers.ts';
import type { HistoryOrder } from '../ports/futures-history.ts';
import {
  type AggregateScan,
  type AggregateTrade,
  aggregateWindowEnd,
  aggregateWindowStart,
  type ScannedAggregates,
} from './aggregate-trades.ts';

export type AggregateTradeFilter<Id> = Pick<
  AggregateScan<Id>,
  'marketId' | 'from' | 'startTime' | 'endTime' | 'limit'
>;

/** A history of spot or futures trades that identifies markets by `Id`. */
interface TradeReader<Id> {
  listMarketTrades(filter: {
    readonly marketId: Id;
    readonly from: TradeId | null;
    readonly startTime: null;
    readonly endTime: null;
    readonly order: HistoryOrder;
    readonly limit: number;
  }): Promise<readonly { readonly createdAt: number }[]>;
  scanAggregateTrades(scan: AggregateScan<Id>): Promise<ScannedAggregates>;
}

/**
 * The trades that may be read to fill a page. If they make fewer aggregates than the page has
 * places for, the page is shorter: it costs the same however many trades each aggregate has.
 */
const readMax = 10_000;

/** Whole aggregates, oldest first: from an id or a time on, otherwise the newest. */
export async function listAggregateTrades<Id>(
  history: TradeReader<Id>,
  filter: AggregateTradeFilter<Id>,
): Promise<readonly AggregateTrade[]> {
  const { endTime, limit } = filter;
  const begin = await beginOf(history, filter);
  if (begin === 'nothing') return [];
  const isForward = begin !== null;
  let since = begin === null ? null : aggregateWindowStart(begin);
  let before = endTime === null ? null : aggregateWindowEnd(endTime);
  for (;;) {
    const scan = { ...filter, since, before, isForward };
    // Mostly an aggregate has few trades.
    const near = await history.scanAggregateTrades({ ...scan, tradesMax: limit * 2 });
    if (near.cutAt === null || near.aggregates.length >= limit) return near.aggregates;
    const far = await history.scanAggregateTrades({ ...scan, tradesMax: readMax });
    if (far.cutAt === null || far.aggregates.length > 0) return far.aggregates;
    // More trades than may be read are in one window, which is read to its end, so that a page
    // without aggregates always means that there are none.
    const start = aggregateWindowStart(far.cutAt);
    const end = aggregateWindowEnd(far.cutAt);
    const window = { ...scan, since: start, before: end, tradesMax: null };
    const { aggregates } = await history.scanAggregateTrades(window);
    if (aggregates.length > 0) return aggregates;
    if (isForward) since = end;
    else before = start;
  }
}

/** The time from which trades are needed; null if only the newest are requested. */
async function beginOf<Id>(
  history: TradeReader<Id>,
  { marketId, from, startTime }: AggregateTradeFilter<Id>,
): Promise<number | null | 'nothing'> {
  if (from === null) return startTime;
  const all = { startTime: null, endTime: null, order: 'oldest_first', limit: 1 } as const;
  const [first] = await history.listMarketTrades({ marketId, from, ...all });
  return first === undefined ? 'nothing' : Math.max(first.createdAt, startTime ?? 0);
}
