import {
  type AppliedCommand,
  type BookDepth,
  DatabaseError,
  EngineBusyError,
  type EngineEvent,
  EngineRestartingError,
  type Exchange,
} from '../../application/ports.ts';
import { assert } from '../../domain/assert.ts';
import type { MarketId, Sequence } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { Hub } from './hub.ts';
import { SpotMarketStreams } from './spot-market-streams.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamHistory } from './stream-history.ts';
import type { StreamLog } from './stream-ports.ts';

/** Who else wants to see each durable command, in order and none twice. */
export type DurableListener = (applied: AppliedCommand) => void;

export interface SpotFeedParts {
  readonly exchange: Exchange;
  readonly hub: Hub;
  readonly clock: StreamClock;
  /** Null: the streams know of nothing that happened before they began. */
  readonly history: StreamHistory | null;
  readonly log: StreamLog;
  /** What clients were told can no longer be trusted; they have to start over. */
  readonly onFailure: () => void;
}

const reloadDelayMs = 100;
const retryTradesMs = 1_000;
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
  readonly #parts: SpotFeedParts;
  readonly #markets = new Map<MarketId, SpotMarketStreams>();
  readonly #marketIds = new Map<string, MarketId>();
  readonly #listeners: DurableListener[] = [];
  /** Commands that came before the books did; null once the feed runs. */
  #waiting: AppliedCommand[] | null = [];
  #sequence = 0 as Sequence;
  #end: (() => void) | null = null;
  #cancelReload: (() => void) | null = null;
  #isStopped = false;

  constructor(parts: SpotFeedParts) {
    this.#parts = parts;
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

  /** Lets statistics age where nothing else happens; to be called every second. */
  tick(): void {
    for (const streams of this.#markets.values()) streams.tick();
  }

  async start(): Promise<void> {
    this.#end = this.#parts.exchange.subscribe((batch) => this.#take(batch));
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
      this.#cancelReload = this.#parts.clock.after(reloadDelayMs, () => void this.#load());
      return;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#sequence = state.sequence;
    for (const { market, depth } of state.books) {
      void this.#loadRecentTrades(this.#addMarket(market, depth));
    }
    this.#take(waiting);
  }

  /** Tries until the database answers: after a start it may have much to catch up with. */
  async #loadRecentTrades(streams: SpotMarketStreams): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await streams.loadRecentTrades();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const isCurrent = this.#markets.get(streams.market.marketId) === streams;
      if (this.#isStopped || !isCurrent) return;
      const { symbol } = streams.market;
      log.warn({ err: error, symbol }, 'the trades stream waits for earlier trades');
      clock.after(retryTradesMs, () => void this.#loadRecentTrades(streams));
    }
  }

  async #readState(): Promise<InitialState | null> {
    try {
      return await this.#parts.exchange.read((view) => ({
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
    try {
      for (const applied of batch) {
        if (applied.sequence <= this.#sequence) continue;
        this.#sequence = applied.sequence;
        for (const event of applied.events) this.#apply(event, applied);
        for (const listener of this.#listeners) listener(applied);
      }
    } catch (error) {
      this.#startOver(error);
    }
  }

  // The caller is the one who writes the journal: trading must go on although its streams are
  // broken, so they alone are taken down, loudly, and built anew from the engine.
  #startOver(error: unknown): void {
    this.#parts.log.error({ err: error }, 'the streams broke and start over');
    this.#waiting = [];
    this.#markets.clear();
    this.#marketIds.clear();
    this.#parts.onFailure();
    this.#cancelReload = this.#parts.clock.after(reloadDelayMs, () => void this.#load());
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
      default:
        return;
    }
  }

  #addMarket(market: SpotMarket, depth: BookDepth): SpotMarketStreams {
    const streams = new SpotMarketStreams(market, depth, {
      ...this.#parts,
      sequence: () => this.#sequence,
    });
    this.#marketIds.set(market.symbol, market.marketId);
    this.#markets.set(market.marketId, streams);
    return streams;
  }

  #require(marketId: MarketId): SpotMarketStreams {
    const streams = this.#markets.get(marketId);
    assert(streams !== undefined, `market ${marketId} is known before its events`);
    return streams;
  }
}
