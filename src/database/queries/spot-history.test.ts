import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import { type CursorPage, InvalidCursorError } from '../../application/ports/database.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import type { SpotHistory } from '../../application/ports/spot-history.ts';
import {
  type SpotOrderView,
  type SpotTradeView,
  viewSpotFill,
  viewSpotOrder,
} from '../../application/trading/spot-views.ts';
import { formatAmount } from '../../domain/amount.ts';
import { formatScaled } from '../../domain/decimal.ts';
import type { AccountId, Address, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import { klineCloseTime, klineIntervals, klineOpenTime } from '../../domain/kline-interval.ts';
import { formatOrderId } from '../../domain/order-id.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../domain/spot-order.ts';
import { createDatabaseServices } from '../database-services.ts';

// One database full of random trading; every answer is compared with what the outcomes say.

interface PlacedTrade {
  readonly trade: SpotTrade;
  readonly moment: number;
}

let test: TestDatabase;
let history: SpotHistory;
let flow: SpotFlow;
const orders = new Map<OrderNumber, SpotOrder>();
const trades: PlacedTrade[] = [];
const symbols = ['BTCUSDT', 'DFUSDT'] as const;

beforeAll(async () => {
  test = await openTestDatabase();
  // Hours between commands spread the trades over weeks and months.
  flow = new SpotFlow({ seed: 11, accounts: 4 });
  const outcomes = new MemoryOutcomeLog();
  const { database } = test;
  const services = createDatabaseServices({
    database,
    outcomes,
    journalEnd: () => outcomes.last,
    secretsKey: '0'.repeat(64),
    barrierTimeoutMs: 30_000,
  });
  flow.stepMsMax = 5 * 3_600_000;
  const applied: AppliedCommand[] = [...flow.open(), ...flow.trade(600)];
  // A busy end, with many trades a minute.
  flow.stepMsMax = 10_000;
  applied.push(...flow.trade(500));
  outcomes.append(...applied);
  collect(applied);
  services.start();
  await services.barrier.waitFor(outcomes.last);
  await services.stop();
  history = services.history;
});
afterAll(async () => {
  await test.close();
});

function collect(applied: readonly AppliedCommand[]): void {
  for (const { events, timestamp } of applied) {
    for (const event of events) {
      if (event.type === 'spotOrderUpdated') orders.set(event.order.orderNumber, event.order);
      if (event.type === 'spotTradeExecuted') {
        trades.push({ trade: event.trade, moment: timestamp });
      }
    }
  }
}

function marketOf(marketId: SpotMarket['marketId']): SpotMarket {
  return flow.engine.getSpotMarket(marketId);
}

const filters = fc.record({
  account: fc.integer({ min: 1, max: 4 }),
  symbol: fc.constantFrom(null, ...symbols),
  limit: fc.integer({ min: 1, max: 500 }),
});

async function readAll<T>(
  limit: number,
  page: (cursor: string | null) => Promise<CursorPage<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const { items: more, nextCursor } = await page(cursor);
    expect(more.length).toBeLessThanOrEqual(limit);
    items.push(...more);
    if (nextCursor === null) return items;
    expect(more).toHaveLength(limit);
    cursor = nextCursor;
  }
}

