import { type Selectable, sql } from 'kysely';
import type { EquityRecords } from '../../application/futures/account-equity.ts';
import type {
  AggregateScan,
  ScannedAggregates,
} from '../../application/market-data/aggregate-trades.ts';
import type { CursorPage } from '../../application/ports/database.ts';
import type {
  EquityFilter,
  FundingRateEntry,
  FundingRateFilter,
  FuturesAmendment,
  FuturesAmendmentFilter,
  FuturesHistory,
  FuturesKline,
  FuturesKlineFilter,
  FuturesOrderFilter,
  FuturesTicker,
  FuturesTradeFilter,
  IncomeEntry,
  IncomeFilter,
  LiquidationEntry,
  MarketTradeFilter,
  OwnFuturesTrade,
  PastFuturesOrder,
  TimedFuturesTrade,
} from '../../application/ports/futures-history.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import type { CloseOutStage, LiquidationStep } from '../../engine/futures-events.ts';
import type { DatabasePool } from '../database-pool.ts';
import { MarketCache } from '../market-cache.ts';
import { decodeCursor, encodeCursor } from '../queries/page-cursor.ts';
import { selectAggregateTrades } from '../queries/select-aggregate-trades.ts';
import { selectKlines } from '../queries/select-klines.ts';
import { amountOf, type StoredFuturesMarket, selectFuturesMarkets } from './futures-market-rows.ts';
import { futuresOrderFromRow, futuresTradeFromRow } from './futures-order-rows.ts';
import type { FuturesOrdersTable, FuturesTradesTable } from './futures-tables.ts';
import { selectEquityRecords } from './select-equity-records.ts';
import { selectFundingRates, selectFuturesTickers } from './select-futures-market-data.ts';
import { countFuturesOrders, selectFuturesOrders } from './select-futures-orders.ts';
import { countOwnTrades, selectMarketTrades, selectOwnTrades } from './select-futures-trades.ts';
import { selectIncome } from './select-income.ts';

