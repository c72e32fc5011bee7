import type { TradeId } from '../../domain/identifiers.ts';
import type { HistoryOrder } from '../ports-futures.ts';
import {
  type AggregateTrade,
  aggregateWindowEnd,
  aggregateWindowStart,
  beginAggregate,
  growAggregate,
  type MergeableTrade,
} from './aggregate-trades.ts';

export interface AggregateTradeFilter<Id> {
  readonly marketId: Id;
  /** This aggregate and later ones. */
  readonly from: TradeId | null;
  /** Both inclusive; compared with the aggregate's first trade. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

interface TimedTrade {
  readonly trade: MergeableTrade;
  readonly createdAt: number;
}

/** A history of spot or futures trades that identifies markets by `Id`. */
interface TradeReader<Id> {
  listMarketTrades(
    filter: AggregateTradeFilter<Id> & { readonly order: HistoryOrder },
  ): Promise<readonly TimedTrade[]>;
}

/** Maximum number of trades read to fill a page. */
const readMax = 64_000;

/** Whole aggregates, oldest first: from an id or a time on, otherwise the newest. */
export async function listAggregateTrades<Id>(
  history: TradeReader<Id>,
  filter: AggregateTradeFilter<Id>,
): Promise<readonly AggregateTrade[]> {
  const { from, endTime, limit } = filter;
  const startTime = await beginOf(history, filter);
  if (startTime === 'nothing') return [];
  const isForward = startTime !== null;
  for (let count = limit * 2; ; count *= 4) {
    const trades = await history.listMarketTrades({
      marketId: filter.marketId,
      from: null,
      limit: count,
      startTime: startTime === null ? null : aggregateWindowStart(startTime),
      endTime: endTime === null ? null : aggregateWindowEnd(endTime) - 1,
      order: isForward ? 'oldest_first' : 'newest_first',
    });
    const all = aggregateAll(isForward ? trades : [...trades].reverse());
    const isWhole = trades.length < count;
    // The last aggregate read may have further trades that were not read.
    const known = isWhole ? all : isForward ? all.slice(0, -1) : all.slice(1);
    const wanted = known.filter(
      ({ firstTradeId, time }) =>
        (from === null || firstTradeId >= from) &&
        (filter.startTime === null || time >= filter.startTime) &&
        (endTime === null || time <= endTime),
    );
    if (isWhole || wanted.length >= limit || count >= readMax) {
      return isForward ? wanted.slice(0, limit) : wanted.slice(-limit);
    }
  }
}

/** The time from which trades are needed; null if only the newest are requested. */
async function beginOf<Id>(
  history: TradeReader<Id>,
  { marketId, from, startTime }: AggregateTradeFilter<Id>,
): Promise<number | null | 'nothing'> {
  if (from === null) return startTime;
  const [first] = await history.listMarketTrades({
    marketId,
    from,
    startTime,
    endTime: null,
    order: 'oldest_first',
    limit: 1,
  });
  return first?.createdAt ?? 'nothing';
}

function aggregateAll(trades: readonly TimedTrade[]): readonly AggregateTrade[] {
  const aggregates: AggregateTrade[] = [];
  let open: AggregateTrade | null = null;
  for (const { trade, createdAt } of trades) {
    const grown: AggregateTrade | null =
      open === null ? null : growAggregate(open, trade, createdAt);
    if (grown === null && open !== null) aggregates.push(open);
    open = grown ?? beginAggregate(trade, createdAt);
  }
  if (open !== null) aggregates.push(open);
  return aggregates;
}
