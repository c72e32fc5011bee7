import type { BookMirror } from '../../../application/market-data/book-mirror.ts';
import { TickerWindow } from '../../../application/market-data/ticker-window.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import { decimalFromTicks } from '../../../domain/spot-market.ts';
import type { Side } from '../../../domain/spot-order.ts';
import { encodeTextFrame } from '../frame.ts';
import type { StreamClock } from '../stream-clock.ts';
import { type FramedMessages, Topic } from '../topic.ts';
import { BaselineLoader, type HistoryLoader, type TimedTrade } from './baseline.ts';
import { type StreamMarket } from './stream-market.ts';

// The last 24 hours and the best prices of the book, at most once a second. Data is null before the
// market's first trade.

const tickerIntervalMs = 1_000;

export class TickerTopic extends Topic {
  readonly #market: StreamMarket;
  readonly #mirror: BookMirror;
  readonly #clock: StreamClock;
  readonly #past: BaselineLoader;
  #window: TickerWindow;
  #seq = 0;
  /** What was last sent, without the times, which always change. */
  #published: string;

  constructor(
    market: StreamMarket,
    mirror: BookMirror,
    clock: StreamClock,
    loadPast: HistoryLoader | null,
  ) {
    super({ channel: 'ticker', symbol: market.symbol, market: market.line }, tickerIntervalMs);
    this.#market = market;
    this.#mirror = mirror;
    this.#clock = clock;
    this.#window = new TickerWindow(market, [], null);
    this.#published = 'null';
    this.#past = new BaselineLoader(
      loadPast,
      ({ candles, lastPrice }) => (this.#window = new TickerWindow(market, candles, lastPrice)),
      ({ trade, time }) => this.#window.add(trade, time),
    );
  }

  add(trade: TimedTrade): void {
    this.#past.take(trade);
  }

  override prepare(): Promise<void> | null {
    return this.#past.prepare();
  }

  override snapshot(): Buffer {
    return this.#frame('snapshot', this.read());
  }

  override takeUpdates(): FramedMessages | null {
    const data = this.read();
    const content = tickerContent(data);
    if (content === this.#published) return null;
    this.#published = content;
    this.#seq += 1;
    return { bytes: this.#frame('update', data), count: 1 };
  }

  /** The current ticker; null before the first trade. */
  read(): object | null {
    const statistics = this.#window.read(this.#clock.now());
    if (statistics === null) return null;
    const { symbol } = this.#market;
    const best_bid = this.#bestPrice('buy');
    const best_ask = this.#bestPrice('sell');
    return { symbol, ...statistics, best_bid, best_ask };
  }

  #bestPrice(side: Side): string | null {
    const [best] = this.#mirror.getTop(side, 1);
    return best === undefined ? null : formatDecimal(decimalFromTicks(this.#market, best.price));
  }

  #frame(type: 'snapshot' | 'update', data: object | null): Buffer {
    const message = { type, ...this.target, seq: this.#seq, ts: this.#clock.now(), data };
    return encodeTextFrame(JSON.stringify(message));
  }
}

const withoutTimes = { open_time: 0, close_time: 0 };

/** A ticker's content without its times, which always change. */
export function tickerContent(ticker: object | null): string {
  return JSON.stringify(ticker === null ? null : { ...ticker, ...withoutTimes });
}
