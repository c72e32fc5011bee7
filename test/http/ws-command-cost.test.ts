import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppliedCommand, EngineEvent } from '../../src/application/ports/exchange.ts';
import type { OrderNumber } from '../../src/domain/identifiers.ts';
import { describeForAccounts } from '../../src/gateway/ws/futures/account-events.ts';
import { spotAccountEvents } from '../../src/gateway/ws/spot/spot-account-events.ts';
import { FuturesFixture, futuresMarketId } from '../support/futures-fixture.ts';
import { ManualExchange } from '../support/manual-exchange.ts';
import { futuresOf } from '../support/order-entry-fixture.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

// What one command costs the streams grows with its events, not with their square.

const makers = 100;
/** Far below one read for each of the orders. */
const readsPerTradeMax = 16;

/** Counts how often anybody reads which orders a trade belongs to, or an event's order. */
class ReadCounter {
  reads = 0;

  watch<T extends object>(target: T, keys: readonly string[]): T {
    return new Proxy(target, {
      get: (object, key) => {
        if (keys.includes(String(key))) this.reads += 1;
        return Reflect.get(object, key);
      },
    });
  }

  watchTrades(applied: AppliedCommand): AppliedCommand {
    const events = applied.events.map((event): EngineEvent => {
      if (event.type === 'spotTradeExecuted') {
        const trade = this.watch(event.trade, ['makerOrderNumber', 'takerOrderNumber']);
        return { ...event, trade };
      }
      if (event.type !== 'futuresTradeExecuted') return event;
      return { ...event, trade: this.watch(event.trade, ['maker', 'taker']) };
    });
    return { ...applied, events };
  }
}

class WatchedExchange extends ManualExchange {
  readonly counter = new ReadCounter();

  override subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void {
    return super.subscribe((batch) =>
      listener(batch.map((applied) => this.counter.watchTrades(applied))),
    );
  }
}

let exchange: WatchedExchange;
let running: StreamServer;

beforeEach(async () => {
  exchange = new WatchedExchange();
  exchange.addMarket('BTCUSDT');
  running = await startStreamServer({ exchange });
});

afterEach(async () => {
  await running.stop();
});

function times<T>(count: number, value: T): readonly T[] {
  return Array.from({ length: count }, () => value);
}

interface ToldOrder {
  readonly status: string;
  readonly fills: readonly unknown[];
}

async function watchOrders(): Promise<StreamClient> {
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  client.send({ type: 'subscribe', channel: 'orders' });
  await client.nextOf('snapshot');
  return client;
}

test('orders: a spot order that meets a hundred reads each trade a few times', async () => {
  const maker = exchange.addTrader(1);
  const taker = exchange.addTrader(2);
  for (let at = 0; at < makers; at += 1) {
    exchange.place({ accountId: maker, side: 'sell', price: 100_000 + at, quantity: 1 });
  }
  const client = await watchOrders();
  exchange.counter.reads = 0;
  exchange.place({ accountId: taker, side: 'buy', price: 200_000, quantity: makers });
  const { data } = await client.nextOf('update');
  const orders = data as readonly ToldOrder[];
  expect(orders.map(({ status }) => status)).toEqual(times(makers, 'filled'));
  expect(orders.map(({ fills }) => fills)).toMatchObject(
    orders.map((_, at) => [{ price: String(1_000 + at / 100), role: 'maker' }]),
  );
  expect(exchange.counter.reads).toBeLessThan(makers * readsPerTradeMax);
});

test('orders: a perpetual order that meets a hundred reads each trade a few times', async () => {
  const futures = futuresOf(exchange);
  const maker = futures.fund(1, 100_000);
  const taker = futures.fund(2, 100_000);
  futures.setIndex(30_000);
  for (let at = 0; at < makers; at += 1) {
    futures.place(maker, 'sell', { price: 30_001 + at, quantity: 0.001 });
  }
  const client = await watchOrders();
  exchange.counter.reads = 0;
  futures.place(taker, 'buy', { price: 30_200, quantity: 0.001 * makers });
  const { data } = await client.nextOf('update');
  const orders = data as readonly ToldOrder[];
  expect(orders.map(({ fills }) => fills)).toMatchObject(
    orders.map((_, at) => [{ price: String(30_001 + at), role: 'maker' }]),
  );
  expect(orders).toHaveLength(makers);
  expect(exchange.counter.reads).toBeLessThan(makers * readsPerTradeMax);
});

test('user events: a spot order that meets a hundred reads each trade a few times', () => {
  const maker = exchange.addTrader(1);
  const taker = exchange.addTrader(2);
  for (let at = 0; at < makers; at += 1) {
    exchange.place({ accountId: maker, side: 'sell', price: 100_000 + at, quantity: 1 });
  }
  const order = { accountId: taker, side: 'buy', price: 200_000, quantity: makers } as const;
  const applied = exchange.place(order);
  const describe = spotAccountEvents({
    feed: { getMarket: (marketId) => exchange.engine.getSpotMarket(marketId) },
    tokenSymbol: (tokenId) => exchange.engine.getTokenSymbol(tokenId),
  });
  const counter = new ReadCounter();
  const told = describe(counter.watchTrades(applied), () => true);
  const reportsOf = (accountId: number) =>
    [...told]
      .filter(([id]) => id === accountId)
      .flatMap(([, events]) => events)
      .filter(({ event }) => event === 'executionReport')
      .map(({ fields }) => [fields['x'], fields['X']].join(' '));
  expect(reportsOf(maker)).toEqual(times(makers, 'TRADE FILLED'));
  expect(reportsOf(taker)).toEqual([
    'NEW NEW',
    ...times(makers - 1, 'TRADE PARTIALLY_FILLED'),
    'TRADE FILLED',
  ]);
  expect(counter.reads).toBeLessThan(makers * readsPerTradeMax);
});

test('user events: each of a hundred orders that trigger together is read a few times', () => {
  const futures = new FuturesFixture();
  futures.setIndex(30_000);
  const trader = futures.fund(1, 10_000);
  const terms = { orderType: 'stop_market', isAlgo: true, triggerPriceKind: 'mark' } as const;
  futures.place(trader, 'buy', { ...terms, stopPrice: 30_100, quantity: 0.2 });
  const fired = [...futures.setIndex(30_150), ...futures.advance(0)].find(
    (event) => event.type === 'futuresOrderUpdated' && event.cause === 'triggered',
  );
  if (fired?.type !== 'futuresOrderUpdated') throw new Error('the order did not trigger');
  const counter = new ReadCounter();
  const events = Array.from({ length: makers }, (_, at) => {
    const order = { ...fired.order, orderNumber: (fired.order.orderNumber + at) as OrderNumber };
    return counter.watch({ ...fired, order }, ['order']);
  });
  const applied = { ...futures.apply({ type: 'advanceTime' }), events };
  const told = describeForAccounts(
    applied,
    {
      getMarket: () => futures.engine.futures.getFuturesMarket(futuresMarketId),
      getMarkPrice: () => null,
      getOpenNotional: (id, marketId) => futures.engine.futures.getOpenNotional(id, marketId),
    },
    () => true,
  );
  expect(told.get(trader)?.map(({ event }) => event)).toEqual(
    times(makers, ['ALGO_UPDATE', 'ALGO_UPDATE', 'ORDER_TRADE_UPDATE']).flat(),
  );
  expect(counter.reads).toBeLessThan(makers * readsPerTradeMax);
});
