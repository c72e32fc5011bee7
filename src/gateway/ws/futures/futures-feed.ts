import type {
  AppliedCommand,
  BookDepth,
  EngineEvent,
  EngineView,
  Exchange,
  MarkPriceChanged,
} from '../../../application/ports/exchange.ts';
import { assert } from '../../../domain/assert.ts';
import type {
  FuturesMarket,
  FuturesMarketId,
  FuturesPrices,
} from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import { DurableFeed } from '../durable-feed.ts';
import type { Hub } from '../hub.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { StreamLog } from '../stream-ports.ts';
import { AllMarketsStreams } from './all-markets-streams.ts';
import type { CandleHistory } from './candle-history.ts';
import type { EventTopic } from './event-topic.ts';
import { FuturesMarketStreams } from './futures-market-streams.ts';
import { contractInfo, forceOrder } from './market-events.ts';
import { parseStreamName } from './stream-name.ts';

export interface FuturesFeedParts {
  readonly exchange: Exchange;
  readonly hub: Hub;
  readonly clock: StreamClock;
  /** Null: candles and statistics begin when the process starts. */
  readonly history: CandleHistory<FuturesMarketId> | null;
  readonly log: StreamLog;
  /** Called when what clients received can no longer be trusted; they have to start over. */
  readonly onFailure: () => void;
}

/** Receives each durable command, in order and none twice. */
export type FuturesListener = (applied: AppliedCommand) => void;

const everyLevel = Number.MAX_SAFE_INTEGER;
const emptyDepth: BookDepth = { lastUpdateId: 0, bids: [], asks: [] };
const liquidationEnds = new Set<FuturesOrder['status']>(['filled', 'expired', 'canceled']);

interface MarketState {
  readonly market: FuturesMarket;
  readonly depth: BookDepth;
  readonly prices: FuturesPrices;
}

/** Turns durable commands into Binance's public streams of the futures markets. */
export class FuturesFeed {
  readonly #parts: FuturesFeedParts;
  readonly #durable: DurableFeed<readonly MarketState[]>;
  readonly #markets = new Map<FuturesMarketId, FuturesMarketStreams>();
  readonly #bySymbol = new Map<string, FuturesMarketStreams>();
  readonly #all: AllMarketsStreams<FuturesMarketStreams>;
  readonly #listeners: FuturesListener[] = [];
  // Empty between two commands; most commands need neither.
  readonly #traded = new Set<FuturesMarketStreams>();
  readonly #moved = new Set<FuturesMarketStreams>();

