import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type {
  AggregateScan,
  ScannedAggregates,
} from '../../application/market-data/aggregate-trades.ts';
import type {
  AveragePrice,
  OwnSpotTrade,
  SpotDay,
  SpotKline,
  SpotKlineFilter,
  SpotMarketTradeFilter,
  SpotRecordFilter,
  SpotRecords,
  SpotTradeRecordFilter,
  TimedSpotTrade,
} from '../../application/ports/spot-records.ts';
import type { AccountId, MarketId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrder } from '../../domain/spot-order.ts';
import type { DatabasePool } from '../database-pool.ts';
import { MarketCache } from '../market-cache.ts';
import { selectSpotMarkets } from '../spot-market-rows.ts';
import type { SpotOrdersTable, SpotTradesTable, Tables } from '../tables.ts';
import { firstOrderFrom } from './order-bounds.ts';
import { selectAggregateTrades } from './select-aggregate-trades.ts';
import { selectKlines } from './select-klines.ts';
import { selectAveragePrice, selectLastPrices, selectSpotDays } from './select-spot-day.ts';
import { spotOrderFromRow, spotTradeFromRow } from './spot-order-rows.ts';

type OrderRow = Selectable<SpotOrdersTable>;
type TradeRow = Selectable<SpotTradesTable>;

/** Orders and trades are numbered in order of time, so they are listed by number. */
export class DatabaseSpotRecords implements SpotRecords {
  readonly #pool: DatabasePool;
  readonly #markets: MarketCache<SpotMarket>;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
    this.#markets = new MarketCache(pool, selectSpotMarkets);
  }

  async listOrders(filter: SpotRecordFilter): Promise<readonly SpotOrder[]> {
    const { accountId, marketId, from, startTime, endTime, order, limit } = filter;
    const rows = await this.#pool.query((db) => {
      let query = db
        .selectFrom('spot_orders')
        .selectAll()
        .where('account_id', '=', String(accountId))
        .where('market_id', '=', marketId)
        .orderBy('order_number', order === 'newest_first' ? 'desc' : 'asc')
        .limit(limit);
      if (from !== null) query = query.where('order_number', '>=', String(from));
      const numberFrom = (time: number) => firstOrderFrom('spot_orders', time).$castTo<string>();
      if (startTime !== null) query = query.where('order_number', '>=', numberFrom(startTime));
      if (endTime !== null) query = query.where('order_number', '<', numberFrom(endTime + 1));
      return query.execute();
    });
    return this.#orders(rows);
  }

  async findOrder(accountId: AccountId, orderNumber: OrderNumber): Promise<SpotOrder | null> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_orders')
        .selectAll()
        .where('order_number', '=', String(orderNumber))
        .where('account_id', '=', String(accountId))
        .execute(),
    );
    return (await this.#orders(rows))[0] ?? null;
  }

  async findOrderByClientId(
    accountId: AccountId,
    clientOrderId: string,
  ): Promise<SpotOrder | null> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('spot_orders')
        .selectAll()
        .where('account_id', '=', String(accountId))
        .where('client_order_id', '=', clientOrderId)
        .orderBy('order_number', 'desc')
        .limit(1)
        .execute(),
    );
    return (await this.#orders(rows))[0] ?? null;
  }

  async listOwnTrades(filter: SpotTradeRecordFilter): Promise<readonly OwnSpotTrade[]> {
    const rows = await this.#pool.query((db) => selectOwnTrades(db, filter));
    const owner = String(filter.accountId);
    return (await this.#trades(rows)).map((timed, index) => ({
      ...timed,
      role: rows[index]?.taker_account_id === owner ? 'taker' : 'maker',
    }));
  }

  async listMarketTrades(filter: SpotMarketTradeFilter): Promise<readonly TimedSpotTrade[]> {
    const { marketId, from, startTime, endTime, order, limit } = filter;
    const direction = order === 'newest_first' ? 'desc' : 'asc';
    const rows = await this.#pool.query((db) => {
      let query = db
        .selectFrom('spot_trades')
        .selectAll()
        .where('market_id', '=', marketId)
        .limit(limit);
      if (from === null) {
        query = query.orderBy('created_at', direction).orderBy('trade_number', direction);
      } else {
        query = query.where('trade_id', '>=', String(from)).orderBy('trade_id', direction);
      }
      if (startTime !== null) query = query.where('created_at', '>=', new Date(startTime));
      if (endTime !== null) query = query.where('created_at', '<=', new Date(endTime));
      return query.execute();
    });
    return this.#trades(rows);
  }

  async scanAggregateTrades(scan: AggregateScan<MarketId>): Promise<ScannedAggregates> {
    const marketOf = await this.#markets.requireAll([{ market_id: scan.marketId }]);
    const market = marketOf(scan.marketId);
    return this.#pool.query((db) => selectAggregateTrades(db, 'spot_trades', market, scan));
  }

  listKlines(filter: SpotKlineFilter): Promise<readonly SpotKline[]> {
    return this.#pool.query((db) => selectKlines(db, 'spot_klines', filter));
  }

  listDays(
    marketIds: readonly MarketId[],
    now: TimestampMs,
    since: number,
  ): Promise<ReadonlyMap<MarketId, SpotDay>> {
    return this.#pool.query((db) => selectSpotDays(db, marketIds, now, since));
  }

  listLastPrices(marketIds: readonly MarketId[]): Promise<ReadonlyMap<MarketId, string>> {
    return this.#pool.query((db) => selectLastPrices(db, marketIds));
  }

  findAveragePrice(marketId: MarketId, since: number): Promise<AveragePrice | null> {
    return this.#pool.query((db) => selectAveragePrice(db, marketId, since));
  }

  async #orders(rows: readonly OrderRow[]): Promise<readonly SpotOrder[]> {
    const marketOf = await this.#markets.requireAll(rows);
    return rows.map((row) => spotOrderFromRow(row, marketOf(row.market_id)));
  }

  async #trades(rows: readonly TradeRow[]): Promise<readonly TimedSpotTrade[]> {
    const marketOf = await this.#markets.requireAll(rows);
    return rows.map((row) => ({
      trade: spotTradeFromRow(row, marketOf(row.market_id)),
      createdAt: row.created_at.getTime() as TimestampMs,
    }));
  }
}

