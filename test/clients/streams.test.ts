import { WebsocketClient } from 'binance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCcxt, connectCcxtStreams } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified stream clients, pointed at the running service by their base URLs alone.

let floor: TradingFloor;
beforeAll(async () => {
  floor = await TradingFloor.open();
});
afterAll(() => floor.close());

interface StreamEvent {
  readonly e?: string;
  readonly o?: { readonly x: string; readonly X: string; readonly L: string };
}

test('binance: the user stream shows own orders and fills', async () => {
  const keys = await floor.addTrader();
  const taker = connectCcxt(floor.url, keys);
  const maker = connectCcxt(floor.url, await floor.addTrader());
  await Promise.all([taker.loadMarkets(), maker.loadMarkets()]);
  const events: StreamEvent[] = [];
  const client = new WebsocketClient(
    {
      api_key: keys.apiKey,
      api_secret: keys.apiSecret,
      wsUrl: floor.url.replace('http', 'ws'),
      restOptions: { baseUrl: floor.url },
    },
    { trace: () => undefined, info: () => undefined, error: () => undefined },
  );
  client.on('message', (event) => void events.push(event as StreamEvent));
  try {
    await client.subscribeUsdFuturesUserDataStream();
    const symbol = 'BTC/USDT:USDT';
    await maker.createOrder(symbol, 'limit', 'sell', 0.01, 50_000);
    await taker.createOrder(symbol, 'market', 'buy', 0.01);
    const steps = () =>
      events.flatMap(({ e, o }) =>
        e === 'ORDER_TRADE_UPDATE' && o !== undefined ? [`${o.x} ${o.X} ${o.L}`] : [],
      );
    await expect.poll(steps).toEqual(['NEW NEW 0', 'TRADE FILLED 50000']);
    expect(events.map(({ e }) => e)).toContain('ACCOUNT_UPDATE');
  } finally {
    client.closeAll(true);
  }
});

test('ccxt: the order book stays synchronized with the market', async () => {
  const symbol = 'ETH/USDT:USDT';
  const maker = connectCcxt(floor.url, await floor.addTrader());
  const watcher = await connectCcxtStreams(floor.url, await floor.addTrader());
  await Promise.all([maker.loadMarkets(), watcher.loadMarkets()]);
  await maker.createOrder(symbol, 'limit', 'buy', 1, 2_900);
  try {
    const first = await watcher.watchOrderBook(symbol);
    expect(first.bids[0]).toEqual([2_900, 1]);
    for (const price of [2_901, 2_902, 2_903]) {
      const next = watcher.watchOrderBook(symbol);
      await maker.createOrder(symbol, 'limit', 'buy', 1, price);
      expect((await next).bids[0]).toEqual([price, 1]);
    }
    const emptied = watcher.watchOrderBook(symbol);
    await maker.cancelAllOrders(symbol);
    expect((await emptied).bids).toHaveLength(0);
  } finally {
    await watcher.close();
  }
});