  constructor(parts: FuturesFeedParts) {
    this.#parts = parts;
    this.#all = new AllMarketsStreams({
      ...parts,
      bookTickerName: 'bookTicker',
      markets: () => this.#markets.values(),
    });
    this.#durable = new DurableFeed({
      ...parts,
      readState: readMarkets,
      begin: (states) => this.#begin(states),
      take: (applied) => this.#take(applied),
      reset: () => {
        this.#traded.clear();
        this.#moved.clear();
        this.#markets.clear();
        this.#bySymbol.clear();
        parts.onFailure();
      },
    });
  }

  /** False until the books are loaded, for example while the journal is replayed. */
  get isReady(): boolean {
    return this.#durable.isReady;
  }

  findMarket(symbol: string): FuturesMarketStreams | null {
    return this.#bySymbol.get(symbol) ?? null;
  }

  getMarket(marketId: FuturesMarketId): FuturesMarketStreams {
    const streams = this.#markets.get(marketId);
    assert(streams !== undefined, `futures market ${marketId} is known before its events`);
    return streams;
  }

  /** The stream of that name in the connection's form; null if there is none. */
  findTopic(streamName: string, isCombined: boolean): EventTopic | null {
    const name = parseStreamName(streamName);
    if (name === null) return null;
    const form = { streamName, isCombined };
    if (!('symbol' in name)) return this.#all.findTopic(name, form);
    return this.findMarket(name.symbol)?.findTopic(name, form) ?? null;
  }

  /** Listeners are called for each command after the markets have processed it. */
  addListener(listener: FuturesListener): void {
    this.#listeners.push(listener);
  }

  /** To be called every second. */
  tick(): void {
    for (const streams of this.#markets.values()) {
      streams.tick();
      this.#all.markChanged(streams);
    }
  }

  start(): Promise<void> {
    return this.#durable.start();
  }

  stop(): void {
    this.#durable.stop();
  }

  #begin(states: readonly MarketState[]): void {
    for (const { market, depth, prices } of states) {
      const mark = markOf(market, prices);
      const streams = this.#addMarket(market, depth);
      if (mark !== null) streams.setMark(mark);
    }
  }

  #take(applied: AppliedCommand): void {
    const traded = this.#traded;
    const moved = this.#moved;
    for (const event of applied.events) this.#apply(event, applied.timestamp, traded, moved);
    if (traded.size > 0) {
      for (const streams of traded) this.#all.traded(streams);
      traded.clear();
    }
    if (moved.size > 0) {
      for (const streams of moved) this.#all.bookChanged(streams);
      moved.clear();
    }
    for (const listener of this.#listeners) listener(applied);
  }

  #apply(
    event: EngineEvent,
    time: number,
    traded: Set<FuturesMarketStreams>,
    moved: Set<FuturesMarketStreams>,
  ): void {
    switch (event.type) {
      case 'futuresBookLevelChanged': {
        const streams = this.getMarket(event.marketId);
        streams.changeLevel(event, time);
        moved.add(streams);
        return;
      }
      case 'futuresTradeExecuted': {
        if (event.trade.isOffBook) return;
        const streams = this.getMarket(event.trade.marketId);
        streams.addTrade({ trade: event.trade, time });
        traded.add(streams);
        return;
      }
      case 'markPriceChanged': {
        const streams = this.getMarket(event.marketId);
        streams.setMark(event);
        this.#all.markChanged(streams);
        return;
      }
      case 'futuresOrderUpdated':
        this.#noticeLiquidation(event.order);
        return;
      case 'futuresMarketCreated':
        this.#all.contractChanged(
          this.#addMarket(event.market, emptyDepth),
          contractInfo(event.market),
        );
        return;
      case 'futuresMarketStatusChanged': {
        const streams = this.getMarket(event.marketId);
        const { status } = event;
        this.#all.contractChanged(streams, contractInfo({ ...streams.market, status }));
        return;
      }
      default:
        return;
    }
  }

  #noticeLiquidation(order: FuturesOrder): void {
    if (order.origin === 'user' || !liquidationEnds.has(order.status)) return;
    if (order.filledQuantity === 0) return;
    const streams = this.getMarket(order.marketId);
    streams.addForceOrder(order);
    this.#all.forced(streams, forceOrder(streams.market, order));
  }

  #addMarket(market: FuturesMarket, depth: BookDepth): FuturesMarketStreams {
    const streams = new FuturesMarketStreams(market, depth, {
      ...this.#parts,
      sequence: () => this.#durable.sequence,
    });
    this.#markets.set(market.marketId, streams);
    this.#bySymbol.set(market.symbol, streams);
    return streams;
  }
}

function readMarkets(view: EngineView): readonly MarketState[] {
  return view.futures.listFuturesMarkets().map((market) => ({
    market,
    depth: view.futures.getFuturesDepth(market.marketId, everyLevel),
    prices: view.futures.getFuturesPrices(market.marketId),
  }));
}

function markOf(market: FuturesMarket, prices: FuturesPrices): MarkPriceChanged | null {
  const { indexPrice, markPrice, isIndexStale, fundingRate, nextFundingTime } = prices;
  if (indexPrice === null || markPrice === null) return null;
  const { marketId } = market;
  const type = 'markPriceChanged';
  return { type, marketId, indexPrice, markPrice, isIndexStale, fundingRate, nextFundingTime };
}