/** Each side by its own index; self-trades do not exist, so no trade is returned twice. */
async function selectOwnTrades(
  db: Kysely<Tables>,
  filter: SpotTradeRecordFilter,
): Promise<readonly TradeRow[]> {
  const direction = filter.order === 'newest_first' ? sql.raw('DESC') : sql.raw('ASC');
  const side = (account: string, order: string) => sql`
    (SELECT * FROM spot_trades
     WHERE ${sql.ref(account)} = ${filter.accountId} AND ${conditionsOf(filter, order)}
     ORDER BY trade_number ${direction} LIMIT ${filter.limit})`;
  const query = sql<TradeRow>`
    SELECT * FROM (
      ${side('taker_account_id', 'taker_order_number')}
      UNION ALL ${side('maker_account_id', 'maker_order_number')}
    ) AS trade
    ORDER BY trade_number ${direction} LIMIT ${filter.limit}`;
  return (await query.execute(db)).rows;
}

function conditionsOf(filter: SpotTradeRecordFilter, orderColumn: string): RawBuilder<unknown> {
  const { marketId, orderNumber, from, startTime, endTime } = filter;
  const conditions = [sql`market_id = ${marketId}`];
  if (orderNumber !== null) conditions.push(sql`${sql.ref(orderColumn)} = ${orderNumber}`);
  if (from !== null) {
    // An account's trades are indexed by number, and a market's numbers increase with its ids.
    conditions.push(sql`trade_number >= (
      SELECT trade_number FROM spot_trades
      WHERE market_id = ${marketId} AND trade_id >= ${from} ORDER BY trade_id LIMIT 1)`);
  }
  // The same holds for times.
  const numberAt = (condition: RawBuilder<unknown>, direction: 'ASC' | 'DESC') => sql`(
    SELECT trade_number FROM spot_trades WHERE market_id = ${marketId} AND created_at ${condition}
    ORDER BY created_at ${sql.raw(direction)}, trade_number ${sql.raw(direction)} LIMIT 1)`;
  if (startTime !== null) {
    const first = numberAt(sql`>= ${new Date(startTime)}`, 'ASC');
    conditions.push(sql`trade_number >= ${first}`);
  }
  if (endTime !== null) {
    const last = numberAt(sql`<= ${new Date(endTime)}`, 'DESC');
    conditions.push(sql`trade_number <= ${last}`);
  }
  return sql.join(conditions, sql` AND `);
}
