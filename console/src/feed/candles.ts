import { api, stream } from '../api/api.ts';
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

export type CandlePrice = 'last' | 'mark' | 'index';

/** Whose candles: of trades, or of a perpetual's mark or index price. */
export interface CandleSource {
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly interval: string;
  readonly price: CandlePrice;
}

const pageSize = 500;

/** Loads a page of candles, oldest first: the newest, or those before a time. */
export async function loadCandles(
  { kind, symbol, interval, price }: CandleSource,
  before: number | null,
  limit = pageSize,
): Promise<readonly Candle[]> {
  const query = {
    interval: interval as '1m',
    limit,
    ...(before === null ? {} : { end_time: new Date(before - 1).toISOString() }),
  };
  const candles =
    kind === 'spot'
      ? (await api.call('GET /api/v1/spot/klines', { query: { symbol, ...query } })).items
      : await api.call('GET /api/v1/markets/:symbol/klines', {
          params: { symbol },
          query: { ...query, price },
        });
  return candles.map((each) => ({ ...each, open_time: Date.parse(each.open_time) }));
}

export interface CandleListener {
  readonly onCandle: (candle: Candle) => void;
  /** Candles may have been missed. */
  readonly onGap: () => void;
}

const readMs = 3_000;

/** Mark and index prices have no channel of candles: their newest two are read again and again. */
function poll(source: CandleSource, { onCandle }: CandleListener): () => void {
  const timer = setInterval(() => {
    if (document.hidden) return;
    // The next reading follows soon; the page says elsewhere that the service is out of reach.
    loadCandles(source, null, 2).then(
      (newest) => newest.forEach(onCandle),
      () => undefined,
    );
  }, readMs);
  return () => clearInterval(timer);
}

/** Reports the newest candles as they change, until the returned function is called. */
export function followCandles(source: CandleSource, listener: CandleListener): () => void {
  const { kind, symbol, interval, price } = source;
  if (price !== 'last') return poll(source, listener);
  let isBehind = false;
  return stream.subscribe(
    { channel: 'kline', symbol, market: kind, interval },
    {
      onStale: () => {
        isBehind = true;
      },
      onMessage: ({ data }) => {
        if (isBehind) {
          isBehind = false;
          return listener.onGap();
        }
        if (data !== null) listener.onCandle(data);
      },
    },
  );
}
