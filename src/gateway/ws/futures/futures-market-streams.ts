import { BookMirror } from '../../../application/market-data/book-mirror.ts';
import type {
  BookDepth,
  FuturesBookLevelChanged,
  MarkPriceChanged,
} from '../../../application/ports.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { Sequence } from '../../../domain/identifiers.ts';
import {
  type KlineInterval,
  klineIntervals,
  klineOpenTime,
} from '../../../domain/kline-interval.ts';
import { BaselineLoader } from '../channels/baseline.ts';
import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import { DayWindow } from './day-window.ts';
import {
  DepthTopic,
  type EventFields,
  type EventForm,
  type EventTopic,
  namedEvent,
  QueueTopic,
  StateTopic,
} from './event-topic.ts';
import type { CandlePast, FuturesCandleHistory } from './futures-history.ts';
import { KlineStream } from './kline-stream.ts';
import * as events from './market-events.ts';
import type { MarketStream } from './stream-name.ts';
import { TradeAggregator } from './trade-aggregator.ts';
import type { TimedFuturesTrade } from './trade-candle.ts';

export interface FuturesMarketParts {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly history: FuturesCandleHistory | null;
  /** The last command that the feed has taken. */
  readonly sequence: () => Sequence;
}

const dayMs = 86_400_000;
const tickerIntervalMs = 2_000;
const aggregateIntervalMs = 100;

/** Topics by what makes them change. */
interface TopicsByCause {
  readonly depth: DepthTopic[];
  readonly book: StateTopic[];
  readonly trades: QueueTopic[];
  readonly aggregates: QueueTopic[];
  readonly marks: StateTopic[];
  readonly day: StateTopic[];
  readonly forced: QueueTopic[];
}