describe('listOrders', () => {
  const statuses = fc.constantFrom(null, 'new', 'filled', 'canceled', 'expired');

  it('listOrders: the pages together are all matching orders, newest first, as the engine shows them', async () => {
    await fc.assert(
      fc.asyncProperty(filters, statuses, async ({ account, symbol, limit }, status) => {
        const address = flowAddress(account);
        const listed = await readAll<SpotOrderView>(limit, (cursor) =>
          history.listOrders({ address, symbol, status, clientOrderId: null, limit, cursor }),
        );
        const expected = [...orders.values()]
          .filter((order) => order.accountId === (account as AccountId))
          .filter((order) => symbol === null || marketOf(order.marketId).symbol === symbol)
          .filter((order) => status === null || order.status === status)
          .sort((left, right) => right.orderNumber - left.orderNumber)
          .map((order) => viewSpotOrder(order, marketOf(order.marketId)));
        expect(listed).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('listOrders: an address without an account and an unknown market have none', async () => {
    const filter = { symbol: null, status: null, clientOrderId: null, limit: 10, cursor: null };
    const nobody = await history.listOrders({ ...filter, address: flowAddress(99) });
    expect(nobody).toEqual({ items: [], nextCursor: null });
    const nowhere = await history.listOrders({
      ...filter,
      address: flowAddress(1),
      symbol: 'NONE',
    });
    expect(nowhere).toEqual({ items: [], nextCursor: null });
  });

  it('findOrder: an order with its owner, and null if there is none', async () => {
    for (const order of [...orders.values()].slice(0, 50)) {
      const owner = flow.engine.getAddress(order.accountId);
      const view = viewSpotOrder(order, marketOf(order.marketId));
      expect(await history.findOrder(order.orderNumber)).toEqual({ owner, order: view });
    }
    expect(await history.findOrder(1_000_000 as OrderNumber)).toBeNull();
  });
});

describe('cursors', () => {
  const address = flowAddress(1);

  it.each([
    ['empty', ''],
    ['no base64url', '!!!!'],
    ['padded', 'b3JkZXJzOjM0Nw=='],
    ['with stray bits', 'b3JkZXJzOjM0Nx'],
    ['of zero', Buffer.from('orders:0').toString('base64url')],
    ['negative', Buffer.from('orders:-1').toString('base64url')],
    ['with a leading zero', Buffer.from('orders:07').toString('base64url')],
    ['beyond 2^53', Buffer.from('orders:9007199254740993').toString('base64url')],
    ['a fraction', Buffer.from('orders:1.5').toString('base64url')],
    ['with an exponent', Buffer.from('orders:1e3').toString('base64url')],
    ['hexadecimal', Buffer.from('orders:0x10').toString('base64url')],
    ['of another list', Buffer.from('trades:347').toString('base64url')],
    ['with SQL', Buffer.from("orders:1' OR 1=1").toString('base64url')],
    ['very long', 'A'.repeat(5_000)],
  ])('cursor %s: refused', async (_name, cursor) => {
    const filter = { address, symbol: null, status: null, clientOrderId: null, limit: 10, cursor };
    await expect(history.listOrders(filter)).rejects.toBeInstanceOf(InvalidCursorError);
  });

  it('cursor: a cursor for orders is refused for trades', async () => {
    const { nextCursor } = await history.listOrders({
      address,
      symbol: null,
      status: null,
      clientOrderId: null,
      limit: 1,
      cursor: null,
    });
    const filter = { address, symbol: null, limit: 1, cursor: nextCursor };
    await expect(history.listTrades(filter)).rejects.toBeInstanceOf(InvalidCursorError);
  });

  it('cursor: every text is accepted or refused, and never causes a database error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 80 }), async (cursor) => {
        const page = history.listTrades({ address, symbol: null, limit: 1, cursor });
        await expect(page).rejects.toBeInstanceOf(InvalidCursorError);
      }),
      { numRuns: 200 },
    );
  });
});

describe('listTrades', () => {
  it("listTrades: the pages together are all of the caller's trades, newest first", async () => {
    await fc.assert(
      fc.asyncProperty(filters, async ({ account, symbol, limit }) => {
        const address = flowAddress(account);
        const listed = await readAll<SpotTradeView>(limit, (cursor) =>
          history.listTrades({ address, symbol, limit, cursor }),
        );
        expect(listed).toEqual(expectedTrades(address, symbol));
      }),
      { numRuns: 30 },
    );
  });

  it('listRecentTrades: the newest of the market, newest first', async () => {
    for (const symbol of symbols) {
      const recent = await history.listRecentTrades(symbol, 20);
      const expected = trades
        .filter(({ trade }) => marketOf(trade.marketId).symbol === symbol)
        .slice(-20)
        .reverse()
        .map(({ trade, moment }) => {
          const { trade_id, price, quantity } = viewSpotFill(
            trade,
            marketOf(trade.marketId),
            'taker',
          );
          return {
            trade_id,
            price,
            quantity,
            side: trade.takerSide,
            quote_quantity: formatAmount(trade.quoteAmount),
            created_at: new Date(moment).toISOString(),
          };
        });
      expect(recent).toEqual(expected);
    }
    expect(await history.listRecentTrades('NONE', 20)).toEqual([]);
  });
});

function expectedTrades(address: Address, symbol: string | null): readonly SpotTradeView[] {
  const accountId = flow.engine.findAccount(address);
  return trades
    .filter(({ trade }) =>
      [trade.makerAccountId, trade.takerAccountId].includes(accountId ?? (0 as AccountId)),
    )
    .filter(({ trade }) => symbol === null || marketOf(trade.marketId).symbol === symbol)
    .reverse()
    .map(({ trade, moment }) => {
      const market = marketOf(trade.marketId);
      const isTaker = trade.takerAccountId === accountId;
      const orderNumber = isTaker ? trade.takerOrderNumber : trade.makerOrderNumber;
      const createdAt = isTaker ? trade.takerOrderCreatedAt : trade.makerOrderCreatedAt;
      const other = trade.takerSide === 'buy' ? 'sell' : 'buy';
      return {
        ...viewSpotFill(trade, market, isTaker ? 'taker' : 'maker'),
        order_id: formatOrderId({ orderNumber, createdAt }),
        symbol: market.symbol,
        side: isTaker ? trade.takerSide : other,
        quote_quantity: formatAmount(trade.quoteAmount),
        created_at: new Date(moment).toISOString(),
      };
    });
}

/** Prices and sums of trades in order, in 10^-18 and 10^-8; null without any. */
function summarize(part: readonly PlacedTrade[]) {
  const [first] = part;
  const last = part.at(-1);
  if (first === undefined || last === undefined) return null;
  const priceOf = ({ trade }: PlacedTrade) =>
    decimalFromTicks(marketOf(trade.marketId), trade.price) as bigint;
  const prices = part.map(priceOf);
  return {
    open: priceOf(first),
    close: priceOf(last),
    high: prices.reduce((left, right) => (left > right ? left : right)),
    low: prices.reduce((left, right) => (left < right ? left : right)),
    volume: part.reduce(
      (sum, { trade }) => sum + decimalFromLots(marketOf(trade.marketId), trade.quantity),
      0n,
    ),
    quoteVolume: part.reduce((sum, { trade }) => sum + trade.quoteAmount, 0n),
    count: part.length,
  };
}

const decimal = (value: bigint): string => formatScaled(value, 18);

describe('listKlines', () => {
  const moments = fc.option(fc.integer({ min: 0, max: 300 * 86_400_000 }), { nil: null });

  it('listKlines: the candles equal those computed from the trades, for any interval and window', async () => {
    const start = trades[0]?.moment ?? 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...klineIntervals),
        fc.constantFrom(...symbols),
        moments,
        moments,
        fc.integer({ min: 1, max: 400 }),
        async (interval, symbol, from, to, limit) => {
          const startTime = from === null ? null : start + from - 86_400_000;
          const endTime = to === null ? null : start + to;
          const listed = await history.listKlines({ symbol, interval, startTime, endTime, limit });
          const groups = new Map<number, PlacedTrade[]>();
          for (const placed of trades) {
            if (marketOf(placed.trade.marketId).symbol !== symbol) continue;
            const open = klineOpenTime(interval, placed.moment);
            groups.set(open, [...(groups.get(open) ?? []), placed]);
          }
          const expected = [...groups.keys()]
            .filter((open) => startTime === null || open >= startTime)
            .filter((open) => endTime === null || open <= endTime);
          const cut = startTime === null ? expected.slice(-limit) : expected.slice(0, limit);
          expect(listed).toEqual(
            cut.map((open) => {
              const sum = summarize(groups.get(open) ?? []);
              return {
                open_time: open,
                close_time: klineCloseTime(interval, open),
                open: decimal(sum?.open ?? 0n),
                high: decimal(sum?.high ?? 0n),
                low: decimal(sum?.low ?? 0n),
                close: decimal(sum?.close ?? 0n),
                volume: decimal(sum?.volume ?? 0n),
                quote_volume: formatScaled(sum?.quoteVolume ?? 0n, 8),
                trade_count: sum?.count ?? 0,
              };
            }),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('listTickers', () => {
  it('listTickers: exactly the trades of the 24 hours before that moment', async () => {
    const last = trades.at(-1)?.moment ?? 0;
    const sinceLast = fc.oneof(
      fc.integer({ min: 0, max: 86_400_000 }),
      // The day begins amid the busy minutes.
      fc.integer({ min: 84_000_000, max: 86_400_000 }),
      fc.constantFrom(0, 86_400_000, 86_400_001, 200 * 86_400_000),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...symbols), sinceLast, async (symbol, later) => {
        const now = (last + later) as TimestampMs;
        const own = trades.filter(({ trade }) => marketOf(trade.marketId).symbol === symbol);
        const close = summarize(own)?.close ?? 0n;
        const day = summarize(own.filter(({ moment }) => moment >= now - 86_400_000));
        const open = day?.open ?? close;
        const thousandths = ((close - open) * 200_000n) / open;
        const half = thousandths < 0n ? thousandths - 1n : thousandths + 1n;
        const tickers = await history.listTickers(symbols, now);
        expect(tickers.get(symbol)).toEqual({
          last_price: decimal(close),
          open_price: decimal(open),
          high_price: decimal(day?.high ?? close),
          low_price: decimal(day?.low ?? close),
          price_change: decimal(close - open),
          price_change_percent: formatScaled(half / 2n, 3),
          volume: decimal(day?.volume ?? 0n),
          quote_volume: formatScaled(day?.quoteVolume ?? 0n, 8),
          trade_count: day?.count ?? 0,
          open_time: new Date(now - 86_400_000).toISOString(),
          close_time: new Date(now).toISOString(),
        });
      }),
      { numRuns: 60 },
    );
  });

  it('listTickers: none before the first trade, and none for an unknown market', async () => {
    expect(await history.listTickers(['NONE'], flow.time as TimestampMs)).toEqual(new Map());
  });
});