/** Orders and trades are numbered in order of time, so pages follow the numbers. */
export class DatabaseFuturesHistory implements FuturesHistory {
  readonly #pool: DatabasePool;
  readonly #markets: MarketCache<StoredFuturesMarket>;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
    this.#markets = new MarketCache(pool, selectFuturesMarkets);
  }

  async listOrders(filter: FuturesOrderFilter): Promise<CursorPage<PastFuturesOrder>> {
    const { cursor, limit, offset } = filter;
    const after = cursor === null ? null : decodeCursor('futures_orders', cursor);
    const rows = await this.#pool.query((db) =>
      selectFuturesOrders(db, filter, { limit: limit + 1, offset, after }),
    );
    const items = await this.#orders(rows.slice(0, limit));
    const last = rows.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? null : encodeCursor('futures_orders', last.orderNumber);
    return { items, nextCursor: next };
  }

  async countOrders(filter: FuturesOrderFilter): Promise<number> {
    return this.#pool.query((db) => countFuturesOrders(db, filter));
  }

  async findOrder(orderNumber: OrderNumber): Promise<PastFuturesOrder | null> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('futures_orders')
        .selectAll()
        .where('order_number', '=', String(orderNumber))
        .execute(),
    );
    return (await this.#orders(rows))[0] ?? null;
  }

  async findOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): Promise<PastFuturesOrder | null> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('futures_orders')
        .selectAll()
        .where('account_id', '=', String(accountId))
        .where('client_order_id', '=', clientOrderId)
        .orderBy('order_number', 'desc')
        .limit(1)
        .execute(),
    );
    return (await this.#orders(rows))[0] ?? null;
  }

  /** Oldest first, whichever end of the list they are taken from. */
  async listAmendments(filter: FuturesAmendmentFilter): Promise<readonly FuturesAmendment[]> {
    const { orderNumber, startTime, endTime, limit, order } = filter;
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom((own) =>
          own
            .selectFrom('futures_order_amendments')
            .selectAll()
            .select(sql<string>`row_number() OVER (ORDER BY id)`.as('count'))
            .where('order_number', '=', String(orderNumber))
            .as('own'),
        )
        .selectAll()
        .$if(startTime !== null, (query) =>
          query.where('created_at', '>=', new Date(startTime ?? 0)),
        )
        .$if(endTime !== null, (query) => query.where('created_at', '<=', new Date(endTime ?? 0)))
        .orderBy('id', order === 'newest_first' ? 'desc' : 'asc')
        .limit(limit)
        .execute(),
    );
    const inTurn = order === 'newest_first' ? rows.reverse() : rows;
    return inTurn.map((row) => ({
      id: Number(row.id),
      count: Number(row.count),
      priceBefore: row.price_before,
      priceAfter: row.price_after,
      quantityBefore: row.quantity_before,
      quantityAfter: row.quantity_after,
      modifyId: row.modify_id === null ? null : Number(row.modify_id),
      createdAt: row.created_at.getTime() as TimestampMs,
    }));
  }

  async listTrades(filter: FuturesTradeFilter): Promise<CursorPage<OwnFuturesTrade>> {
    const { accountId, cursor, limit, offset } = filter;
    const after = cursor === null ? null : decodeCursor('futures_trades', cursor);
    const rows = await this.#pool.query((db) =>
      selectOwnTrades(db, filter, { limit: limit + 1, offset, after }),
    );
    const trades = await this.#trades(rows.slice(0, limit));
    const items = trades.map((timed) => {
      const role = timed.trade.taker.accountId === accountId ? 'taker' : 'maker';
      return { ...timed, role } as const;
    });
    const last = rows.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? null : encodeCursor('futures_trades', last.trade.tradeNumber);
    return { items, nextCursor: next };
  }

  async countTrades(filter: FuturesTradeFilter): Promise<number> {
    return this.#pool.query((db) => countOwnTrades(db, filter));
  }

  async listMarketTrades(filter: MarketTradeFilter): Promise<readonly TimedFuturesTrade[]> {
    return this.#trades(await this.#pool.query((db) => selectMarketTrades(db, filter)));
  }

  async scanAggregateTrades(scan: AggregateScan<FuturesMarketId>): Promise<ScannedAggregates> {
    const marketOf = await this.#markets.requireAll([{ market_id: scan.marketId }]);
    const market = marketOf(scan.marketId);
    return this.#pool.query((db) => selectAggregateTrades(db, 'futures_trades', market, scan));
  }

  async listKlines(filter: FuturesKlineFilter): Promise<readonly FuturesKline[]> {
    return this.#pool.query((db) => selectKlines(db, 'futures_klines', filter));
  }

  async listTickers(
    marketIds: readonly FuturesMarketId[],
    now: TimestampMs,
  ): Promise<ReadonlyMap<FuturesMarketId, FuturesTicker>> {
    return this.#pool.query((db) => selectFuturesTickers(db, marketIds, now));
  }

  async listIncome(filter: IncomeFilter): Promise<readonly IncomeEntry[]> {
    return this.#pool.query((db) => selectIncome(db, filter));
  }

  async loadEquityRecords(filter: EquityFilter): Promise<EquityRecords> {
    return this.#pool.query((db) => selectEquityRecords(db, filter));
  }

  async listFundingRates(filter: FundingRateFilter): Promise<readonly FundingRateEntry[]> {
    return this.#pool.query((db) => selectFundingRates(db, filter));
  }

  async listLiquidationSteps(
    accountId: AccountId,
    limit: number,
  ): Promise<readonly LiquidationEntry[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('futures_liquidation_steps')
        .selectAll()
        .where('account_id', '=', String(accountId))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    );
    return rows.map((row) => ({
      id: Number(row.id),
      marketId: row.market_id as FuturesMarketId | null,
      number: row.close_out_number === null ? null : Number(row.close_out_number),
      stage: row.stage as CloseOutStage | null,
      step: row.step as LiquidationStep,
      equity: amountOf(row.equity),
      maintenanceMargin: amountOf(row.maintenance_margin),
      bankruptcyPrice: row.bankruptcy_price,
      quantity: row.quantity,
      paidByFund: row.paid_by_fund === null ? null : amountOf(row.paid_by_fund),
      createdAt: row.created_at.getTime() as TimestampMs,
    }));
  }

  async #orders(
    rows: readonly Selectable<FuturesOrdersTable>[],
  ): Promise<readonly PastFuturesOrder[]> {
    const marketOf = await this.#markets.requireAll(rows);
    return rows.map((row) => futuresOrderFromRow(row, marketOf(row.market_id)));
  }

  async #trades(
    rows: readonly Selectable<FuturesTradesTable>[],
  ): Promise<readonly TimedFuturesTrade[]> {
    const marketOf = await this.#markets.requireAll(rows);
    return rows.map((row) => ({
      trade: futuresTradeFromRow(row, marketOf(row.market_id)),
      createdAt: row.created_at.getTime() as TimestampMs,
    }));
  }
}