/** Binance's streams of one futures market, each made when somebody first asks for it. */
export class FuturesMarketStreams {
  readonly market: FuturesMarket;
  readonly mirror: BookMirror;
  readonly #parts: FuturesMarketParts;
  readonly #topics = new Map<string, EventTopic>();
  readonly #byCause: TopicsByCause = {
    depth: [],
    book: [],
    trades: [],
    aggregates: [],
    marks: [],
    day: [],
    forced: [],
  };
  readonly #klines: ReadonlyMap<KlineInterval, KlineStream>;
  readonly #dayPast: BaselineLoader<CandlePast, TimedFuturesTrade>;
  #day = new DayWindow([]);
  #mark: MarkPriceChanged | null = null;
  #bookTime = 0;
  readonly #aggregator: TradeAggregator;

  constructor(market: FuturesMarket, depth: BookDepth, parts: FuturesMarketParts) {
    this.market = market;
    this.mirror = new BookMirror(depth);
    this.#parts = parts;
    this.#bookTime = parts.clock.now();
    this.#aggregator = new TradeAggregator(parts.clock, (aggregate) => {
      this.#push(this.#byCause.aggregates, 'aggTrade', () =>
        events.aggregateTrade(market, aggregate),
      );
    });
    this.#klines = new Map(klineIntervals.map((interval) => [interval, this.#makeKline(interval)]));
    this.#dayPast = new BaselineLoader(
      this.#pastLoader('1m', () => klineOpenTime('1m', parts.clock.now() - dayMs)),
      ({ candles }) => (this.#day = new DayWindow(candles)),
      ({ trade, time }) => this.#day.add(trade, time),
    );
  }

  changeLevel(event: FuturesBookLevelChanged, time: number): void {
    this.#bookTime = time;
    this.mirror.apply(event);
    for (const topic of this.#byCause.depth) {
      topic.change(event.side, event.price, event.quantity);
      this.#parts.hub.markDirty(topic);
    }
    this.#markDirty(this.#byCause.book);
  }

  addTrade(timed: TimedFuturesTrade): void {
    this.#push(this.#byCause.trades, 'trade', () => events.trade(this.market, timed));
    if (this.#isHeard(this.#byCause.aggregates)) this.#aggregator.add(timed);
    this.#dayPast.take(timed);
    for (const stream of this.#klines.values()) stream.add(timed);
    this.#markDirty(this.#byCause.day);
  }

  setMark(event: MarkPriceChanged): void {
    this.#mark = event;
    this.#markDirty(this.#byCause.marks);
  }

  addForceOrder(order: FuturesOrder): void {
    this.#push(this.#byCause.forced, 'forceOrder', () => events.forceOrder(this.market, order));
  }

  /** To be called every second. */
  tick(): void {
    this.#markDirty(this.#byCause.day);
    this.#markDirty(this.#byCause.marks);
    for (const stream of this.#klines.values()) stream.tick();
  }

  findTopic(name: MarketStream, form: EventForm): EventTopic {
    const key = `${form.streamName} ${form.isCombined}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const topic = this.#makeTopic(name, form);
    this.#topics.set(key, topic);
    return topic;
  }

  readTicker(): EventFields | null {
    const day = this.#day.read(this.#parts.clock.now());
    if (day === null) return null;
    return { ...events.ticker(this.market, day), O: day.openTime, C: day.closeTime };
  }

  readMiniTicker(): EventFields | null {
    const day = this.#day.read(this.#parts.clock.now());
    return day === null ? null : events.miniTicker(this.market, day);
  }

  readMark(): EventFields | null {
    return this.#mark === null ? null : events.markPriceUpdate(this.market, this.#mark);
  }

  readBookTicker(): EventFields {
    return events.bookTicker(this.market, this.#bookTime, this.#top(1));
  }

  /** Null where the day is known; else resolves when it is. */
  prepareDay(): Promise<void> | null {
    return this.#dayPast.prepare();
  }

  #makeTopic(name: MarketStream, form: EventForm): EventTopic {
    const { market } = this;
    const by = this.#byCause;
    switch (name.kind) {
      case 'depth':
        return kept(by.depth, this.#depthTopic(form, name.intervalMs));
      case 'partialDepth':
        return kept(
          by.book,
          this.#stateTopic(form, name.intervalMs, 'depthUpdate', () =>
            events.partialDepth(market, this.#bookTime, this.#top(name.levels)),
          ),
        );
      case 'bookTicker':
        return kept(
          by.book,
          this.#stateTopic(form, 0, 'bookTicker', () => this.readBookTicker()),
        );
      case 'trade':
        return kept(by.trades, new QueueTopic(form, 0));
      case 'aggTrade':
        return kept(by.aggregates, new QueueTopic(form, aggregateIntervalMs));
      case 'markPrice':
        return kept(by.marks, this.#markTopic(form, name.intervalMs));
      case 'ticker':
        return this.#dayTopic(form, '24hrTicker', () => this.readTicker());
      case 'miniTicker':
        return this.#dayTopic(form, '24hrMiniTicker', () => this.readMiniTicker());
      case 'forceOrder':
        return kept(by.forced, new QueueTopic(form, 0));
      case 'kline':
      case 'continuousKline':
        return this.#requireKline(name.interval).addTopic(form, name.kind);
    }
  }

  #depthTopic(form: EventForm, intervalMs: number): DepthTopic {
    return new DepthTopic(form, intervalMs, this.mirror, (changes) =>
      namedEvent(
        'depthUpdate',
        this.#parts.clock.now(),
        events.depthUpdate(this.market, this.#bookTime, changes),
      ),
    );
  }

  #stateTopic(
    form: EventForm,
    intervalMs: number,
    event: string,
    read: () => EventFields | null,
  ): StateTopic {
    return new StateTopic({ form, intervalMs, event, read, clock: this.#parts.clock });
  }

  /** Clients take the mark price for a heartbeat: it comes at each interval, moved or not. */
  #markTopic(form: EventForm, intervalMs: number): StateTopic {
    const { clock } = this.#parts;
    const read = () => this.readMark();
    const event = 'markPriceUpdate';
    return new StateTopic({ form, intervalMs, event, read, clock, isRepeated: true });
  }

  #dayTopic(form: EventForm, event: string, read: () => EventFields | null): StateTopic {
    const { clock } = this.#parts;
    const prepare = () => this.prepareDay();
    const topic = new StateTopic({
      form,
      intervalMs: tickerIntervalMs,
      event,
      read,
      clock,
      prepare,
    });
    return kept(this.#byCause.day, topic);
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
    const { history, sequence } = this.#parts;
    const { market } = this;
    if (history === null) return null;
    return () =>
      history.loadCandles({ market, interval, startTime: startTime(), sequence: sequence() });
  }

  #top(levels: number): events.TopLevels {
    const { lastUpdateId } = this.mirror;
    return {
      lastUpdateId,
      previousUpdateId: Math.max(0, lastUpdateId - 1),
      bids: this.mirror.getTop('buy', levels),
      asks: this.mirror.getTop('sell', levels),
    };
  }

  #push(topics: readonly QueueTopic[], event: string, describe: () => EventFields): void {
    const heard = topics.filter(({ hasAudience }) => hasAudience);
    if (heard.length === 0) return;
    const payload = namedEvent(event, this.#parts.clock.now(), describe());
    for (const topic of heard) {
      topic.push(payload);
      this.#parts.hub.markDirty(topic);
    }
  }

  #isHeard(topics: readonly EventTopic[]): boolean {
    return topics.some(({ hasAudience }) => hasAudience);
  }

  #markDirty(topics: readonly EventTopic[]): void {
    for (const topic of topics) this.#parts.hub.markDirty(topic);
  }
}

function kept<Kind>(topics: Kind[], topic: Kind): Kind {
  topics.push(topic);
  return topic;
}
