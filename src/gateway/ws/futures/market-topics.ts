import type { AggregateTrade } from '../../../application/market-data/aggregate-trades.ts';
import type { BookMirror } from '../../../application/market-data/book-mirror.ts';
import {
  type KlineInterval,
  klineIntervals,
  klineOpenTime,
} from '../../../domain/kline-interval.ts';
import type { Side } from '../../../domain/spot-order.ts';
import { BaselineLoader, type TimedTrade } from '../channels/baseline.ts';
import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { CandlePast } from './candle-history.ts';
import { type DayStatistics, DayWindow, dayMs } from './day-window.ts';
import {
  type DepthChanges,
  DepthTopic,
  type EventFields,
  type EventForm,
  type EventTopic,
  eventText,
  QueueTopic,
  StateTopic,
} from './event-topic.ts';
import { KlineStream } from './kline-stream.ts';
import { averagePrice, type EventMarket, rollingTicker, type TopLevels } from './market-events.ts';
import { TradeAggregator } from './trade-aggregator.ts';

/** Streams that both spot and futures have. */
export type CommonStream =
  | { readonly kind: 'depth'; readonly symbol: string; readonly intervalMs: number }
  | {
      readonly kind: 'partialDepth';
      readonly symbol: string;
      readonly levels: number;
      readonly intervalMs: number;
    }
  | {
      readonly kind: 'kline' | 'continuousKline';
      readonly symbol: string;
      readonly interval: KlineInterval;
    }
  | {
      readonly kind: 'bookTicker' | 'aggTrade' | 'trade' | 'ticker' | 'miniTicker';
      readonly symbol: string;
    };

/** Streams that only spot has: the five-minute average, and statistics over a window of hours. */
export type SpotOnlyStream =
  | { readonly kind: 'avgPrice'; readonly symbol: string }
  | { readonly kind: 'rollingTicker'; readonly symbol: string; readonly window: RollingWindow };

export const rollingWindows = ['1h', '4h', '1d'] as const;
export type RollingWindow = (typeof rollingWindows)[number];

/** Writes a market's events; each without its name and time. */
export interface EventFormats {
  /** The name of the event; null: it is sent without name and time. */
  readonly partialDepthName: string | null;
  readonly bookTickerName: string | null;
  readonly tickerIntervalMs: number;
  depthUpdate(this: void, market: EventMarket, time: number, changes: DepthChanges): EventFields;
  partialDepth(this: void, market: EventMarket, time: number, top: TopLevels): EventFields;
  bookTicker(this: void, market: EventMarket, time: number, top: TopLevels): EventFields;
  trade(this: void, market: EventMarket, timed: TimedTrade): EventFields;
  aggregateTrade(this: void, market: EventMarket, aggregate: AggregateTrade): EventFields;
  ticker(this: void, market: EventMarket, day: DayStatistics, best: TopLevels): EventFields;
  miniTicker(this: void, market: EventMarket, day: DayStatistics): EventFields;
}

export interface MarketTopicsParts {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly words: EventFormats;
  /** Null: candles and statistics begin when the process starts. */
  readonly loadCandles:
    | ((interval: KlineInterval, startTime: number | null) => Promise<CandlePast>)
    | null;
}

const averageMs = 300_000;
const windowMs: Readonly<Record<RollingWindow, number>> = {
  '1h': dayMs / 24,
  '4h': dayMs / 6,
  '1d': dayMs,
};

const aggregateIntervalMs = 100;

/** Topics by what makes them change. */
interface TopicsByCause {
  readonly depth: DepthTopic[];
  readonly book: StateTopic[];
  readonly trades: QueueTopic[];
  readonly aggregates: QueueTopic[];
  readonly day: StateTopic[];
}

/** The streams of one market, spot or futures, each created when first requested. */
export class MarketTopics {
  readonly market: EventMarket;
  readonly mirror: BookMirror;
  readonly #parts: MarketTopicsParts;
  readonly #topics = new Map<string, EventTopic>();
  readonly #byCause: TopicsByCause = { depth: [], book: [], trades: [], aggregates: [], day: [] };
  readonly #klines: ReadonlyMap<KlineInterval, KlineStream>;
  readonly #dayPast: BaselineLoader<CandlePast, TimedTrade>;
  #day = new DayWindow([], null);
  #bookTime: number;
  /** The time of the last trade; null before the first that the process has seen. */
  #tradedAt: number | null = null;
  readonly #aggregator: TradeAggregator;

