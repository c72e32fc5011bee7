import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { btcMarket, ethMarket, FuturesOutcomes } from '../../../test/support/futures-outcomes.ts';
import { InvalidCursorError } from '../../application/ports/database.ts';
import type {
  FuturesHistory,
  FuturesOrderFilter,
  FuturesTradeFilter,
  IncomeEntry,
  IncomeFilter,
  PastFuturesOrder,
} from '../../application/ports/futures-history.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type {
  AccountId,
  OrderNumber,
  Sequence,
  TimestampMs,
  TradeId,
} from '../../domain/identifiers.ts';
import { clearedAmount } from '../../domain/insurance.ts';
import type { AppliedCommand, EngineEvent } from '../../engine/events.ts';
import { projections } from '../projections/registry.ts';
import { Directory } from '../projector/directory.ts';
import { writeBatch } from '../projector/write-batch.ts';
import { DatabaseFuturesHistory } from './futures-history.ts';

let test: TestDatabase;
let history: FuturesHistory;
const flow = new FuturesOutcomes({ seed: 23 });
flow.open();
flow.stepMsMax = 60_000;
flow.trade(400);
const account = 2 as AccountId;

beforeAll(async () => {
  test = await openTestDatabase();
  const client = await test.database.projector.connect();
  const directory = await Directory.load(client);
  await writeBatch({ client, directory, projections }, 0 as Sequence, flow.outcomes);
  client.release();
  history = new DatabaseFuturesHistory(test.database.reads);
});
afterAll(async () => {
  await test.close();
});

interface Placed<E> {
  readonly event: E;
  readonly outcome: AppliedCommand;
}

function eventsOf<T extends EngineEvent['type']>(
  type: T,
): readonly Placed<Extract<EngineEvent, { type: T }>>[] {
  return flow.outcomes.flatMap((outcome) =>
    outcome.events.flatMap((event) =>
      event.type === type ? [{ event: event as Extract<EngineEvent, { type: T }>, outcome }] : [],
    ),
  );
}

/** The final state of the account's orders, oldest first. */
function ownOrders(): readonly PastFuturesOrder[] {
  const last = new Map<OrderNumber, PastFuturesOrder>();
  for (const { event } of eventsOf('futuresOrderUpdated')) {
    const { order, end } = event;
    if (order.accountId === account) last.set(order.orderNumber, { ...order, end });
  }
  return [...last.values()].sort((left, right) => left.orderNumber - right.orderNumber);
}

/** The trades on the book of BTCUSDT, oldest first. */
function marketTrades() {
  return eventsOf('futuresTradeExecuted').filter(
    ({ event: { trade } }) => trade.marketId === btcMarket.marketId && !trade.isOffBook,
  );
}

const middle = (): number => flow.outcomes[200]?.timestamp ?? 0;
const noSpan = { startTime: null, endTime: null };
const firstPage = { limit: 1_000, cursor: null, offset: 0 };

function orderFilter(change: Partial<FuturesOrderFilter> = {}): FuturesOrderFilter {
  const base = { accountId: account, marketId: null, statuses: null, isTrigger: null } as const;
  const rest = { forcedBy: null, from: null, order: 'newest_first' } as const;
  return { ...base, ...rest, ...noSpan, ...firstPage, ...change };
}

function tradeFilter(change: Partial<FuturesTradeFilter> = {}): FuturesTradeFilter {
  const base = { accountId: account, marketId: null, orderNumber: null, from: null } as const;
  return { ...base, order: 'newest_first', ...noSpan, ...firstPage, ...change };
}

