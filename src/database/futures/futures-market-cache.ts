import { assert } from '../../domain/assert.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { DatabasePool } from '../database-pool.ts';
import { type StoredFuturesMarket, selectFuturesMarkets } from './futures-market-rows.ts';

/** The immutable fields of markets by id; reloaded when an unknown one is requested. */
export class FuturesMarketCache {
  readonly #pool: DatabasePool;
  #byId = new Map<FuturesMarketId, StoredFuturesMarket>();
  #reading: Promise<void> | null = null;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  /** The markets of rows that were just read. */
  async requireAll(
    rows: readonly { readonly market_id: number }[],
  ): Promise<(marketId: number) => StoredFuturesMarket> {
    const isMissing = rows.some((row) => !this.#byId.has(row.market_id as FuturesMarketId));
    if (isMissing) await this.#read();
    return (marketId) => {
      const market = this.#byId.get(marketId as FuturesMarketId);
      assert(market !== undefined, `futures market ${marketId} is in the database`);
      return market;
    };
  }

  /** Concurrent misses share one query. */
  async #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    const markets = await this.#pool.withClient(selectFuturesMarkets);
    this.#byId = new Map(markets.map((market) => [market.marketId, market]));
  }
}
