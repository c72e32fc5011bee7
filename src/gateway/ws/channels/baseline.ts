import type { SpotTrade } from '../../../domain/spot-order.ts';
import type { CandleBaseline } from '../stream-history.ts';

/** The fields of a trade that the public streams show. */
export type StreamTrade = Pick<
  SpotTrade,
  'tradeId' | 'price' | 'quantity' | 'quoteAmount' | 'takerSide'
>;

export interface TimedTrade {
  readonly trade: StreamTrade;
  readonly time: number;
}

interface NumberedTrade {
  readonly trade: { readonly tradeId: number };
}

interface Past {
  /** 0 if the market has never traded. */
  readonly lastTradeId: number;
}

/** Loads the history; rejects with DatabaseError if it cannot be read. */
export type HistoryLoader = () => Promise<CandleBaseline>;

/**
 * Loads the history once, when it is first needed, while live trades wait. Then the trades that the
 * history does not include are added in order.
 */
export class BaselineLoader<
  Baseline extends Past = CandleBaseline,
  Trade extends NumberedTrade = TimedTrade,
> {
  readonly #load: (() => Promise<Baseline>) | null;
  readonly #begin: (baseline: Baseline) => void;
  readonly #add: (trade: Trade) => void;
  #state: 'idle' | 'loading' | 'loaded';
  #loading: Promise<void> | null = null;
  #waiting: Trade[] = [];

  /** Without a loader the history is empty. */
  constructor(
    load: (() => Promise<Baseline>) | null,
    begin: (baseline: Baseline) => void,
    add: (trade: Trade) => void,
  ) {
    this.#load = load;
    this.#state = load === null ? 'loaded' : 'idle';
    this.#begin = begin;
    this.#add = add;
  }

  take(trade: Trade): void {
    switch (this.#state) {
      case 'idle':
        // The history, once loaded, will include this trade.
        return;
      case 'loading':
        this.#waiting.push(trade);
        return;
      case 'loaded':
        this.#add(trade);
        return;
    }
  }

  /** Null if the history is loaded; otherwise resolves when it is. */
  prepare(): Promise<void> | null {
    if (this.#state === 'loaded' || this.#load === null) return null;
    this.#loading ??= this.#run(this.#load);
    return this.#loading;
  }

  async #run(load: () => Promise<Baseline>): Promise<void> {
    this.#state = 'loading';
    try {
      const baseline = await load();
      this.#begin(baseline);
      this.#state = 'loaded';
      for (const waiting of this.#waiting) {
        if (waiting.trade.tradeId > baseline.lastTradeId) this.#add(waiting);
      }
    } catch (error) {
      this.#state = 'idle';
      throw error;
    } finally {
      this.#waiting = [];
      this.#loading = null;
    }
  }
}
