import { type Selectable, sql } from 'kysely';
import type {
  KlineView,
  PublicSpotTradeView,
  SpotTickerStatistics,
} from '../../application/market-data/market-views.ts';
import { viewKline } from '../../application/market-data/view-kline.ts';
import type { CursorPage } from '../../application/ports/database.ts';
import type {
  KlineFilter,
  OwnedSpotOrder,
  SpotHistory,
  SpotOrderFilter,
  SpotTradeFilter,
} from '../../application/ports/spot-history.ts';
import {
  type SpotOrderView,
  type SpotTradeView,
  viewSpotFill,
  viewSpotOrder,
} from '../../application/trading/spot-views.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address, MarketId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import type { DatabasePool } from '../database-pool.ts';
import { MarketCache } from '../market-cache.ts';
import { selectSpotMarkets } from '../spot-market-rows.ts';
import type { SpotTradesTable } from '../tables.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import { selectKlines } from './select-klines.ts';
import { selectOrders } from './select-orders.ts';
import { selectTickers } from './select-ticker.ts';
import { spotOrderFromRow, spotTradeFromRow } from './spot-order-rows.ts';

const emptyPage = { items: [], nextCursor: null } as const;

/** Orders and trades are numbered in order of time, so pages follow the numbers downwards. */
export class DatabaseSpotHistory implements SpotHistory {
  readonly #pool: DatabasePool;
  readonly #markets: MarketCache<SpotMarket>;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
    this.#markets = new MarketCache(pool, selectSpotMarkets);
  }

  async listOrders(filter: SpotOrderFilter): Promise<CursorPage<SpotOrderView>> {
    const below = filter.cursor === null ? null : decodeCursor('orders', filter.cursor);
    const market = await this.#findFilterMarket(filter.symbol);
    if (market === 'unknown') return emptyPage;
    const accountId = await this.#findAccountId(filter.address);
    if (accountId === null) return emptyPage;
    const rows = await this.#pool.query((db) =>
      selectOrders(db, {
        accountId,
        market,
        below,
        status: filter.status,
        clientOrderId: filter.clientOrderId,
        limit: filter.limit + 1,
      }),
    );
    const page = rows.slice(0, filter.limit);
    const marketOf = await this.#markets.requireAll(page);
    const orders = page.map((row) => spotOrderFromRow(row, marketOf(row.market_id)));
    const last = rows.length > filter.limit ? orders.at(-1) : undefined;
    return {
      items: orders.map((order) => viewSpotOrder(order, marketOf(order.marketId))),
      nextCursor: last === undefined ? null : encodeCursor('orders', last.orderNumber),
    };
  }

  async findOrder(orderNumber: OrderNumber): Promise<OwnedSpotOrder | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('spot_orders')
        .innerJoin('accounts', 'accounts.account_id', 'spot_orders.account_id')
        .selectAll('spot_orders')
        .select('accounts.address as owner')
        .where('order_number', '=', String(orderNumber))
        .executeTakeFirst(),
    );
    if (row === undefined) return null;
    const marketOf = await this.#markets.requireAll([row]);
    const market = marketOf(row.market_id);
    return {
      owner: row.owner as Address,
      order: viewSpotOrder(spotOrderFromRow(row, market), market),
    };
  }

  async listTrades(filter: SpotTradeFilter): Promise<CursorPage<SpotTradeView>> {
    const below = filter.cursor === null ? null : decodeCursor('trades', filter.cursor);
    const market = await this.#findFilterMarket(filter.symbol);
    if (market === 'unknown') return emptyPage;
    const accountId = await this.#findAccountId(filter.address);
    if (accountId === null) return emptyPage;
    const rows = await this.#selectTrades(accountId, filter.limit + 1, { market, below });
    const page = rows.slice(0, filter.limit);
    const marketOf = await this.#markets.requireAll(page);
    const last = rows.length > filter.limit ? page.at(-1) : undefined;
    return {
      items: page.map((row) => {
        const role = row.taker_account_id === accountId ? 'taker' : 'maker';
        return viewOwnTrade(row, marketOf(row.market_id), role);
      }),
      nextCursor: last === undefined ? null : encodeCursor('trades', Number(last.trade_number)),
    };
  }

  async listRecentTrades(symbol: string, limit: number): Promise<readonly PublicSpotTradeView[]> {
    const market = await this.#markets.findBySymbol(symbol);
    if (market === null) return [];
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_trades')
        .selectAll()
        .where('market_id', '=', market.marketId)
        .orderBy('created_at', 'desc')
        .orderBy('trade_number', 'desc')
        .limit(limit)
        .execute(),
    );
    return rows.map((row) => viewPublicTrade(row, market));
  }

  async listKlines(filter: KlineFilter): Promise<readonly KlineView[]> {
    const market = await this.#markets.findBySymbol(filter.symbol);
    if (market === null) return [];
    const span = { ...filter, marketId: market.marketId };
    const klines = await this.#pool.query((db) => selectKlines(db, 'spot_klines', span));
    return klines.map(viewKline);
  }

  async listTickers(
    symbols: readonly string[],
    now: TimestampMs,
  ): Promise<ReadonlyMap<string, SpotTickerStatistics>> {
    const symbolOf = new Map<MarketId, string>();
    for (const symbol of symbols) {
      const market = await this.#markets.findBySymbol(symbol);
      if (market !== null) symbolOf.set(market.marketId, symbol);
    }
    const tickers = await this.#pool.query((db) => selectTickers(db, [...symbolOf.keys()], now));
    return new Map([...tickers].map(([id, ticker]) => [symbolOf.get(id) ?? '', ticker]));
  }

  async #findFilterMarket(symbol: string | null): Promise<SpotMarket | 'unknown' | null> {
    return symbol === null ? null : ((await this.#markets.findBySymbol(symbol)) ?? 'unknown');
  }

  async #findAccountId(address: Address): Promise<string | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('accounts')
        .select('account_id')
        .where('address', '=', address)
        .executeTakeFirst(),
    );
    return row?.account_id ?? null;
  }

  /** Each side by its own index; self-trades do not exist, so no trade is returned twice. */
  async #selectTrades(
    accountId: string,
    limit: number,
    filter: { readonly market: SpotMarket | null; readonly below: number | null },
  ): Promise<readonly Selectable<SpotTradesTable>[]> {
    const conditions = sql.join(
      [
        sql`TRUE`,
        ...(filter.below === null ? [] : [sql`trade_number < ${filter.below}`]),
        ...(filter.market === null ? [] : [sql`market_id = ${filter.market.marketId}`]),
      ],
      sql` AND `,
    );
    const side = (column: string) => sql`
      (SELECT * FROM spot_trades WHERE ${sql.ref(column)} = ${accountId} AND ${conditions}
       ORDER BY trade_number DESC LIMIT ${limit})`;
    const query = sql<Selectable<SpotTradesTable>>`
      SELECT * FROM (${side('taker_account_id')} UNION ALL ${side('maker_account_id')}) AS trade
      ORDER BY trade_number DESC LIMIT ${limit}`;
    return this.#pool.query(async (db) => (await query.execute(db)).rows);
  }
}

