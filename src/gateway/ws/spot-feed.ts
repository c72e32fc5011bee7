import { BookMirror } from '../../application/market-data/book-mirror.ts';
import {
  type AppliedCommand,
  type BookDepth,
  EngineBusyError,
  type EngineEvent,
  EngineRestartingError,
  type Exchange,
} from '../../application/ports.ts';
import { assert, assertNever } from '../../domain/assert.ts';
import type { MarketId, Sequence } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { OrderbookTopic } from './channels/orderbook-topic.ts';
import { TradesTopic } from './channels/trades-topic.ts';
import type { Hub } from './hub.ts';
import type { StreamClock } from './stream-clock.ts';

/** The public streams of one spot market. */
export interface SpotMarketStreams {
  readonly market: SpotMarket;
  readonly mirror: BookMirror;
  readonly orderbook: OrderbookTopic;
  readonly trades: TradesTopic;
}

/** Who else wants to see each durable command, in order and none twice. */
export type DurableListener = (applied: AppliedCommand) => void;

export interface SpotFeedParts {
  readonly exchange: Exchange;
  readonly hub: Hub;
  readonly clock: StreamClock;
}

const reloadDelayMs = 100;
const everyLevel = Number.MAX_SAFE_INTEGER;
const emptyDepth: BookDepth = { lastUpdateId: 0, bids: [], asks: [] };

interface InitialState {
  readonly sequence: Sequence;
  readonly books: readonly { readonly market: SpotMarket; readonly depth: BookDepth }[];
}

/**
 * Turns durable commands into the public streams of spot markets. It starts from the engine's
 * books at one sequence and takes every command after it, so nothing is missed or seen twice.
 */
export class SpotFeed {
  readonly #exchange: Exchange;
  readonly #hub: Hub;
  readonly #clock: StreamClock;
  readonly #markets = new Map<MarketId, SpotMarketStreams>();
  readonly #marketIds = new Map<string, MarketId>();
  readonly #listeners: DurableListener[] = [];
  /** Commands that came before the books did; null once the feed runs. */
  #waiting: AppliedCommand[] | null = [];
  #sequence = 0;
  #end: (() => void) | null = null;
  #cancelReload: (() => void) | null = null;
  #isStopped = false;

  constructor({ exchange, hub, clock }: SpotFeedParts) {
    this.#exchange = exchange;
    this.#hub = hub;
    this.#clock = clock;
  }

  /** False until the books are known, for example while the journal is replayed. */
  get isReady(): boolean {
    return this.#waiting === null;
  }

  findMarket(symbol: string): SpotMarketStreams | null {
    const marketId = this.#marketIds.get(symbol);
    return marketId === undefined ? null : (this.#markets.get(marketId) ?? null);
  }

  getMarket(marketId: MarketId): SpotMarket {
    return this.#require(marketId).market;
  }

  /** Listeners are called for each command after the markets have taken it. */
  addListener(listener: DurableListener): void {
    this.#listeners.push(listener);
  }

  async start(): Promise<void> {
    this.#end = this.#exchange.subscribe((batch) => this.#take(batch));
    await this.#load();
  }

  stop(): void {
    this.#isStopped = true;
    this.#end?.();
    this.#cancelReload?.();
  }

  async #load(): Promise<void> {
    const state = await this.#readState();
    if (this.#isStopped) return;
    if (state === null) {
      // The next reading is later than everything that has come so far.
      this.#waiting = [];
      this.#cancelReload = this.#clock.after(reloadDelayMs, () => void this.#load());
      return;
    }
    for (const { market, depth } of state.books) this.#addMarket(market, depth);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#sequence = state.sequence;
    this.#take(waiting);
  }

  async #readState(): Promise<InitialState | null> {
    try {
      return await this.#exchange.read((view) => ({
        sequence: view.sequence,
        books: view.listSpotMarkets().map((market) => ({
          market,
          depth: view.getDepth(market.marketId, everyLevel),
        })),
      }));
    } catch (error) {
      if (error instanceof EngineBusyError || error instanceof EngineRestartingError) return null;
      throw error;
    }
  }

  #take(batch: readonly AppliedCommand[]): void {
    if (this.#waiting !== null) {
      this.#waiting.push(...batch);
      return;
    }
    for (const applied of batch) {
      if (applied.sequence <= this.#sequence) continue;
      this.#sequence = applied.sequence;
      for (const event of applied.events) this.#apply(event, applied);
      for (const listener of this.#listeners) listener(applied);
    }
  }

  #apply(event: EngineEvent, { timestamp }: AppliedCommand): void {
    switch (event.type) {
      case 'bookLevelChanged': {
        const { mirror, orderbook } = this.#require(event.marketId);
        mirror.apply(event);
        this.#hub.markDirty(orderbook);
        return;
      }
      case 'spotTradeExecuted': {
        const { trades } = this.#require(event.trade.marketId);
        trades.add(event.trade, timestamp);
        this.#hub.markDirty(trades);
        return;
      }
      case 'spotMarketCreated':
        this.#addMarket(event.market, emptyDepth);
        return;
      case 'accountOpened':
      case 'tokenAdded':
      case 'spotMarketStatusChanged':
      case 'balanceCredited':
      case 'balanceChanged':
      case 'spotOrderUpdated':
        return;
      default:
        return assertNever(event);
    }
  }

  #addMarket(market: SpotMarket, depth: BookDepth): void {
    const mirror = new BookMirror(depth);
    this.#marketIds.set(market.symbol, market.marketId);
    this.#markets.set(market.marketId, {
      market,
      mirror,
      orderbook: new OrderbookTopic(market, mirror, this.#clock),
      trades: new TradesTopic(market, this.#clock),
    });
  }

  #require(marketId: MarketId): SpotMarketStreams {
    const streams = this.#markets.get(marketId);
    assert(streams !== undefined, `market ${marketId} is known before its events`);
    return streams;
  }
}
