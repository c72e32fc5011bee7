import { BookMirror } from '../../../application/market-data/book-mirror.ts';
import type {
  BookDepth,
  FuturesBookLevelChanged,
  MarkPriceChanged,
} from '../../../application/ports/exchange.ts';
import type { FuturesMarket, FuturesMarketId } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { Sequence } from '../../../domain/identifiers.ts';
import type { TimedTrade } from '../channels/baseline.ts';
import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { CandleHistory } from './candle-history.ts';
import {
  type EventFields,
  type EventForm,
  type EventTopic,
  QueueTopic,
  type StateTopic,
} from './event-topic.ts';
import * as events from './market-events.ts';
import { added, type EventFormats, MarketTopics } from './market-topics.ts';
import type { MarketStream } from './stream-name.ts';

export interface FuturesMarketParts {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly history: CandleHistory<FuturesMarketId> | null;
  /** The last command that the feed has processed. */
  readonly sequence: () => Sequence;
}

const words: EventFormats = {
  partialDepthName: 'depthUpdate',
  bookTickerName: 'bookTicker',
  tickerIntervalMs: 2_000,
  depthUpdate: events.depthUpdate,
  partialDepth: events.partialDepth,
  bookTicker: events.bookTicker,
  trade: events.trade,
  aggregateTrade: events.aggregateTrade,
  ticker: events.ticker,
  miniTicker: events.miniTicker,
};

/** Binance's streams of one futures market. */
export class FuturesMarketStreams {
  readonly market: FuturesMarket;
  readonly mirror: BookMirror;
  readonly #topics: MarketTopics;
  readonly #marks: StateTopic[] = [];
  readonly #forced: QueueTopic[] = [];
  #mark: MarkPriceChanged | null = null;

  constructor(market: FuturesMarket, depth: BookDepth, parts: FuturesMarketParts) {
    const { history, sequence, hub, clock } = parts;
    this.market = market;
    this.mirror = new BookMirror(depth);
    this.#topics = new MarketTopics(market, this.mirror, {
      hub,
      clock,
      words,
      loadCandles:
        history === null
          ? null
          : (interval, startTime) =>
              history.loadCandles({ market, interval, startTime, sequence: sequence() }),
    });
  }

  changeLevel(event: FuturesBookLevelChanged, time: number): void {
    this.mirror.apply(event);
    this.#topics.noteLevel(event, time);
  }

  addTrade(timed: TimedTrade): void {
    this.#topics.addTrade(timed);
  }

  setMark(event: MarkPriceChanged): void {
    this.#mark = event;
    this.#topics.markDirty(this.#marks);
  }

  addForceOrder(order: FuturesOrder): void {
    const describe = () => events.forceOrder(this.market, order);
    this.#topics.push(this.#forced, 'forceOrder', describe);
  }

  /** To be called every second. */
  tick(): void {
    this.#topics.tick();
    this.#topics.markDirty(this.#marks);
  }

  findTopic(name: MarketStream, form: EventForm): EventTopic {
    return this.#topics.findTopic(form, () => this.#makeTopic(name, form));
  }

  readTicker(): EventFields | null {
    return this.#topics.readTicker();
  }

  readMiniTicker(): EventFields | null {
    return this.#topics.readMiniTicker();
  }

  readMark(): EventFields | null {
    return this.#mark === null ? null : events.markPriceUpdate(this.market, this.#mark);
  }

  readBookTicker(): EventFields {
    return this.#topics.readBookTicker();
  }

  /** Null if the day is loaded; otherwise resolves when it is. */
  prepareDay(): Promise<void> | null {
    return this.#topics.prepareDay();
  }

  #makeTopic(name: MarketStream, form: EventForm): EventTopic {
    switch (name.kind) {
      case 'markPrice':
        return added(this.#marks, this.#markTopic(form, name.intervalMs));
      case 'forceOrder':
        return added(this.#forced, new QueueTopic(form, 0));
      default:
        return this.#topics.makeTopic(name, form);
    }
  }

  /** Clients use the mark price as a heartbeat: it is sent at each interval, changed or not. */
  #markTopic(form: EventForm, intervalMs: number): StateTopic {
    const read = () => this.readMark();
    return this.#topics.stateTopic(form, intervalMs, 'markPriceUpdate', read, true);
  }
}
