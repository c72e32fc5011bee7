import { assert } from '../../domain/assert.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { DatabasePool } from '../database-pool.ts';
import { selectSpotMarkets } from '../spot-market-rows.ts';

/** Markets by id and symbol, reloaded when an unknown one is requested. */
export class MarketCache {
  readonly #pool: DatabasePool;
  #byId = new Map<MarketId, SpotMarket>();
  #bySymbol = new Map<string, SpotMarket>();
  #reading: Promise<void> | null = null;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async findBySymbol(symbol: string): Promise<SpotMarket | null> {
    if (!this.#bySymbol.has(symbol)) await this.#read();
    return this.#bySymbol.get(symbol) ?? null;
  }

  /** The immutable fields of the markets of rows that were just read. */
  async requireAll(marketIds: Iterable<number>): Promise<(marketId: number) => SpotMarket> {
    for (const marketId of marketIds) {
      if (this.#byId.has(marketId as MarketId)) continue;
      await this.#read();
      break;
    }
    return (marketId) => {
      const market = this.#byId.get(marketId as MarketId);
      assert(market !== undefined, `market ${marketId} is in the database`);
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
    const markets = await this.#pool.withClient(selectSpotMarkets);
    this.#byId = new Map(markets.map((market) => [market.marketId, market]));
    this.#bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  }
}
