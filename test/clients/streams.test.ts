import { WebsocketClient } from 'binance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCcxt } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified stream client of `binance`, pointed at the running service by its base URLs alone.

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
      ...{ api_key: keys.apiKey, api_secret: keys.apiSecret },
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
    await expect.poll(steps, { timeout: 10_000 }).toEqual(['NEW NEW 0', 'TRADE FILLED 50000']);
    expect(events.map(({ e }) => e)).toContain('ACCOUNT_UPDATE');
  } finally {
    client.closeAll(true);
  }
});
