import { expect } from 'vitest';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import type { DatabasePool } from '../../src/database/database-pool.ts';
import { type Amount, formatAmount } from '../../src/domain/amount.ts';
import { type Decimal, formatDecimal, formatScaled } from '../../src/domain/decimal.ts';
import type { FuturesMarket } from '../../src/domain/futures-market.ts';
import type { FuturesOrder } from '../../src/domain/futures-order.ts';
import { clearedAmount } from '../../src/domain/insurance.ts';
import { klineIntervals, klineOpenTime } from '../../src/domain/kline-interval.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import type { LiquidationProgressed } from '../../src/engine/futures-events.ts';
import { btcMarket, ethMarket, futuresAddress } from './futures-outcomes.ts';

// The plainest possible fold of futures events into rows, to compare the tables with: one event
// after the other, nothing coalesced, every row a list of texts.

type Row = readonly (string | null)[];

const millis = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

const selections: Readonly<Record<string, string>> = {
  markets: 'SELECT market_id, symbol, tick_size, lot_size, status FROM futures_markets',
  orders: `SELECT order_number, account_id, market_id, client_order_id, side, type, time_in_force,
    price, price_match, quantity, filled_quantity, filled_quote, status, stop_price, trigger_price_kind,
    callback_bps, is_reduce_only, ${millis('good_till')}, parent_order_number, is_algo, origin,
    end_reason, ${millis('triggered_at')}, ${millis('created_at')}, updated_sequence
    FROM futures_orders`,
  amendments: `SELECT row_number() OVER (ORDER BY id), order_number, price_before, price_after,
    quantity_before, quantity_after, ${millis('created_at')}, sequence
    FROM futures_order_amendments`,
  trades: `SELECT trade_number, trade_id, market_id, price, quantity, quote_quantity, taker_side, is_off_book,
    maker_order_number, taker_order_number, maker_account_id, taker_account_id, maker_fee,
    taker_fee, maker_profit, taker_profit, ${millis('created_at')}, sequence FROM futures_trades`,
  klines: `SELECT market_id || ' ' || kline_interval || ' ' || ${millis('open_time')}, open, high,
    low, close, trim_scale(volume), trim_scale(quote_volume), trim_scale(taker_buy_volume),
    trim_scale(taker_buy_quote_volume), trade_count FROM futures_klines`,
  positions: `SELECT account_id || ' ' || market_id, quantity, entry_notional, realized_profit,
    updated_sequence FROM futures_positions`,
  leverages: `SELECT account_id || ' ' || market_id, leverage, updated_sequence
    FROM futures_leverages`,
  balances: 'SELECT user_address, wallet_balance, reserved, updated_sequence FROM perp_balances',
  // Where one command brings several kinds of income, their order among each other is free.
  income: `SELECT row_number() OVER (ORDER BY sequence, type, id), account_id, type, market_id,
    amount, position_quantity, ${millis('created_at')}, sequence FROM futures_income`,
  funding: `SELECT market_id || ' ' || ${millis('funding_time')}, funding_rate, mark_price
    FROM futures_funding_rates`,
  liquidations: `SELECT row_number() OVER (ORDER BY id), account_id, market_id, step, equity,
    maintenance_margin, bankruptcy_price, close_out_number, stage, quantity, paid_by_fund, sequence
    FROM futures_liquidation_steps`,
  volumes: `SELECT account_id || ' ' || ${millis('hour')}, trim_scale(volume)
    FROM futures_volume_hours`,
};

/** Every futures table holds exactly what the outcomes say, and no row twice. */
export async function expectFuturesTables(
  pool: DatabasePool,
  outcomes: readonly AppliedCommand[],
): Promise<void> {
  const fold = new FuturesFold();
  for (const outcome of outcomes) {
    for (const event of outcome.events) fold.add(event, outcome);
  }
  for (const [name, selection] of Object.entries(selections)) {
    const actual = (await selectTexts(pool, selection)).map((row) => row.join(' | ')).sort();
    const expected = [...fold.rows(name)].map((row) => row.join(' | ')).sort();
    expect(actual, name).toEqual(expected);
  }
}

async function selectTexts(pool: DatabasePool, selection: string): Promise<Row[]> {
  return pool.withClient(async (client) => {
    const query = { text: selection, rowMode: 'array' } as const;
    const result = await client.query<(string | number | boolean | null)[]>(query);
    return result.rows.map((row) => row.map((value) => (value === null ? null : String(value))));
  });
}

function marketOf(marketId: number): FuturesMarket {
  return marketId === 0 ? btcMarket : ethMarket;
}

