import { type Candle, candleFromView, requireTicks } from '../../application/market-data/candle.ts';
import { DatabaseError, type ReadBarrier } from '../../application/ports/database.ts';
import type { SpotHistory } from '../../application/ports/spot-history.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { KlineInterval } from '../../domain/kline-interval.ts';
import type { Ticks } from '../../domain/spot-market.ts';
import type { StreamMarket } from './channels/stream-market.ts';

/** Where the streams read what happened before they started. */
export interface StreamHistory {
  readonly history: Pick<SpotHistory, 'listRecentTrades' | 'listKlines'>;
  readonly barrier: ReadBarrier;
}

/** Candles with the last trade that they include, so that live trades can be added to them. */
export interface CandleBaseline {
  readonly candles: readonly Candle[];
  /** 0 if the market has never traded. */
  readonly lastTradeId: number;
  readonly lastPrice: Ticks | null;
}

export interface CandleRequest {
  readonly market: StreamMarket;
  readonly interval: KlineInterval;
  /** Null: from the newest candle backwards. */
  readonly startTime: number | null;
  readonly limit: number;
  /** The sequence that the database must have reached. */
  readonly sequence: Sequence;
}

const attemptsMax = 100;

/**
 * Loads candles up to a known trade. Trades and candles change together in the database, so the
 * candles match the newest trade if it is the same before and after they are read.
 * @throws DatabaseError
 */
export async function loadCandleBaseline(
  { history, barrier }: StreamHistory,
  { market, interval, startTime, limit, sequence }: CandleRequest,
): Promise<CandleBaseline> {
  await barrier.waitFor(sequence);
  const { symbol } = market;
  let [before] = await history.listRecentTrades(symbol, 1);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const views = await history.listKlines({ symbol, interval, startTime, endTime: null, limit });
    const [after] = await history.listRecentTrades(symbol, 1);
    if (after?.trade_id === before?.trade_id) {
      return {
        candles: views.map((view) => candleFromView(market, view)),
        lastTradeId: Number(after?.trade_id ?? 0),
        lastPrice: after === undefined ? null : requireTicks(market, after.price),
      };
    }
    before = after;
  }
  throw new DatabaseError(`candles of ${symbol} changed during each of ${attemptsMax} readings`);
}
