import { type KlineInterval, klineCloseTime } from '../../../domain/kline-interval.ts';
import { BaselineLoader, type TimedTrade } from '../channels/baseline.ts';
import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { FramedMessages } from '../topic.ts';
import type { CandlePast } from './candle-history.ts';
import { type EventForm, EventTopic, namedEvent } from './event-topic.ts';
import { continuousKline, type EventMarket, kline } from './market-events.ts';
import { growTradeCandle, openTradeCandle, type TradeCandle } from './trade-candle.ts';

const klineIntervalMs = 250;

export interface KlineStreamParts {
  readonly market: EventMarket;
  readonly interval: KlineInterval;
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly loadPast: (() => Promise<CandlePast>) | null;
}

/** The newest candle of one interval as it grows; a closed one is sent once, complete. */
export class KlineStream {
  readonly #parts: KlineStreamParts;
  readonly #past: BaselineLoader<CandlePast, TimedTrade>;
  readonly #topics: KlineTopic[] = [];
  #candle: TradeCandle | null = null;
  #isClosed = false;

  constructor(parts: KlineStreamParts) {
    this.#parts = parts;
    this.#past = new BaselineLoader(
      parts.loadPast,
      ({ candles }) => (this.#candle = candles.at(-1) ?? null),
      (trade) => this.#add(trade),
    );
  }

  addTopic(form: EventForm, kind: KlineKind): KlineTopic {
    const topic = new KlineTopic(form, this, kind);
    this.#topics.push(topic);
    return topic;
  }

  add(trade: TimedTrade): void {
    this.#past.take(trade);
  }

  prepare(): Promise<void> | null {
    return this.#past.prepare();
  }

  /** Closes the candle once its time has passed; to be called every second. */
  tick(): void {
    const candle = this.#candle;
    if (candle === null || this.#isClosed) return;
    const { interval, clock } = this.#parts;
    if (clock.now() > klineCloseTime(interval, candle.openTime)) this.#close(candle);
  }

  /** The candle as an event's JSON text; null before the first trade. */
  read(kind: KlineKind): string | null {
    return this.#candle === null ? null : this.#describe(kind, this.#candle, this.#isClosed);
  }

  #add(timed: TimedTrade): void {
    const { interval, hub } = this.#parts;
    const candle = this.#candle;
    if (candle !== null && timed.time <= klineCloseTime(interval, candle.openTime)) {
      growTradeCandle(candle, timed.trade);
    } else {
      if (candle !== null && !this.#isClosed) this.#close(candle);
      this.#candle = openTradeCandle(interval, timed);
      this.#isClosed = false;
    }
    for (const topic of this.#topics) {
      topic.hasChanged = true;
      hub.markDirty(topic);
    }
  }

  #close(candle: TradeCandle): void {
    this.#isClosed = true;
    for (const topic of this.#topics) {
      if (topic.hasAudience) topic.finish(this.#describe(topic.kind, candle, true));
      else topic.hasChanged = false;
      this.#parts.hub.markDirty(topic);
    }
  }

  #describe(kind: KlineKind, candle: TradeCandle, isClosed: boolean): string {
    const { market, interval, clock } = this.#parts;
    const { event, describe } = kinds[kind];
    return namedEvent(event, clock.now(), describe(market, interval, candle, isClosed));
  }
}

const kinds = {
  kline: { event: 'kline', describe: kline },
  continuousKline: { event: 'continuous_kline', describe: continuousKline },
} as const;

export type KlineKind = keyof typeof kinds;

class KlineTopic extends EventTopic {
  hasChanged = false;
  readonly kind: KlineKind;
  readonly #stream: KlineStream;
  #finished: string[] = [];

  constructor(form: EventForm, stream: KlineStream, kind: KlineKind) {
    super(form, klineIntervalMs);
    this.#stream = stream;
    this.kind = kind;
  }

  finish(payload: string): void {
    this.#finished.push(payload);
    this.hasChanged = false;
  }

  override prepare(): Promise<void> | null {
    return this.#stream.prepare();
  }

  override takeUpdates(): FramedMessages | null {
    const payloads = this.#finished;
    const current = this.hasChanged ? this.#stream.read(this.kind) : null;
    this.#finished = [];
    this.hasChanged = false;
    if (!this.hasAudience) return null;
    if (current !== null) payloads.push(current);
    if (payloads.length === 0) return null;
    const frames = payloads.map((payload) => this.frame(payload));
    return { bytes: Buffer.concat(frames), count: frames.length };
  }
}
