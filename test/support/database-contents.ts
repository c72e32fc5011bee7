import { expect } from 'vitest';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import type { DatabasePool } from '../../src/database/database-pool.ts';
import { amountScale, formatAmount } from '../../src/domain/amount.ts';
import { decimalScale, formatDecimal, formatScaled } from '../../src/domain/decimal.ts';
import type { AccountId, MarketId, TokenId } from '../../src/domain/identifiers.ts';
import { klineIntervals, klineOpenTime } from '../../src/domain/kline-interval.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type SpotMarket,
} from '../../src/domain/spot-market.ts';
import type { SpotTrade } from '../../src/domain/spot-order.ts';

// The plainest possible fold of outcomes into rows, to compare the tables with: one outcome after
// the other, nothing coalesced, every row a list of texts.

type Row = readonly (string | null)[];
type Rows = ReadonlyMap<string, Row>;

/** What the tables say, row by row, as texts. */
const selections: Readonly<Record<string, string>> = {
  position: `SELECT name, position FROM projector_position`,
  accounts: `SELECT account_id, address, ${millis('created_at')} FROM accounts`,
  tokens: 'SELECT token_id, symbol FROM tokens',
  markets: `SELECT market_id, symbol, tick_size, lot_size, status, updated_sequence
    FROM spot_markets`,
  balances: `SELECT user_address || ' ' || token, available, locked, updated_sequence
    FROM spot_balances`,
  credits: `SELECT sequence, user_address, token, amount, reason, reference, admin_actor,
    ${millis('created_at')} FROM spot_admin_credits`,
  orders: `SELECT order_number, account_id, market_id, client_order_id, side, type, tif, price,
    quantity, quote_quantity, filled_quantity, filled_quote_quantity, status,
    ${millis('created_at')}, ${millis('updated_at')}, updated_sequence FROM spot_orders`,
  trades: `SELECT trade_number, trade_id, market_id, price, quantity, quote_quantity, taker_side,
    maker_order_number, taker_order_number, maker_account_id, taker_account_id, maker_fee,
    taker_fee, ${millis('created_at')}, sequence FROM spot_trades`,
  klines: `SELECT market_id || ' ' || kline_interval || ' ' || ${millis('open_time')}, open, high,
    low, close, trim_scale(volume), trim_scale(quote_volume), trade_count FROM spot_klines`,
  audit: 'SELECT sequence, action FROM admin_audit',
};