const lots = (marketId: number, count: number | bigint): string =>
  formatDecimal((BigInt(count) * marketOf(marketId).lotSize) as Decimal);
const price = (marketId: number, ticks: number | null): string | null =>
  ticks === null ? null : formatDecimal((BigInt(ticks) * marketOf(marketId).tickSize) as Decimal);

function stepRow({ marketId, lots: closed = null, paid, ...event }: LiquidationProgressed): Row {
  return [
    String(event.accountId),
    marketId === null ? null : String(marketId),
    event.step,
    formatAmount(event.equity),
    formatAmount(event.maintenanceMargin),
    marketId === null ? null : price(marketId, event.bankruptcyPrice),
    String(event.number),
    event.stage,
    marketId === null || closed === null ? null : lots(marketId, closed),
    paid === undefined ? null : formatAmount(paid),
  ];
}

interface Candle {
  readonly prices: number[];
  readonly sums: [bigint, bigint, bigint, bigint];
  count: number;
}

class FuturesFold {
  readonly #tables = new Map<string, Map<string, Row>>();
  readonly #orders = new Map<number, FuturesOrder>();
  readonly #income: { readonly key: string; readonly row: Row }[] = [];
  readonly #volumes = new Map<string, bigint>();
  readonly #candles = new Map<string, Candle>();
  #count = 0;

