import type {
  AppliedCommand,
  BookDepth,
  EngineEvent,
  EngineView,
  Exchange,
} from '../../application/ports/exchange.ts';
import { assert } from '../../domain/assert.ts';
import type { MarketId, Sequence } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { MarketsTopic } from './channels/markets-topic.ts';
import type { TickersTopic } from './channels/tickers-topic.ts';
import { DurableFeed } from './durable-feed.ts';
import type { Hub } from './hub.ts';
import { MarketStreams } from './market-streams.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamHistory } from './stream-history.ts';
import type { StreamLog } from './stream-ports.ts';

/** Receives each durable command, in order and none twice. */
export type DurableListener = (applied: AppliedCommand) => void;

export interface SpotFeedParts {
  readonly exchange: Exchange;
  readonly hub: Hub;
  readonly clock: StreamClock;
  /** Null: the streams have no history from before they started. */
  readonly history: StreamHistory | null;
  readonly log: StreamLog;
  readonly markets: MarketsTopic;
  readonly tickers: TickersTopic;
  /** Called when what clients received can no longer be trusted; they have to start over. */
  readonly onFailure: () => void;
}

const everyLevel = Number.MAX_SAFE_INTEGER;
const emptyDepth: BookDepth = { lastUpdateId: 0, bids: [], asks: [] };

interface MarketBook {
  readonly market: SpotMarket;
  readonly depth: BookDepth;
}

/** Turns durable commands into the public streams of spot markets. */
export class SpotFeed {
  readonly #parts: SpotFeedParts;
  readonly #durable: DurableFeed<readonly MarketBook[]>;
  readonly #markets = new Map<MarketId, MarketStreams>();
  readonly #marketIds = new Map<string, MarketId>();
  readonly #terms = new Map<MarketId, SpotMarket>();
  readonly #listeners: DurableListener[] = [];

  constructor(parts: SpotFeedParts) {
    this.#parts = parts;
    this.#durable = new DurableFeed({
      ...parts,
      readState: readBooks,
      begin: (books) => this.#begin(books),
      take: (applied) => this.#take(applied),
      reset: () => {
        this.#markets.clear();
        this.#marketIds.clear();
        parts.tickers.reset();
        parts.onFailure();
      },
    });
  }

  /** False until the books are loaded, for example while the journal is replayed. */
  get isReady(): boolean {
    return this.#durable.isReady;
  }

  findMarket(symbol: string): MarketStreams | null {
    const marketId = this.#marketIds.get(symbol);
    return marketId === undefined ? null : (this.#markets.get(marketId) ?? null);
  }

  findTerms(symbol: string): SpotMarket | null {
    const marketId = this.#marketIds.get(symbol);
    return marketId === undefined ? null : this.getMarket(marketId);
  }

  /** The markets whose books are loaded. */
  listMarkets(): readonly SpotMarket[] {
    return [...this.#markets.keys()].map((marketId) => this.getMarket(marketId));
  }

  getStreams(marketId: MarketId): MarketStreams {
    return this.#require(marketId);
  }

  /** The last command that was processed. */
  get sequence(): Sequence {
    return this.#durable.sequence;
  }

  getMarket(marketId: MarketId): SpotMarket {
    const market = this.#terms.get(marketId);
    assert(market !== undefined, `market ${marketId} is known before its events`);
    return market;
  }

  /** Listeners are called for each command after the markets have processed it. */
  addListener(listener: DurableListener): void {
    this.#listeners.push(listener);
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

  #begin(books: readonly MarketBook[]): void {
    for (const { market, depth } of books) {
      const streams = this.#addMarket(market, depth);
      const isCurrent = () =>
        !this.#durable.isStopped && this.#markets.get(market.marketId) === streams;
      void streams.keepLoadingTrades(this.#parts.log, isCurrent);
    }
  }

  #take(applied: AppliedCommand): void {
    for (const event of applied.events) this.#apply(event, applied);
    for (const listener of this.#listeners) listener(applied);
  }

  #apply(event: EngineEvent, { timestamp }: AppliedCommand): void {
    switch (event.type) {
      case 'bookLevelChanged':
        this.#require(event.marketId).changeLevel(event);
        return;
      case 'spotTradeExecuted':
        this.#require(event.trade.marketId).addTrade({ trade: event.trade, time: timestamp });
        return;
      case 'spotMarketCreated':
        this.#addMarket(event.market, emptyDepth);
        return;
      case 'spotMarketStatusChanged':
        this.#publishStatus(this.getMarket(event.marketId).symbol, event.status);
        return;
      default:
        return;
    }
  }

  #addMarket(market: SpotMarket, depth: BookDepth): MarketStreams {
    const line = 'spot' as const;
    const streams = new MarketStreams({ ...market, line }, depth, {
      ...this.#parts,
      sequence: () => this.#durable.sequence,
    });
    this.#publishStatus(market.symbol, market.status);
    this.#terms.set(market.marketId, market);
    this.#marketIds.set(market.symbol, market.marketId);
    this.#markets.set(market.marketId, streams);
    return streams;
  }

  #publishStatus(symbol: string, status: SpotMarket['status']): void {
    this.#parts.markets.set({ market: 'spot', symbol, status });
  }

  #require(marketId: MarketId): MarketStreams {
    const streams = this.#markets.get(marketId);
    assert(streams !== undefined, `market ${marketId} is known before its events`);
    return streams;
  }
}

function readBooks(view: EngineView): readonly MarketBook[] {
  return view.listSpotMarkets().map((market) => ({
    market,
    depth: view.getDepth(market.marketId, everyLevel),
  }));
}
