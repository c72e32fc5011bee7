import { afterEach, expect, test } from 'vitest';
import { ManualExchange } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

const audienceCount = 50;
const newcomerCount = 21;
const snapshotMaxMs = 100;

let running: StreamServer | null = null;

afterEach(async () => {
  await running?.stop();
});

/** Trades for as long as the test runs, in each turn of the event loop. */
function startTrading(exchange: ManualExchange): () => void {
  const [buyer, seller] = [exchange.addTrader(1), exchange.addTrader(2)];
  let isTrading = true;
  let round = 0;
  const trade = (): void => {
    if (!isTrading) return;
    for (let count = 0; count < 20; count += 1) {
      round += 1;
      const price = 10_000 + (round % 40);
      exchange.place({ accountId: seller, side: 'sell', price, quantity: 2 });
      exchange.place({ accountId: buyer, side: 'buy', price, quantity: 1 });
      exchange.place({ accountId: buyer, side: 'buy', price: 9_900 - (round % 40), quantity: 1 });
    }
    for (const accountId of [buyer, seller]) {
      if (round % 200 === 0) {
        exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId: null });
      }
    }
    setImmediate(trade);
  };
  setImmediate(trade);
  return () => {
    isTrading = false;
  };
}

test('orderbook: the first snapshot comes within 100 ms under load, before any update', async () => {
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  running = await startStreamServer({
    exchange,
    isTimeReal: true,
    limits: { flushIntervalMs: 10 },
  });
  const message = { type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT' };
  const audience: StreamClient[] = [];
  for (let count = 0; count < audienceCount; count += 1) audience.push(await running.connect());
  for (const client of audience) client.send(message);
  const stopTrading = startTrading(exchange);
  const durations: number[] = [];
  for (let count = 0; count < newcomerCount; count += 1) {
    const newcomer = await running.connect();
    const askedAt = performance.now();
    newcomer.send(message);
    expect((await newcomer.next()).type).toBe('subscribed');
    const snapshot = await newcomer.next();
    durations.push(performance.now() - askedAt);
    expect(snapshot.type).toBe('snapshot');
    expect(await newcomer.next()).toMatchObject({ type: 'update', prev_seq: snapshot['seq'] });
    newcomer.webSocket.terminate();
  }
  stopTrading();
  // A busy machine may hold up many of them, but what waits for the load holds up all.
  const quartile = durations.sort((a, b) => a - b)[Math.floor(newcomerCount / 4)];
  expect(quartile).toBeLessThan(snapshotMaxMs);
});
