import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createDatabaseServices,
  type DatabaseServices,
} from '../../src/database/database-services.ts';
import type { AccountId, TimestampMs } from '../../src/domain/identifiers.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { MemoryOutcomeLog } from '../support/outcomes.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

// The streams with the database's own notices and history behind them.

let database: TestDatabase;
let services: DatabaseServices;
let exchange: ManualExchange;
let running: StreamServer;
let traders: readonly [AccountId, AccountId];

const symbol = 'BTCUSDT';

function trade(price: number, quantity: number): void {
  exchange.place({ accountId: traders[1], side: 'sell', price, quantity });
  exchange.place({ accountId: traders[0], side: 'buy', price, quantity });
}

beforeEach(async () => {
  database = await openTestDatabase();
  const outcomes = new MemoryOutcomeLog();
  exchange = new ManualExchange();
  exchange.subscribe((batch) => outcomes.append(...batch));
  services = createDatabaseServices({
    database: database.database,
    outcomes,
    journalEnd: () => outcomes.last,
    secretsKey: '0'.repeat(64),
    barrierTimeoutMs: 30_000,
  });
  services.start();
  exchange.addMarket(symbol);
  traders = [exchange.addTrader(1), exchange.addTrader(2)];
  trade(10_000, 1_500);
  exchange.time += 90_000;
  trade(10_100, 500);
  running = await startStreamServer({
    exchange,
    clock: new ManualClock(exchange.time),
    balanceFeed: services.balances,
    history: { history: services.history, barrier: services.barrier },
  });
});

afterEach(async () => {
  await running.stop();
  await services.stop();
  await database.close();
});

test('balances: a spot balance credit pushes a balance update', async () => {
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  await client.ask({ type: 'subscribe', channel: 'balances' });
  expect(await client.nextOf('snapshot')).toMatchObject({
    data: [
      { token: 'BTC', available: '1000002', locked: '0' },
      { token: 'USDT', available: '999799.5', locked: '0' },
    ],
  });
  exchange.credit(testAddress(1), 'DF', 25n);
  expect(await client.next()).toMatchObject({
    type: 'update',
    channel: 'balances',
    data: [{ market: 'spot', token: 'DF', available: '25', locked: '0' }],
  });
});

test('market data: begins with the history of the database and continues live', async () => {
  const client = await running.connect();
  await client.ask({ type: 'subscribe', channel: 'kline', symbol, interval: '1d' });
  expect(await client.nextOf('snapshot')).toMatchObject({
    data: { open: '100', close: '101', volume: '2', quote_volume: '200.5', trade_count: 2 },
  });
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  expect(await client.nextOf('snapshot')).toMatchObject({
    data: { open_price: '100', last_price: '101', price_change_percent: '1', trade_count: 2 },
  });
  const newestTrades = async (): Promise<unknown> => {
    await client.ask({ type: 'subscribe', channel: 'trades', symbol });
    return (await client.nextOf('snapshot'))['data'];
  };
  await expect.poll(newestTrades).toMatchObject([{ price: '100' }, { price: '101' }]);
  trade(10_200, 1_000);
  const updates = new Map<unknown, unknown>();
  while (updates.size < 3) {
    const { channel, data } = await client.nextOf('update');
    updates.set(channel, data);
  }
  expect(updates.get('kline')).toMatchObject({ close: '102', volume: '3', trade_count: 3 });
  expect(updates.get('ticker')).toMatchObject({ last_price: '102', volume: '3', trade_count: 3 });
  expect(updates.get('trades')).toMatchObject([{ trade_id: '3', price: '102' }]);
});

test('ticker: the stream agrees with REST', async () => {
  const client = await running.connect();
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  const { data } = await client.nextOf('snapshot');
  const now = running.clock.now() as TimestampMs;
  const statistics = (await services.history.listTickers([symbol], now)).get(symbol);
  const times = { open_time: now - 86_400_000, close_time: now };
  expect(data).toMatchObject({ ...statistics, ...times });
});
