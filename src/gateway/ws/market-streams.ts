import { BookMirror } from '../../application/market-data/book-mirror.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import type { BookDepth } from '../../application/ports/exchange.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { type KlineInterval, klineIntervals, klineOpenTime } from '../../domain/kline-interval.ts';
import type { HistoryLoader, TimedTrade } from './channels/baseline.ts';
import { KlineTopic } from './channels/kline-topic.ts';
import { bookGroupsOf, OrderbookTopic } from './channels/orderbook-topic.ts';
import type { StreamMarket } from './channels/stream-market.ts';
import { TickerTopic } from './channels/ticker-topic.ts';
import type { TickersTopic } from './channels/tickers-topic.ts';
import { snapshotTradesMax, TradesTopic } from './channels/trades-topic.ts';
import type { Hub } from './hub.ts';
import type { StreamClock } from './stream-clock.ts';
import { loadCandleBaseline, type StreamHistory } from './stream-history.ts';
import type { StreamLog } from './stream-ports.ts';

export interface MarketStreamsParts {
  readonly hub: Hub;
  readonly clock: StreamClock;
  readonly history: StreamHistory | null;
  /** The last command that the feed has processed. */
  readonly sequence: () => Sequence;
  /** The tickers of the business line that this market belongs to. */
  readonly tickers: TickersTopic;
}

const dayMs = 86_400_000;
const retryTradesMs = 1_000;
const minutesPerDay = 1_440;

/** The public streams of one market, spot or futures. */
export class MarketStreams {
  readonly market: StreamMarket;
  readonly orderbook: OrderbookTopic;
  /** Grouped books by the step of their prices. */
  readonly groupedBooks: ReadonlyMap<string, OrderbookTopic>;
  readonly trades: TradesTopic;
  readonly ticker: TickerTopic;
  readonly klines: ReadonlyMap<KlineInterval, KlineTopic>;
  readonly mirror: BookMirror;
  readonly #parts: MarketStreamsParts;

  constructor(market: StreamMarket, depth: BookDepth, parts: MarketStreamsParts) {
    const { clock } = parts;
    this.market = market;
    this.#parts = parts;
    this.mirror = new BookMirror(depth);
    this.orderbook = new OrderbookTopic(market, this.mirror, clock);
    this.groupedBooks = new Map(
      bookGroupsOf(market).map((group) => [
        group.text,
        new OrderbookTopic(market, this.mirror, clock, group),
      ]),
    );
    this.trades = new TradesTopic(market, clock);
    this.ticker = new TickerTopic(market, this.mirror, clock, this.#dayLoader());
    parts.tickers.add(this.ticker);
    this.klines = new Map(
      klineIntervals.map((interval) => [
        interval,
        new KlineTopic(market, interval, clock, this.#candleLoader(interval)),
      ]),
    );
  }

  changeLevel(event: Parameters<BookMirror['apply']>[0]): void {
    this.mirror.apply(event);
    const { hub } = this.#parts;
    hub.markDirty(this.orderbook);
    for (const grouped of this.groupedBooks.values()) hub.markDirty(grouped);
    this.#markTicker();
  }

  addTrade(trade: TimedTrade): void {
    const { hub } = this.#parts;
    this.trades.add(trade);
    hub.markDirty(this.trades);
    this.ticker.add(trade);
    this.#markTicker();
    for (const kline of this.klines.values()) {
      kline.add(trade);
      hub.markDirty(kline);
    }
  }

  tick(): void {
    this.#markTicker();
  }

  #markTicker(): void {
    const { hub, tickers } = this.#parts;
    hub.markDirty(this.ticker);
    hub.markDirty(tickers);
  }

  /**
   * Fills the first snapshot of trades with earlier ones.
   * @throws DatabaseError
   */
  async loadRecentTrades(): Promise<void> {
    const { history, sequence } = this.#parts;
    if (history === null) return;
    await history.barrier.waitFor(sequence());
    const { symbol } = this.market;
    this.trades.addPast(await history.history.listRecentTrades(symbol, snapshotTradesMax));
  }

  /** The same, with retries until the database answers or the streams have been replaced. */
  async keepLoadingTrades(log: StreamLog, isCurrent: () => boolean): Promise<void> {
    try {
      await this.loadRecentTrades();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isCurrent()) return;
      const { symbol } = this.market;
      log.warn({ err: error, symbol }, 'the trades stream waits for earlier trades');
      this.#parts.clock.after(retryTradesMs, () => void this.keepLoadingTrades(log, isCurrent));
    }
  }

  #dayLoader(): HistoryLoader | null {
    const { history, sequence, clock } = this.#parts;
    if (history === null) return null;
    return () =>
      loadCandleBaseline(history, {
        market: this.market,
        interval: '1m',
        startTime: klineOpenTime('1m', clock.now() - dayMs),
        // The day's whole minutes, and the partial ones at both ends.
        limit: minutesPerDay + 2,
        sequence: sequence(),
      });
  }

  #candleLoader(interval: KlineInterval): HistoryLoader | null {
    const { history, sequence } = this.#parts;
    const { market } = this;
    if (history === null) return null;
    return () =>
      loadCandleBaseline(history, {
        market,
        interval,
        startTime: null,
        limit: 1,
        sequence: sequence(),
      });
  }
}
