import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountId, MarketId } from '../../src/domain/identifiers.ts';
import { btcTerms } from '../support/futures-fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ManualExchange } from '../support/manual-exchange.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

// The public channels over all markets, over the real engine.

let exchange: ManualExchange;
let clock: ManualClock;
let running: StreamServer;
let traders: readonly [AccountId, AccountId];

beforeEach(async () => {
  clock = new ManualClock(Date.parse('2026-11-21T00:00:00Z'));
  exchange = new ManualExchange();
  exchange.time = clock.now();
  exchange.addMarket('BTCUSDT');
  exchange.addMarket('ETHUSDT');
  exchange.apply({ type: 'createFuturesMarket', terms: btcTerms });
  traders = [exchange.addTrader(1, ['BTC', 'ETH', 'USDT']), exchange.addTrader(2, ['USDT'])];
  running = await startStreamServer({ exchange, clock });
});
afterEach(() => running.stop());

const eth = 1 as MarketId;
const listed = [
  { market: 'spot', symbol: 'BTCUSDT', status: 'listed' },
  { market: 'spot', symbol: 'ETHUSDT', status: 'listed' },
  { market: 'futures', symbol: 'BTCUSDT', status: 'listed' },
];

describe('markets', () => {
  test('ws: markets begins with all spot and futures markets, then sends each change of a status', async () => {
    const client = await running.connect();
    client.send({ type: 'subscribe', channel: 'markets', id: 1 });
    expect(await client.next()).toEqual({ type: 'subscribed', channel: 'markets', id: 1 });
    const snapshot = await client.nextOf('snapshot');
    expect(snapshot).toMatchObject({ channel: 'markets' });
    expect(snapshot['data']).toHaveLength(3);
    expect(snapshot['data']).toEqual(expect.arrayContaining(listed));

    exchange.apply({ type: 'setSpotMarketStatus', symbol: 'ETHUSDT', status: 'halted' });
    expect(await client.nextOf('update')).toMatchObject({
      seq: Number(snapshot['seq']) + 1,
      data: [{ market: 'spot', symbol: 'ETHUSDT', status: 'halted' }],
    });
    exchange.apply({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'halted' });
    expect(await client.nextOf('update')).toMatchObject({
      data: [{ market: 'futures', symbol: 'BTCUSDT', status: 'halted' }],
    });
  });

  test('ws: markets sends a new market, and a later client gets it in its snapshot', async () => {
    const client = await running.connect();
    await client.ask({ type: 'subscribe', channel: 'markets' });
    await client.nextOf('snapshot');
    exchange.addMarket('XYZUSDT');
    const created = { market: 'spot', symbol: 'XYZUSDT', status: 'listed' };
    expect((await client.nextOf('update'))['data']).toEqual([created]);
    const later = await running.connect();
    await later.ask({ type: 'subscribe', channel: 'markets' });
    expect((await later.nextOf('snapshot'))['data']).toEqual(
      expect.arrayContaining([...listed, created]),
    );
  });
});

describe('tickers', () => {
  /** A trade of one lot; the buyer takes. */
  function trade(marketId: MarketId, price: number): void {
    const order = { marketId, price, quantity: 1_000 };
    exchange.place({ ...order, accountId: traders[0], side: 'sell' });
    exchange.place({ ...order, accountId: traders[1], side: 'buy' });
  }

  test('ws: tickers holds the markets that have traded, then those that changed', async () => {
    trade(0 as MarketId, 10_000);
    const client = await running.connect();
    client.send({ type: 'subscribe', channel: 'tickers', id: 2 });
    const target = { channel: 'tickers', market: 'spot' };
    expect(await client.next()).toEqual({ type: 'subscribed', ...target, id: 2 });
    const snapshot = await client.nextOf('snapshot');
    expect(snapshot).toMatchObject({
      ...target,
      data: [{ symbol: 'BTCUSDT', last_price: '100', trade_count: 1 }],
    });
    expect(snapshot['data']).toHaveLength(1);
    trade(eth, 500);
    clock.advance(1_000);
    const update = await client.nextOf('update');
    expect(update).toMatchObject({
      seq: Number(snapshot['seq']) + 1,
      data: [{ symbol: 'ETHUSDT', last_price: '5' }],
    });
    expect(update['data']).toHaveLength(1);
  });

  test("ws: tickers of perpetuals are separate from spot's, and agree with ticker", async () => {
    trade(0 as MarketId, 10_000);
    const client = await running.connect();
    await client.ask({ type: 'subscribe', channel: 'tickers', market: 'futures' });
    expect((await client.nextOf('snapshot'))['data']).toEqual([]);
    await client.ask({ type: 'subscribe', channel: 'tickers', market: 'spot' });
    const [told] = (await client.nextOf('snapshot'))['data'] as readonly object[];
    await client.ask({ type: 'subscribe', channel: 'ticker', symbol: 'BTCUSDT' });
    expect(told).toEqual((await client.nextOf('snapshot'))['data']);
    await client.ask({ type: 'unsubscribe', channel: 'tickers', market: 'spot' });
    trade(0 as MarketId, 10_100);
    clock.advance(1_000);
    expect((await client.nextOf('update'))['channel']).toBe('ticker');
  });

  test('ws: tickers sends at most one update a second', async () => {
    const client = await running.connect();
    await client.ask({ type: 'subscribe', channel: 'tickers' });
    await client.nextOf('snapshot');
    trade(0 as MarketId, 10_000);
    expect((await client.nextOf('update'))['seq']).toBe(1);
    trade(0 as MarketId, 10_100);
    trade(0 as MarketId, 10_200);
    clock.advance(1_000);
    const update = await client.nextOf('update');
    expect(update).toMatchObject({ seq: 2, data: [{ last_price: '102', trade_count: 3 }] });
  });
});
