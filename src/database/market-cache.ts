import type pg from 'pg';
import { assert } from '../domain/assert.ts';
import type { DatabasePool } from './database-pool.ts';

interface CachedMarket {
  readonly marketId: number;
  readonly symbol: string;
}

type SelectMarkets<M> = (client: Pick<pg.ClientBase, 'query'>) => Promise<readonly M[]>;

/** The immutable fields of all markets of one kind, reloaded when an unknown one is requested. */
export class MarketCache<M extends CachedMarket> {
  readonly #pool: DatabasePool;
  readonly #select: SelectMarkets<M>;
  #byId = new Map<number, M>();
  #bySymbol = new Map<string, M>();
  #reload: Promise<void> | null = null;

  constructor(pool: DatabasePool, select: SelectMarkets<M>) {
    this.#pool = pool;
    this.#select = select;
  }

  async findBySymbol(symbol: string): Promise<M | null> {
    if (!this.#bySymbol.has(symbol)) await this.#reloadOnce();
    return this.#bySymbol.get(symbol) ?? null;
  }

  /** The markets of rows that were just read. */
  async requireAll(
    rows: readonly { readonly market_id: number }[],
  ): Promise<(marketId: number) => M> {
    if (rows.some((row) => !this.#byId.has(row.market_id))) await this.#reloadOnce();
    return (marketId) => {
      const market = this.#byId.get(marketId);
      assert(market !== undefined, `market ${marketId} is in the database`);
      return market;
    };
  }

  /** Concurrent misses share one query. */
  async #reloadOnce(): Promise<void> {
    this.#reload ??= this.#load().finally(() => {
      this.#reload = null;
    });
    await this.#reload;
  }

  async #load(): Promise<void> {
    const markets = await this.#pool.withClient(this.#select);
    this.#byId = new Map(markets.map((market) => [market.marketId, market]));
    this.#bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  }
}
