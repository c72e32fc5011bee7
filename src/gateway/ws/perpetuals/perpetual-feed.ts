import type {
  AppliedCommand,
  BookDepth,
  EngineEvent,
  EngineView,
  Exchange,
} from '../../../application/ports/exchange.ts';
import { amountFromDecimal } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import type { FuturesMarket, FuturesMarketId } from '../../../domain/futures-market.ts';
import type { MarketsTopic } from '../channels/markets-topic.ts';
import type { StreamMarket } from '../channels/stream-market.ts';
import type { TickersTopic } from '../channels/tickers-topic.ts';
import { DurableFeed } from '../durable-feed.ts';
import type { Hub } from '../hub.ts';
import { MarketStreams, type MarketStreamsParts } from '../market-streams.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { StreamLog } from '../stream-ports.ts';
import { type MarkPrice, MarkPriceTopic } from './mark-price-topic.ts';
import { historyOfPerpetual, type PerpetualHistory } from './perpetual-history.ts';

export interface PerpetualFeedParts {
  readonly exchange: Exchange;
  readonly hub: Hub;
  readonly clock: StreamClock;
  /** Null: the streams have no history from before they started. */
  readonly perpetualHistory: PerpetualHistory | null;
  readonly log: StreamLog;
  readonly markets: MarketsTopic;
  readonly tickers: TickersTopic;
  /** Called when what clients received can no longer be trusted; they have to start over. */
  readonly onFailure: () => void;
}

/** The public streams of one perpetual: those of every market, and its mark price. */
export class PerpetualStreams extends MarketStreams {
  readonly markPrice: MarkPriceTopic;
  readonly #hub: Hub;

  constructor(book: PerpetualBook, parts: MarketStreamsParts) {
    const { market, depth, markPrice } = book;
    super(streamMarket(market), depth, parts);
    this.#hub = parts.hub;
    this.markPrice = new MarkPriceTopic(market.symbol, parts.clock, markPrice);
  }

  setMarkPrice(markPrice: MarkPrice): void {
    this.markPrice.set(markPrice);
    this.#hub.markDirty(this.markPrice);
  }
}

interface PerpetualBook {
  readonly market: FuturesMarket;
  readonly depth: BookDepth;
  readonly markPrice: MarkPrice | null;
}

const everyLevel = Number.MAX_SAFE_INTEGER;
const emptyDepth: BookDepth = { lastUpdateId: 0, bids: [], asks: [] };

/** Turns durable commands into the public streams of perpetuals. */
export class PerpetualFeed {
  readonly #parts: PerpetualFeedParts;
  readonly #durable: DurableFeed<readonly PerpetualBook[]>;
  readonly #markets = new Map<FuturesMarketId, PerpetualStreams>();
  readonly #marketIds = new Map<string, FuturesMarketId>();

  constructor(parts: PerpetualFeedParts) {
    this.#parts = parts;
    this.#durable = new DurableFeed({
      ...parts,
      readState: readBooks,
      begin: (books) => {
        for (const book of books) this.#loadTrades(this.#addMarket(book));
      },
      take: (applied) => {
        for (const event of applied.events) this.#apply(event, applied);
      },
      reset: () => {
        this.#markets.clear();
        this.#marketIds.clear();
        parts.tickers.reset();
        parts.onFailure();
      },
    });
  }

  get isReady(): boolean {
    return this.#durable.isReady;
  }

  /** Finds a market by its symbol in any letter case. */
  findMarket(symbol: string): PerpetualStreams | null {
    const marketId = this.#marketIds.get(symbol.toUpperCase());
    return marketId === undefined ? null : (this.#markets.get(marketId) ?? null);
  }

  /** Lets statistics age while nothing else happens; to be called every second. */
  tick(): void {
    for (const streams of this.#markets.values()) streams.tick();
  }

  start(): Promise<void> {
    return this.#durable.start();
  }

  stop(): void {
    this.#durable.stop();
  }

  #loadTrades(streams: PerpetualStreams): void {
    const isCurrent = () =>
      !this.#durable.isStopped && this.findMarket(streams.market.symbol) === streams;
    void streams.keepLoadingTrades(this.#parts.log, isCurrent);
  }

  #apply(event: EngineEvent, { timestamp }: AppliedCommand): void {
    switch (event.type) {
      case 'futuresBookLevelChanged':
        this.#require(event.marketId).changeLevel(event);
        return;
      case 'futuresTradeExecuted':
        if (event.trade.isOffBook) return;
        this.#require(event.trade.marketId).addTrade({ trade: event.trade, time: timestamp });
        return;
      case 'markPriceChanged':
        this.#require(event.marketId).setMarkPrice(event);
        return;
      case 'futuresMarketCreated':
        this.#addMarket({ market: event.market, depth: emptyDepth, markPrice: null });
        return;
      case 'futuresMarketStatusChanged':
        this.#publishStatus(this.#require(event.marketId).market.symbol, event.status);
        return;
      default:
        return;
    }
  }

  #addMarket(book: PerpetualBook): PerpetualStreams {
    const { perpetualHistory, ...parts } = this.#parts;
    const { market } = book;
    const history = perpetualHistory === null ? null : historyOfPerpetual(perpetualHistory, market);
    const sequence = () => this.#durable.sequence;
    const streams = new PerpetualStreams(book, { ...parts, history, sequence });
    this.#publishStatus(market.symbol, market.status);
    this.#marketIds.set(market.symbol, market.marketId);
    this.#markets.set(market.marketId, streams);
    return streams;
  }

  #publishStatus(symbol: string, status: FuturesMarket['status']): void {
    this.#parts.markets.set({ market: 'futures', symbol, status });
  }

  #require(marketId: FuturesMarketId): PerpetualStreams {
    const streams = this.#markets.get(marketId);
    assert(streams !== undefined, `perpetual ${marketId} is known before its events`);
    return streams;
  }
}

function readBooks({ futures }: EngineView): readonly PerpetualBook[] {
  return futures.listFuturesMarkets().map((market) => {
    const { marketId } = market;
    const { markPrice, indexPrice, ...rest } = futures.getFuturesPrices(marketId);
    const isPriced = markPrice !== null && indexPrice !== null;
    return {
      market,
      depth: futures.getFuturesDepth(marketId, everyLevel),
      markPrice: isPriced ? { markPrice, indexPrice, ...rest } : null,
    };
  });
}

function streamMarket({ symbol, tickSize, lotSize }: FuturesMarket): StreamMarket {
  const lotAmount = amountFromDecimal(lotSize);
  assert(lotAmount !== null, 'a lot is a whole number of money units');
  return { symbol, tickSize, lotSize, lotAmount, line: 'futures' };
}