  constructor(market: EventMarket, mirror: BookMirror, parts: MarketTopicsParts) {
    const { clock, words } = parts;
    this.market = market;
    this.mirror = mirror;
    this.#parts = parts;
    this.#bookTime = clock.now();
    this.#aggregator = new TradeAggregator(clock, (aggregate) => {
      const describe = () => words.aggregateTrade(market, aggregate);
      this.push(this.#byCause.aggregates, 'aggTrade', describe);
    });
    this.#klines = new Map(klineIntervals.map((interval) => [interval, this.#makeKline(interval)]));
    this.#dayPast = new BaselineLoader(
      this.#pastLoader('1m', () => klineOpenTime('1m', clock.now() - dayMs)),
      ({ candles, previousClose }) => (this.#day = new DayWindow(candles, previousClose)),
      ({ trade, time }) => this.#day.add(trade, time),
    );
  }

  /** To be called after the mirror has applied the change. */
  noteLevel(level: { side: Side; price: number; quantity: number }, time: number): void {
    this.#bookTime = time;
    for (const topic of this.#byCause.depth) {
      topic.change(level.side, level.price, level.quantity);
      this.#parts.hub.markDirty(topic);
    }
    this.markDirty(this.#byCause.book);
  }

  addTrade(timed: TimedTrade): void {
    const { words } = this.#parts;
    this.push(this.#byCause.trades, 'trade', () => words.trade(this.market, timed));
    const hasSubscribers = this.#byCause.aggregates.some(({ hasAudience }) => hasAudience);
    if (hasSubscribers) this.#aggregator.add(timed);
    this.#dayPast.take(timed);
    this.#tradedAt = timed.time;
    for (const stream of this.#klines.values()) stream.add(timed);
    this.markDirty(this.#byCause.day);
  }

  /** To be called every second. */
  tick(): void {
    this.markDirty(this.#byCause.day);
    for (const stream of this.#klines.values()) stream.tick();
  }

  /** The topic of that form, created at the first call. */
  findTopic(form: EventForm, make: () => EventTopic): EventTopic {
    const key = `${form.streamName} ${form.isCombined}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const topic = make();
    this.#topics.set(key, topic);
    return topic;
  }

  makeTopic(name: CommonStream | SpotOnlyStream, form: EventForm): EventTopic {
    const by = this.#byCause;
    switch (name.kind) {
      case 'depth':
        return added(by.depth, this.#depthTopic(form, name.intervalMs));
      case 'partialDepth':
        return added(by.book, this.#partialDepthTopic(form, name));
      case 'bookTicker': {
        const { bookTickerName } = this.#parts.words;
        const topic = this.stateTopic(form, 0, bookTickerName, () => this.readBookTicker());
        return added(by.book, topic);
      }
      case 'trade':
        return added(by.trades, new QueueTopic(form, 0));
      case 'aggTrade':
        return added(by.aggregates, new QueueTopic(form, aggregateIntervalMs));
      case 'ticker':
        return this.#dayTopic(form, '24hrTicker', () => this.readTicker());
      case 'miniTicker':
        return this.#dayTopic(form, '24hrMiniTicker', () => this.readMiniTicker());
      case 'rollingTicker':
        return this.#dayTopic(form, `${name.window}Ticker`, () => this.readRolling(name.window));
      case 'avgPrice':
        return this.#dayTopic(form, 'avgPrice', () => this.#readAveragePrice());
      case 'kline':
      case 'continuousKline':
        return this.#requireKline(name.interval).addTopic(form, name.kind);
    }
  }

  readTicker(): EventFields | null {
    const day = this.#day.read(this.#parts.clock.now());
    if (day === null) return null;
    const fields = this.#parts.words.ticker(this.market, day, this.#top(1));
    return { ...fields, O: day.openTime, C: day.closeTime };
  }

  readMiniTicker(): EventFields | null {
    const day = this.#day.read(this.#parts.clock.now());
    return day === null ? null : this.#parts.words.miniTicker(this.market, day);
  }

  readRolling(window: RollingWindow): EventFields | null {
    const rolling = this.#day.read(this.#parts.clock.now(), windowMs[window]);
    return rolling === null ? null : rollingTicker(this.market, rolling);
  }

  #readAveragePrice(): EventFields | null {
    const recent = this.#day.read(this.#parts.clock.now(), averageMs);
    if (recent === null) return null;
    return averagePrice(this.market, recent, this.#tradedAt ?? recent.newest.openTime);
  }

  readBookTicker(): EventFields {
    return this.#parts.words.bookTicker(this.market, this.#bookTime, this.#top(1));
  }

  /** Null if the day is loaded; otherwise resolves when it is. */
  prepareDay(): Promise<void> | null {
    return this.#dayPast.prepare();
  }

  stateTopic(
    form: EventForm,
    intervalMs: number,
    event: string | null,
    read: () => EventFields | null,
    isRepeated = false,
  ): StateTopic {
    const { clock } = this.#parts;
    return new StateTopic({ form, intervalMs, event, read, clock, isRepeated });
  }

  /** Describes only events that have subscribers. */
  push(topics: readonly QueueTopic[], event: string, describe: () => EventFields): void {
    const subscribed = topics.filter(({ hasAudience }) => hasAudience);
    if (subscribed.length === 0) return;
    const payload = eventText(event, this.#parts.clock.now(), describe());
    for (const topic of subscribed) {
      topic.push(payload);
      this.#parts.hub.markDirty(topic);
    }
  }

  markDirty(topics: readonly EventTopic[]): void {
    for (const topic of topics) this.#parts.hub.markDirty(topic);
  }

  #depthTopic(form: EventForm, intervalMs: number): DepthTopic {
    const { clock, words } = this.#parts;
    return new DepthTopic(form, intervalMs, this.mirror, (changes) =>
      eventText(
        'depthUpdate',
        clock.now(),
        words.depthUpdate(this.market, this.#bookTime, changes),
      ),
    );
  }

  #partialDepthTopic(
    form: EventForm,
    { levels, intervalMs }: { readonly levels: number; readonly intervalMs: number },
  ): StateTopic {
    const { words } = this.#parts;
    return this.stateTopic(form, intervalMs, words.partialDepthName, () =>
      words.partialDepth(this.market, this.#bookTime, this.#top(levels)),
    );
  }

  #dayTopic(form: EventForm, event: string, read: () => EventFields | null): StateTopic {
    const { clock, words } = this.#parts;
    const prepare = () => this.prepareDay();
    const intervalMs = words.tickerIntervalMs;
    const topic = new StateTopic({ form, intervalMs, event, read, clock, prepare });
    return added(this.#byCause.day, topic);
  }

  #requireKline(interval: KlineInterval): KlineStream {
    const stream = this.#klines.get(interval);
    return stream ?? this.#makeKline(interval);
  }

  #makeKline(interval: KlineInterval): KlineStream {
    const { hub, clock } = this.#parts;
    const loadPast = this.#pastLoader(interval, () => null);
    return new KlineStream({ market: this.market, interval, hub, clock, loadPast });
  }

  #pastLoader(
    interval: KlineInterval,
    startTime: () => number | null,
  ): (() => Promise<CandlePast>) | null {
    const { loadCandles } = this.#parts;
    return loadCandles === null ? null : () => loadCandles(interval, startTime());
  }

  #top(levels: number): TopLevels {
    const { lastUpdateId } = this.mirror;
    return {
      lastUpdateId,
      previousUpdateId: Math.max(0, lastUpdateId - 1),
      bids: this.mirror.getTop('buy', levels),
      asks: this.mirror.getTop('sell', levels),
    };
  }
}

/** Adds the topic to those of its kind and returns it. */
export function added<Kind>(topics: Kind[], topic: Kind): Kind {
  topics.push(topic);
  return topic;
}
