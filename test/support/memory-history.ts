import {
  type Candle,
  growCandle,
  openCandle,
  viewCandle,
} from '../../src/application/market-data/candle.ts';
import type {
  KlineView,
  PublicSpotTradeView,
} from '../../src/application/market-data/market-views.ts';
import { DatabaseError, type ReadBarrier } from '../../src/application/ports/database.ts';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import type { KlineFilter, SpotHistory } from '../../src/application/ports/spot-history.ts';
import { formatAmount } from '../../src/domain/amount.ts';
import { formatDecimal } from '../../src/domain/decimal.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';
import { klineOpenTime } from '../../src/domain/kline-interval.ts';
import { decimalFromLots, decimalFromTicks } from '../../src/domain/spot-market.ts';
import type { SpotTrade } from '../../src/domain/spot-order.ts';
import type { ManualExchange } from './manual-exchange.ts';

interface TimedTrade {
  readonly trade: SpotTrade;
  readonly time: number;
}

/** A market's past, from a database that may lag behind or be unreachable. */
export class MemoryHistory implements ReadBarrier {
  isReachable = true;
  /** How often candles were read. */
  readings = 0;
  /** Called between the reading of candles and the next read. */
  afterCandles: () => void = () => {};
  readonly #exchange: ManualExchange;
  readonly #trades: TimedTrade[] = [];
  #arrived: AppliedCommand[] = [];
  #sequence = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void }[] = [];
  isLagging = false;

  constructor(exchange: ManualExchange) {
    this.#exchange = exchange;
    exchange.subscribe((batch) => {
      this.#arrived.push(...batch);
      if (!this.isLagging) this.catchUp();
    });
  }

  catchUp(): void {
    for (const { events, timestamp, sequence } of this.#arrived.splice(0)) {
      for (const event of events) {
        if (event.type !== 'spotTradeExecuted') continue;
        this.#trades.push({ trade: event.trade, time: timestamp });
      }
      this.#sequence = sequence;
    }
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ sequence }) => sequence > this.#sequence);
    for (const { sequence, resolve } of waiting) if (sequence <= this.#sequence) resolve();
  }

  async waitFor(sequence: Sequence): Promise<void> {
    if (!this.isReachable) throw new DatabaseError('out of reach');
    if (sequence <= this.#sequence) return;
    await new Promise<void>((resolve) => this.#waiting.push({ sequence, resolve }));
  }

  readonly history: SpotHistory = {
    listOrders: unused,
    findOrder: unused,
    listTrades: unused,
    listTickers: unused,
    listRecentTrades: async (symbol, limit) =>
      this.#tradesOf(symbol)
        .slice(-limit)
        .reverse()
        .map((trade) => this.#viewTrade(trade)),
    listKlines: async (filter) => {
      const views = this.#candlesOf(filter);
      this.readings += 1;
      this.afterCandles();
      return views;
    },
  };

  #tradesOf(symbol: string): readonly TimedTrade[] {
    const marketId = this.#exchange.engine.findSpotMarket(symbol)?.marketId;
    return this.#trades.filter(({ trade }) => trade.marketId === marketId);
  }

  #candlesOf({ symbol, interval, startTime, limit }: KlineFilter): readonly KlineView[] {
    const market = this.#exchange.engine.findSpotMarket(symbol);
    if (market === null) return [];
    const candles: Candle[] = [];
    for (const { trade, time } of this.#tradesOf(symbol)) {
      const newest = candles.at(-1);
      if (newest?.openTime === klineOpenTime(interval, time)) growCandle(market, newest, trade);
      else candles.push(openCandle(market, interval, trade, time));
    }
    const wanted = candles.filter(({ openTime }) => openTime >= (startTime ?? 0));
    const page = startTime === null ? wanted.slice(-limit) : wanted.slice(0, limit);
    return page.map((candle) => viewCandle(market, interval, candle));
  }

  #viewTrade({ trade, time }: TimedTrade): PublicSpotTradeView {
    const market = this.#exchange.engine.getSpotMarket(trade.marketId);
    return {
      trade_id: String(trade.tradeNumber),
      price: formatDecimal(decimalFromTicks(market, trade.price)),
      quantity: formatDecimal(decimalFromLots(market, trade.quantity)),
      quote_quantity: formatAmount(trade.quoteAmount),
      side: trade.takerSide,
      created_at: new Date(time).toISOString(),
    };
  }
}

async function unused(): Promise<never> {
  throw new Error('the streams do not ask this');
}