  rows(name: string): readonly Row[] {
    if (name === 'income') {
      const sorted = this.#income.toSorted((left, right) => (left.key < right.key ? -1 : 1));
      return sorted.map(({ row }, index) => [String(index + 1), ...row]);
    }
    if (name === 'volumes') {
      return [...this.#volumes].map(([key, sum]) => [key, formatAmount(sum as Amount)]);
    }
    if (name === 'klines') return [...this.#candles].map(candleRow);
    const rows = [...(this.#tables.get(name) ?? new Map<string, Row>()).values()];
    const isNumbered = name === 'amendments' || name === 'liquidations';
    return isNumbered ? rows.map((row, index) => [String(index + 1), ...row]) : rows;
  }

  add(event: EngineEvent, { sequence, timestamp }: AppliedCommand): void {
    const at = String(timestamp);
    const last = String(sequence);
    switch (event.type) {
      case 'futuresMarketCreated': {
        const { marketId, symbol, tickSize, lotSize, status } = event.market;
        const sizes = [formatDecimal(tickSize), formatDecimal(lotSize)];
        return this.#set('markets', String(marketId), [symbol, ...sizes, status]);
      }
      case 'futuresMarketStatusChanged': {
        const row = this.#tables.get('markets')?.get(String(event.marketId)) ?? [];
        return this.#set('markets', String(event.marketId), [...row.slice(1, 4), event.status]);
      }
      case 'futuresOrderUpdated': {
        const before = this.#orders.get(event.order.orderNumber);
        this.#orders.set(event.order.orderNumber, event.order);
        if (event.cause === 'amended') this.#amend(before, event.order, at, last);
        return this.#order(event.order, event.end, last);
      }
      case 'futuresTradeExecuted':
        return this.#trade(event.trade, at, last);
      case 'positionChanged': {
        const { accountId, marketId, quantity, entryNotional, realizedProfit } = event.position;
        const sums = [formatAmount(entryNotional), formatAmount(realizedProfit)];
        const row = [lots(marketId, quantity), ...sums, last];
        return this.#set('positions', `${accountId} ${marketId}`, row);
      }
      case 'leverageChanged': {
        const key = `${event.accountId} ${event.marketId}`;
        return this.#set('leverages', key, [String(event.leverage), last]);
      }
      case 'perpBalanceChanged': {
        const sums = [formatAmount(event.walletBalance), formatAmount(event.reserved)];
        return this.#set('balances', futuresAddress(event.accountId), [...sums, last]);
      }
      case 'fundingSettled': {
        const { marketId, fundingTime, fundingRate, markPrice } = event;
        const row = [formatScaled(fundingRate, 9), formatAmount(markPrice)];
        return this.#set('funding', `${marketId} ${fundingTime}`, row);
      }
      case 'fundingPaid': {
        const { accountId, marketId, amount } = event;
        const held = lots(marketId, event.positionQuantity);
        return this.#earn(['FUNDING_FEE', accountId, marketId, amount, held], at, sequence);
      }
      case 'fundsTransferred': {
        if (event.isRepeated) return;
        const amount = event.direction === 'spot_to_perp' ? event.amount : 0n - event.amount;
        return this.#earn(['TRANSFER', event.accountId, null, amount, null], at, sequence);
      }
      case 'insuranceFundChanged': {
        const amount = clearedAmount(event);
        if (event.accountId === null || amount === 0n) return;
        return this.#earn(['INSURANCE_CLEAR', event.accountId, null, amount, null], at, sequence);
      }
      case 'liquidationProgressed':
        return this.#set('liquidations', null, [...stepRow(event), last]);
      default:
        return;
    }
  }

  #set(table: string, key: string | null, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    this.#count += 1;
    rows.set(key ?? String(this.#count), key === null ? row : [key, ...row]);
  }

  #order(order: FuturesOrder, end: string | null, last: string): void {
    const { marketId } = order;
    this.#set('orders', String(order.orderNumber), [
      String(order.accountId),
      String(marketId),
      order.clientOrderId,
      order.side,
      order.type,
      order.timeInForce,
      price(marketId, order.price),
      order.priceMatch,
      lots(marketId, order.quantity),
      lots(marketId, order.filledQuantity),
      formatAmount(order.filledQuote),
      order.status,
      price(marketId, order.stopPrice),
      order.triggerPriceKind,
      textOf(order.callback),
      String(order.isReduceOnly),
      textOf(order.goodTill),
      textOf(order.parentOrderNumber),
      String(order.isAlgo),
      order.origin,
      end,
      textOf(order.triggeredAt),
      String(order.createdAt),
      last,
    ]);
  }

  #amend(before: FuturesOrder | undefined, after: FuturesOrder, at: string, last: string): void {
    const { marketId } = after;
    const prices = [price(marketId, before?.price ?? null), price(marketId, after.price)];
    const sums = [lots(marketId, before?.quantity ?? 0), lots(marketId, after.quantity)];
    this.#set('amendments', null, [String(after.orderNumber), ...prices, ...sums, at, last]);
  }

  #trade(
    trade: Extract<EngineEvent, { trade: { maker: object } }>['trade'],
    at: string,
    last: string,
  ): void {
    const { maker, taker, marketId, quoteAmount, takerSide } = trade;
    this.#set('trades', String(trade.tradeNumber), [
      String(trade.tradeId),
      String(marketId),
      price(marketId, trade.price),
      lots(marketId, trade.quantity),
      formatAmount(quoteAmount),
      takerSide,
      trade.isOffBook ? 'true' : 'false',
      String(maker.orderNumber),
      String(taker.orderNumber),
      String(maker.accountId),
      String(taker.accountId),
      formatAmount(maker.fee),
      formatAmount(taker.fee),
      formatAmount(maker.realizedProfit),
      formatAmount(taker.realizedProfit),
      at,
      last,
    ]);
    const hour = Math.floor(Number(at) / 3_600_000) * 3_600_000;
    for (const { accountId } of [maker, taker]) {
      const key = `${accountId} ${hour}`;
      this.#volumes.set(key, (this.#volumes.get(key) ?? 0n) + quoteAmount);
    }
    if (trade.isOffBook) return;
    for (const interval of klineIntervals) {
      const key = `${marketId} ${interval} ${klineOpenTime(interval, Number(at))}`;
      const candle = this.#candles.get(key) ?? { prices: [], sums: [0n, 0n, 0n, 0n], count: 0 };
      this.#candles.set(key, candle);
      const volume = BigInt(trade.quantity);
      candle.prices.push(trade.price);
      candle.sums[0] += volume;
      candle.sums[1] += quoteAmount;
      if (takerSide === 'buy') candle.sums[2] += volume;
      if (takerSide === 'buy') candle.sums[3] += quoteAmount;
      candle.count += 1;
    }
  }

  #earn(
    [type, account, market, amount, held]: readonly [
      string,
      number,
      number | null,
      bigint,
      string | null,
    ],
    at: string,
    sequence: number,
  ): void {
    const place = String(this.#income.length).padStart(9, '0');
    const key = `${String(sequence).padStart(9, '0')} ${type} ${place}`;
    const sum = formatAmount(amount as Amount);
    const row = [String(account), type, textOf(market), sum, held, at, String(sequence)];
    this.#income.push({ key, row });
  }
}

function candleRow([key, { prices, sums, count }]: readonly [string, Candle]): Row {
  const marketId = Number(key.split(' ', 1)[0]);
  const ends = [prices[0] ?? 0, Math.max(...prices), Math.min(...prices), prices.at(-1) ?? 0];
  const [volume, quote, buyVolume, buyQuote] = sums;
  const volumes = [lots(marketId, volume), formatAmount(quote as Amount)];
  const bought = [lots(marketId, buyVolume), formatAmount(buyQuote as Amount)];
  return [key, ...ends.map((end) => price(marketId, end)), ...volumes, ...bought, String(count)];
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}
