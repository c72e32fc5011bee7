import type pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  TokenId,
} from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { RecentPrices } from '../../programs/referral/recent-prices.ts';
import { type StoredFuturesMarket, selectFuturesMarkets } from '../futures/futures-market-rows.ts';
import { loadPointsTerms } from '../points/epoch-setting.ts';
import type { PointsTerms } from '../points/points-change.ts';
import { selectRecentPrices } from '../referral/select-recent-prices.ts';
import { selectSpotMarkets } from '../spot-market-rows.ts';
import type { OutcomeBatch } from './outcome-batch.ts';
import type { StatementRunner } from './statement-queue.ts';

// Outcomes carry ids; rows carry names. Tokens and markets are few and all cached. Of the accounts
// only the most recently used are cached; the others are looked up once per batch.

const accountsKeptMax = 200_000;
const ordersTables = ['spot_orders', 'futures_orders'] as const;

type OrdersTable = (typeof ordersTables)[number];

export class Directory {
  readonly #tokens = new Map<TokenId, string>();
  readonly #markets = new Map<MarketId, SpotMarket>();
  readonly #recentPrices = new Map<MarketId, RecentPrices>();
  readonly #futuresMarkets = new Map<FuturesMarketId, StoredFuturesMarket>();
  readonly #addresses = new Map<AccountId, Address>();
  #pointsTerms: PointsTerms | null = null;
  readonly #newestOrders = new Map<OrdersTable, number>();

  static async load(client: pg.ClientBase): Promise<Directory> {
    const directory = new Directory();
    const tokens = await client.query<{ token_id: number; symbol: string }>(
      'SELECT token_id, symbol FROM tokens',
    );
    for (const row of tokens.rows) directory.#tokens.set(row.token_id as TokenId, row.symbol);
    for (const market of await selectSpotMarkets(client)) {
      directory.#markets.set(market.marketId, market);
    }
    for (const [market, hours] of await selectRecentPrices(client, directory.#markets)) {
      directory.#recentPrices.set(market, new RecentPrices(hours));
    }
    for (const market of await selectFuturesMarkets(client)) {
      directory.#futuresMarkets.set(market.marketId, market);
    }
    directory.#pointsTerms = await loadPointsTerms(client);
    for (const table of ordersTables) {
      const { rows } = await client.query<{ newest: string | null }>(
        `SELECT max(order_number) AS newest FROM ${table}`,
      );
      directory.#newestOrders.set(table, Number(rows[0]?.newest ?? 0));
    }
    return directory;
  }

  /** Adds what the batch opens and creates, and loads the addresses that it mentions. */
  async prepare(batch: OutcomeBatch, statements: StatementRunner): Promise<void> {
    if (this.#addresses.size > accountsKeptMax) this.#addresses.clear();
    for (const { event } of batch.eventsOf('accountOpened')) {
      this.#addresses.set(event.accountId, event.address);
    }
    for (const { event } of batch.eventsOf('tokenAdded')) {
      this.#tokens.set(event.tokenId, event.symbol);
    }
    for (const { event } of batch.eventsOf('spotMarketCreated')) {
      this.#markets.set(event.market.marketId, event.market);
    }
    for (const { event } of batch.eventsOf('futuresMarketCreated')) {
      this.#futuresMarkets.set(event.market.marketId, event.market);
    }
    // An account that is credited also has a changed balance.
    const missing = new Set<AccountId>();
    for (const { event } of batch.eventsOf('balanceChanged')) {
      if (!this.#addresses.has(event.accountId)) missing.add(event.accountId);
    }
    for (const { event } of batch.eventsOf('perpBalanceChanged')) {
      if (!this.#addresses.has(event.accountId)) missing.add(event.accountId);
    }
    if (missing.size > 0) await this.#loadAddresses([...missing], statements);
  }

  getAddress(accountId: AccountId): Address {
    const address = this.#addresses.get(accountId);
    assert(address !== undefined, `account ${accountId} was never opened`);
    return address;
  }

  getTokenSymbol(tokenId: TokenId): string {
    const symbol = this.#tokens.get(tokenId);
    assert(symbol !== undefined, `token ${tokenId} was never added`);
    return symbol;
  }

  getMarket(marketId: MarketId): SpotMarket {
    const market = this.#markets.get(marketId);
    assert(market !== undefined, `market ${marketId} was never created`);
    return market;
  }

  /** The prices of the market's trades up to the batch, to which each trade is added. */
  getRecentPrices(marketId: MarketId): RecentPrices {
    let prices = this.#recentPrices.get(marketId);
    if (prices === undefined) {
      prices = new RecentPrices();
      this.#recentPrices.set(marketId, prices);
    }
    return prices;
  }

  getFuturesMarket(marketId: FuturesMarketId): StoredFuturesMarket {
    const market = this.#futuresMarkets.get(marketId);
    assert(market !== undefined, `futures market ${marketId} was never created`);
    return market;
  }

  /** When points start to count, and the first epoch in which fees cap them. */
  get pointsTerms(): PointsTerms {
    const terms = this.#pointsTerms;
    assert(terms !== null, 'the start of the points program was loaded');
    return terms;
  }

  /**
   * Divides a batch's orders into those with and without a row: numbers ascend, so one above all in
   * the table cannot be in it. The batch's orders count as stored afterwards.
   */
  divideOrders<T>(
    table: OrdersTable,
    placed: ReadonlyMap<OrderNumber, T>,
  ): { readonly known: readonly T[]; readonly added: readonly T[] } {
    const newest = this.#newestOrders.get(table) ?? 0;
    const known: T[] = [];
    const added: T[] = [];
    let last = newest;
    for (const [orderNumber, order] of placed) {
      if (orderNumber <= newest) known.push(order);
      else added.push(order);
      if (orderNumber > last) last = orderNumber;
    }
    this.#newestOrders.set(table, last);
    return { known, added };
  }

  async #loadAddresses(
    accountIds: readonly AccountId[],
    statements: StatementRunner,
  ): Promise<void> {
    const { rows } = await statements.run<{ account_id: string; address: string }>({
      text: 'SELECT account_id, address FROM accounts WHERE account_id = ANY ($1::bigint[])',
      values: [accountIds],
    });
    for (const row of rows) {
      this.#addresses.set(Number(row.account_id) as AccountId, row.address as Address);
    }
  }
}
