import { api } from '../api/api.ts';
import type { MarketKind } from './market.ts';

export interface Candle {
  /** Milliseconds since 1970. */
  readonly open_time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

const pageSize = 500;

/** Loads a page of candles, oldest first: the newest, or those before a time. */
export async function loadCandles(
  kind: MarketKind,
  symbol: string,
  interval: string,
  before: number | null,
): Promise<readonly Candle[]> {
  const query = {
    interval: interval as '1m',
    limit: pageSize,
    ...(before === null ? {} : { end_time: new Date(before - 1).toISOString() }),
  };
  const candles =
    kind === 'spot'
      ? (await api.call('GET /api/v1/spot/klines', { query: { symbol, ...query } })).items
      : await api.call('GET /api/v1/markets/:symbol/klines', { params: { symbol }, query });
  return candles.map((each) => ({ ...each, open_time: Date.parse(each.open_time) }));
}