function millis(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::bigint`;
}

/** Every table holds exactly what the outcomes say, and no row twice. */
export async function expectDatabaseToHold(
  pool: DatabasePool,
  outcomes: readonly AppliedCommand[],
): Promise<void> {
  const expected = foldOutcomes(outcomes);
  for (const [name, selection] of Object.entries(selections)) {
    const rows = await selectTexts(pool, selection);
    expect(new Set(rows.map(([key]) => key)).size, `${name}: keys`).toBe(rows.length);
    const actual = new Map(rows.map((row) => [String(row[0]), row]));
    expect(sorted(actual), name).toEqual(sorted(expected[name] ?? new Map()));
  }
}

async function selectTexts(pool: DatabasePool, selection: string): Promise<Row[]> {
  return pool.withClient(async (client) => {
    const result = await client.query<(string | number | null)[]>({
      text: selection,
      rowMode: 'array',
    });
    return result.rows.map((row) => row.map((value) => (value === null ? null : String(value))));
  });
}

function sorted(rows: Rows): readonly Row[] {
  return [...rows.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, row]) => row);
}

function foldOutcomes(outcomes: readonly AppliedCommand[]): Readonly<Record<string, Rows>> {
  const fold = new OutcomeFold();
  for (const outcome of outcomes) fold.add(outcome);
  fold.tables['position']?.set('exchange', ['exchange', String(outcomes.at(-1)?.sequence ?? 0)]);
  return fold.tables;
}

interface Candle {
  readonly prices: bigint[];
  volume: bigint;
  quoteVolume: bigint;
}

class OutcomeFold {
  readonly tables: Readonly<Record<string, Map<string, Row>>> = Object.fromEntries(
    Object.keys(selections).map((name) => [name, new Map<string, Row>()]),
  );
  readonly #addresses = new Map<AccountId, string>();
  readonly #tokens = new Map<TokenId, string>();
  readonly #markets = new Map<MarketId, SpotMarket>();
  readonly #candles = new Map<string, Candle>();

  add({ sequence, timestamp, events }: AppliedCommand): void {
    for (const event of events) {
      if (event.type === 'accountOpened') {
        this.#addresses.set(event.accountId, event.address);
        this.#put('accounts', [event.accountId, event.address, timestamp]);
      } else if (event.type === 'tokenAdded') {
        this.#tokens.set(event.tokenId, event.symbol);
        this.#put('tokens', [event.tokenId, event.symbol]);
      } else if (event.type === 'spotMarketCreated') {
        this.#markets.set(event.market.marketId, event.market);
        this.#putMarket(event.market, sequence);
        this.#put('audit', [sequence, 'create_spot_market']);
      } else if (event.type === 'spotMarketStatusChanged') {
        const market = { ...this.#market(event.marketId), status: event.status };
        this.#putMarket(market, sequence);
        this.#put('audit', [sequence, 'set_spot_market_status']);
      } else if (event.type === 'balanceChanged') {
        const key = `${this.#addresses.get(event.accountId)} ${this.#tokens.get(event.tokenId)}`;
        const amounts = [formatAmount(event.available), formatAmount(event.locked)];
        this.#put('balances', [key, ...amounts, sequence]);
      } else if (event.type === 'balanceCredited') {
        const to = [this.#addresses.get(event.accountId), this.#tokens.get(event.tokenId)];
        const words = [event.reason, event.reference, event.actor];
        this.#put('credits', [sequence, ...to, formatAmount(event.amount), ...words, timestamp]);
      } else if (event.type === 'spotOrderUpdated') {
        const { order } = event;
        const market = this.#market(order.marketId);
        this.#put('orders', [
          order.orderNumber,
          order.accountId,
          order.marketId,
          order.clientOrderId,
          order.side,
          order.type,
          order.timeInForce,
          order.price === null ? null : formatDecimal(decimalFromTicks(market, order.price)),
          order.quantity === null ? null : formatDecimal(decimalFromLots(market, order.quantity)),
          order.quoteQuantity === null ? null : formatAmount(order.quoteQuantity),
          formatDecimal(decimalFromLots(market, order.filledQuantity)),
          formatAmount(order.filledQuote),
          order.status,
          order.createdAt,
          order.updatedAt,
          sequence,
        ]);
      } else if (event.type === 'spotTradeExecuted') {
        const { trade } = event;
        const market = this.#market(trade.marketId);
        this.#addToCandles(trade, market, timestamp);
        this.#put('trades', [
          trade.tradeNumber,
          trade.tradeId,
          trade.marketId,
          formatDecimal(decimalFromTicks(market, trade.price)),
          formatDecimal(decimalFromLots(market, trade.quantity)),
          formatAmount(trade.quoteAmount),
          trade.takerSide,
          trade.makerOrderNumber,
          trade.takerOrderNumber,
          trade.makerAccountId,
          trade.takerAccountId,
          formatAmount(trade.makerFee),
          formatAmount(trade.takerFee),
          timestamp,
          sequence,
        ]);
      }
    }
  }

  #addToCandles(trade: SpotTrade, market: SpotMarket, moment: number): void {
    for (const interval of klineIntervals) {
      const key = `${trade.marketId} ${interval} ${klineOpenTime(interval, moment)}`;
      const candle = this.#candles.get(key) ?? { prices: [], volume: 0n, quoteVolume: 0n };
      this.#candles.set(key, candle);
      candle.prices.push(decimalFromTicks(market, trade.price));
      candle.volume += decimalFromLots(market, trade.quantity);
      candle.quoteVolume += trade.quoteAmount;
      const { prices } = candle;
      const high = prices.reduce((left, right) => (left > right ? left : right));
      const low = prices.reduce((left, right) => (left < right ? left : right));
      const shown = [prices[0], high, low, prices.at(-1), candle.volume];
      this.#put('klines', [
        key,
        ...shown.map((value) => formatScaled(value ?? 0n, decimalScale)),
        formatScaled(candle.quoteVolume, amountScale),
        prices.length,
      ]);
    }
  }

  #putMarket(market: SpotMarket, sequence: number): void {
    const sizes = [formatDecimal(market.tickSize), formatDecimal(market.lotSize)];
    this.#put('markets', [market.marketId, market.symbol, ...sizes, market.status, sequence]);
  }

  #market(marketId: MarketId): SpotMarket {
    const market = this.#markets.get(marketId);
    if (market === undefined) throw new Error(`no market ${marketId}`);
    return market;
  }

  #put(table: string, row: readonly (string | number | null | undefined)[]): void {
    const texts = row.map((value) =>
      value === null || value === undefined ? null : String(value),
    );
    this.tables[table]?.set(String(row[0]), texts);
  }
}