describe('listOrders', () => {
  it.each([
    ['all', {}, () => true],
    ['of a market', { marketId: ethMarket.marketId }, (order) => order.marketId === 1],
    ['filled', { statuses: ['filled'] }, (order) => order.status === 'filled'],
    ['triggers', { isTrigger: true }, (order) => order.type === 'stop'],
    ['no triggers', { isTrigger: false }, (order) => order.type === 'limit'],
    ['forced', { forcedBy: 'any' }, (order) => order.origin !== 'user'],
    ['liquidations', { forcedBy: 'liquidation' }, (order) => order.origin === 'liquidation'],
    ['from a number', { from: 300 as OrderNumber }, (order) => order.orderNumber >= 300],
    ['until a time', { endTime: middle() }, (order) => order.createdAt <= middle()],
    ['from a time', { startTime: middle() }, (order) => order.createdAt >= middle()],
  ] as const satisfies readonly (readonly [
    string,
    Partial<FuturesOrderFilter>,
    (order: FuturesOrder) => boolean,
  ])[])('listOrders: %s, in both directions and counted', async (_name, change, isMeant) => {
    const expected = ownOrders().filter(isMeant);
    expect(expected.length).toBeGreaterThan(3);
    const oldest = await history.listOrders(orderFilter({ ...change, order: 'oldest_first' }));
    expect(oldest).toEqual({ items: expected, nextCursor: null });
    const newest = await history.listOrders(orderFilter(change));
    expect(newest.items).toEqual(expected.toReversed());
    expect(await history.countOrders(orderFilter({ ...change, limit: 1 }))).toBe(expected.length);
  });

  it.each(['newest_first', 'oldest_first'] as const)(
    'listOrders: pages by cursor hold every order once, %s',
    async (order) => {
      const seen: FuturesOrder[] = [];
      let cursor: string | null = null;
      do {
        const page = await history.listOrders(orderFilter({ order, limit: 7, cursor }));
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      const expected = order === 'oldest_first' ? ownOrders() : ownOrders().toReversed();
      expect(seen).toEqual(expected);
    },
  );

  it('listOrders: an offset skips as many', async () => {
    const { items } = await history.listOrders(orderFilter({ limit: 5, offset: 11 }));
    expect(items).toEqual(ownOrders().toReversed().slice(11, 16));
  });

  it('listOrders: a cursor of another list is refused', async () => {
    const { nextCursor } = await history.listTrades(tradeFilter({ limit: 2 }));
    const filter = orderFilter({ cursor: nextCursor });
    await expect(history.listOrders(filter)).rejects.toThrow(InvalidCursorError);
  });

  it('findOrder: by number, and by the newest of a client id', async () => {
    const orders = ownOrders();
    const named = orders.filter((order) => order.clientOrderId === 'NULL').at(-1);
    expect(named).toBeDefined();
    expect(await history.findOrderByClientId(account, 'NULL')).toEqual(named);
    expect(await history.findOrder(orders[5]?.orderNumber as OrderNumber)).toEqual(orders[5]);
    expect(await history.findOrder(999_999 as OrderNumber)).toBeNull();
  });

  it('listAmendments: the terms of an order before and after each', async () => {
    const [first] = eventsOf('futuresOrderUpdated').filter(
      ({ event }) => event.cause === 'amended',
    );
    const number = first?.event.order.orderNumber as OrderNumber;
    const filter = { orderNumber: number, order: 'newest_first', limit: 100 } as const;
    const amendments = await history.listAmendments({ ...filter, ...noSpan });
    expect(amendments.length).toBeGreaterThan(0);
    expect(amendments.map(({ count }) => count)).toEqual(amendments.map((_each, at) => at + 1));
    expect(amendments[0]?.createdAt).toBe(first?.outcome.timestamp);
    expect(amendments[0]?.priceAfter).not.toBeNull();
  });
});

function ownTrades() {
  return eventsOf('futuresTradeExecuted').filter(
    ({ event: { trade } }) =>
      trade.maker.accountId === account || trade.taker.accountId === account,
  );
}

describe('listTrades', () => {
  it("listTrades: of a time range, oldest first, with the caller's role", async () => {
    const filter = tradeFilter({ startTime: middle(), order: 'oldest_first' });
    const { items } = await history.listTrades(filter);
    const expected = ownTrades().filter(({ outcome }) => outcome.timestamp >= middle());
    const numbers = expected.map(({ event }) => event.trade.tradeNumber);
    expect(items.map(({ trade }) => trade.tradeNumber)).toEqual(numbers);
    for (const { event } of expected) {
      const item = items.find(({ trade }) => trade.tradeNumber === event.trade.tradeNumber);
      expect(item?.trade).toEqual(event.trade);
      const role = event.trade.taker.accountId === account ? 'taker' : 'maker';
      expect(item?.role).toBe(role);
    }
  });

  it('listTrades: of one order, and until a time', async () => {
    const some = ownTrades()[10]?.event.trade;
    const own = some?.maker.accountId === account ? some.maker : some?.taker;
    const orderNumber = own?.orderNumber as OrderNumber;
    const ofOrder = await history.listTrades(tradeFilter({ orderNumber }));
    expect(ofOrder.items.map(({ trade }) => trade.tradeNumber)).toContain(some?.tradeNumber);
    const { items } = await history.listTrades(tradeFilter({ endTime: middle() }));
    expect(Math.max(...items.map(({ createdAt }) => createdAt))).toBeLessThanOrEqual(middle());
    const before = ownTrades().filter(({ outcome }) => outcome.timestamp <= middle());
    expect(items).toHaveLength(before.length);
  });

  it('listTrades: of a market from an id on, although other markets use the same ids', async () => {
    const ofMarket = ownTrades().filter(({ event }) => event.trade.marketId === btcMarket.marketId);
    const from = ofMarket[5]?.event.trade.tradeId ?? null;
    const filter = tradeFilter({ marketId: btcMarket.marketId, from, order: 'oldest_first' });
    const { items } = await history.listTrades(filter);
    expect(items.map(({ trade }) => trade)).toEqual(
      ofMarket.slice(5).map(({ event }) => event.trade),
    );
    const beyond = tradeFilter({ ...filter, from: 1_000_000 as TradeId });
    expect((await history.listTrades(beyond)).items).toEqual([]);
  });

  it('listMarketTrades: a market from a trade on, without those off its book', async () => {
    const ofMarket = marketTrades();
    const from = ofMarket[20]?.event.trade.tradeId ?? null;
    const filter = { marketId: btcMarket.marketId, from, ...noSpan };
    const items = await history.listMarketTrades({ ...filter, order: 'oldest_first', limit: 5 });
    expect(items.map(({ trade }) => trade)).toEqual(
      ofMarket.slice(20, 25).map(({ event }) => event.trade),
    );
  });
});

describe('listIncome', () => {
  const filter: IncomeFilter = {
    accountId: account,
    marketId: null,
    type: null,
    ...noSpan,
    order: 'oldest_first',
    limit: 10_000,
    offset: 0,
  };

  function expectedIncome(): readonly string[] {
    const lines: string[] = [];
    for (const { event, outcome } of ownTrades()) {
      for (const party of [event.trade.maker, event.trade.taker]) {
        if (party.accountId !== account) continue;
        const at = outcome.timestamp;
        if (party.fee !== 0n) lines.push(`COMMISSION ${0n - party.fee} ${at}`);
        if (party.realizedProfit !== 0n) lines.push(`REALIZED_PNL ${party.realizedProfit} ${at}`);
      }
    }
    for (const { event, outcome } of eventsOf('fundingPaid')) {
      if (event.accountId !== account) continue;
      lines.push(`FUNDING_FEE ${event.amount} ${outcome.timestamp}`);
    }
    for (const { event, outcome } of eventsOf('fundsTransferred')) {
      if (event.accountId !== account || event.isRepeated) continue;
      const amount = event.direction === 'spot_to_perp' ? event.amount : 0n - event.amount;
      lines.push(`TRANSFER ${amount} ${outcome.timestamp}`);
    }
    for (const { event, outcome } of eventsOf('insuranceFundChanged')) {
      if (event.accountId !== account) continue;
      const amount = clearedAmount(event);
      if (amount !== 0n) lines.push(`INSURANCE_CLEAR ${amount} ${outcome.timestamp}`);
    }
    return lines.sort();
  }

  const lineOf = ({ type, amount, createdAt }: IncomeEntry): string =>
    `${type} ${amount} ${createdAt}`;

  it('listIncome: combines fees, funding and realized profit, each entry once', async () => {
    const entries = await history.listIncome(filter);
    expect(entries.map(lineOf).sort()).toEqual(expectedIncome());
    const times = entries.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    const keys = new Set(entries.map(({ type, id }) => `${type} ${id}`));
    expect(keys.size).toBe(entries.length);
  });

  it.each(['COMMISSION', 'FUNDING_FEE', 'TRANSFER'] as const)(
    'listIncome: only %s, in a span of time, page by page',
    async (type) => {
      const span = { startTime: middle() - 3_600_000, endTime: middle() + 3_600_000 };
      const whole = await history.listIncome({ ...filter, ...span, type });
      const all = await history.listIncome({ ...filter, type });
      const isInSpan = ({ createdAt }: IncomeEntry): boolean =>
        createdAt >= span.startTime && createdAt <= span.endTime;
      expect(whole).toEqual(all.filter(isInSpan));
      expect(whole.length).toBeGreaterThan(2);
      const paged = await history.listIncome({ ...filter, ...span, type, limit: 2, offset: 1 });
      expect(paged).toEqual(whole.slice(1, 3));
    },
  );
});

describe('market data', () => {
  it('listTickers: the 24 hours before now', async () => {
    const now = flow.time as TimestampMs;
    const tickers = await history.listTickers([9 as never, btcMarket.marketId], now);
    const ticker = tickers.get(btcMarket.marketId);
    expect([...tickers.keys()]).toEqual([btcMarket.marketId]);
    const trades = marketTrades().filter(({ outcome }) => outcome.timestamp >= now - 86_400_000);
    expect(ticker?.tradeCount).toBe(trades.length);
    expect(ticker?.firstTradeId).toBe(trades[0]?.event.trade.tradeId);
    expect(ticker?.lastTradeId).toBe(trades.at(-1)?.event.trade.tradeId);
    const last = (trades.at(-1)?.event.trade.price ?? 0) / 10;
    expect(ticker?.lastPrice).toBe(String(last));
  });

  it('listTickers: a day without a trade is flat at the last price', async () => {
    const later = (flow.time + 2 * 86_400_000) as TimestampMs;
    const tickers = await history.listTickers([btcMarket.marketId], later);
    const ticker = tickers.get(btcMarket.marketId);
    expect(ticker).toMatchObject({ volume: '0', tradeCount: 0, firstTradeId: null });
    expect(ticker?.openPrice).toBe(ticker?.lastPrice);
    expect(ticker?.weightedAveragePrice).toBe(ticker?.lastPrice);
  });

  it('listKlines: the taker buy volume never exceeds the volume', async () => {
    const filter = { marketId: btcMarket.marketId, interval: '1h', ...noSpan, limit: 500 } as const;
    const klines = await history.listKlines(filter);
    expect(klines.length).toBeGreaterThan(1);
    const times = klines.map(({ openTime }) => openTime);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    const sum = klines.reduce((total, { tradeCount }) => total + tradeCount, 0);
    expect(sum).toBe(marketTrades().length);
    for (const { volume, takerBuyVolume } of klines) {
      expect(Number(takerBuyVolume)).toBeLessThanOrEqual(Number(volume));
    }
  });

  it('listFundingRates: by time, as they were charged', async () => {
    const filter = { marketId: btcMarket.marketId, ...noSpan, limit: 1_000 };
    const rates = await history.listFundingRates({ ...filter, order: 'oldest_first' });
    const expected = eventsOf('fundingSettled').filter(({ event }) => event.marketId === 0);
    expect(rates.map(({ fundingRate }) => fundingRate)).toEqual(
      expected.map(({ event }) => event.fundingRate),
    );
  });

  it('listLiquidationSteps: every step, newest first', async () => {
    const steps = await history.listLiquidationSteps(account, 1_000);
    const expected = eventsOf('liquidationProgressed').filter(
      ({ event }) => event.accountId === account,
    );
    const told = steps.map(({ number, stage, step, equity }) => ({ number, stage, step, equity }));
    expect(told.toReversed()).toEqual(
      expected.map(({ event: { number, stage, step, equity } }) => ({
        number,
        stage,
        step,
        equity,
      })),
    );
  });
});