function viewOwnTrade(
  row: Selectable<SpotTradesTable>,
  market: SpotMarket,
  role: 'maker' | 'taker',
): SpotTradeView {
  const trade = spotTradeFromRow(row, market);
  return {
    ...viewSpotFill(trade, market, role),
    order_id: formatOrderId(orderOfSide(trade, role)),
    symbol: market.symbol,
    side: role === 'taker' ? trade.takerSide : trade.takerSide === 'buy' ? 'sell' : 'buy',
    quote_quantity: formatAmount(trade.quoteAmount),
    created_at: row.created_at.toISOString(),
  };
}

function orderOfSide(trade: SpotTrade, role: 'maker' | 'taker') {
  return role === 'taker'
    ? { orderNumber: trade.takerOrderNumber, createdAt: trade.takerOrderCreatedAt }
    : { orderNumber: trade.makerOrderNumber, createdAt: trade.makerOrderCreatedAt };
}

function viewPublicTrade(
  row: Selectable<SpotTradesTable>,
  market: SpotMarket,
): PublicSpotTradeView {
  const trade = spotTradeFromRow(row, market);
  const { trade_id, price, quantity } = viewSpotFill(trade, market, 'taker');
  return {
    trade_id,
    price,
    quantity,
    quote_quantity: formatAmount(trade.quoteAmount),
    side: trade.takerSide,
    created_at: row.created_at.toISOString(),
  };
}
