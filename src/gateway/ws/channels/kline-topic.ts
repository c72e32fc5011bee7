import {
  type Candle,
  growCandle,
  openCandle,
  viewCandle,
} from '../../../application/market-data/candle.ts';
import { type KlineInterval, klineCloseTime } from '../../../domain/kline-interval.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';
import { BaselineLoader, type HistoryLoader, type TimedTrade } from './baseline.ts';
import { type StreamMarket } from './stream-market.ts';

// The newest candle of an interval as it grows; a finished candle is sent once more, complete,
// before the next one. Data is null before the market's first trade.

const klineIntervalMs = 250;

export class KlineTopic extends Topic {
  readonly #market: StreamMarket;
  readonly #interval: KlineInterval;
  readonly #clock: StreamClock;
  readonly #past: BaselineLoader;
  #candle: Candle | null = null;
  #finished: Candle[] = [];
  #hasChanged = false;
  #seq = 0;

  constructor(
    market: StreamMarket,
    interval: KlineInterval,
    clock: StreamClock,
    loadPast: HistoryLoader | null,
  ) {
    super(
      { channel: 'kline', symbol: market.symbol, market: market.line, interval },
      klineIntervalMs,
    );
    this.#market = market;
    this.#interval = interval;
    this.#clock = clock;
    this.#past = new BaselineLoader(
      loadPast,
      ({ candles }) => (this.#candle = candles.at(-1) ?? null),
      (trade) => this.#grow(trade),
    );
  }

  add(trade: TimedTrade): void {
    this.#past.take(trade);
  }

  override prepare(): Promise<void> | null {
    return this.#past.prepare();
  }

  override snapshot(): Buffer {
    return this.#frame('snapshot', this.#candle);
  }

  override takeUpdates(): FramedMessages | null {
    if (!this.#hasChanged || this.#candle === null) return null;
    const frames = [...this.#finished, this.#candle].map((candle) => {
      this.#seq += 1;
      return this.#frame('update', candle);
    });
    this.#finished = [];
    this.#hasChanged = false;
    return { bytes: Buffer.concat(frames), count: frames.length };
  }

  #grow({ trade, time }: TimedTrade): void {
    const candle = this.#candle;
    this.#hasChanged = true;
    if (candle !== null && time <= klineCloseTime(this.#interval, candle.openTime)) {
      growCandle(this.#market, candle, trade);
      return;
    }
    if (candle !== null && this.hasAudience) this.#finished.push(candle);
    this.#candle = openCandle(this.#market, this.#interval, trade, time);
  }

  #frame(type: 'snapshot' | 'update', candle: Candle | null): Buffer {
    const data = candle === null ? null : viewCandle(this.#market, this.#interval, candle);
    const message = { type, ...this.target, seq: this.#seq, ts: this.#clock.now(), data };
    return encodeTextFrame(JSON.stringify(message));
  }
}
