import { USDMClient } from 'binance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectCcxt } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// Unmodified clients against a service with FAPI_DIALECT=binance, whose listen keys need no
// setting of their own.

let floor: TradingFloor;
beforeAll(async () => {
  floor = await TradingFloor.open({ FAPI_DIALECT: 'binance', FAPI_LISTEN_KEY_UNSIGNED: 'false' });
});
afterAll(() => floor.close());

test('ccxt: trades, and keeps stops apart from its open orders', async () => {
  const symbol = 'ETH/USDT:USDT';
  const maker = connectCcxt(floor.url, await floor.addTrader());
  const taker = connectCcxt(floor.url, await floor.addTrader());
  await maker.loadMarkets();
  await taker.loadMarkets();
  await maker.createOrder(symbol, 'limit', 'sell', 1, 3000);
  expect(await taker.createOrder(symbol, 'market', 'buy', 0.5)).toMatchObject({ filled: 0.5 });
  const stop = await taker.createOrder(symbol, 'market', 'sell', 0.5, undefined, {
    stopPrice: 2800,
    reduceOnly: true,
  });
  expect(await taker.fetchOpenOrders(symbol)).toEqual([]);
  const stops = await taker.fetchOpenOrders(symbol, undefined, undefined, { trigger: true });
  expect(stops).toMatchObject([{ id: stop.id }]);
  await taker.cancelAllOrders(symbol);
  await taker.cancelOrder(stop.id, symbol, { trigger: true });
  expect(await taker.fetchPositions([symbol])).toMatchObject([{ contracts: 0.5 }]);
});

test('binance: refusals and failed authentication carry Binance’s codes', async () => {
  const { apiKey, apiSecret } = await floor.addTrader();
  const connect = (api_key: string, api_secret: string) =>
    new USDMClient({ api_key, api_secret, baseUrl: floor.url });
  const client = connect(apiKey, apiSecret);
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
  await expect(
    client.submitNewOrder({ ...order, quantity: 0.01, price: 40000.001 }),
  ).rejects.toMatchObject({ code: -4014 });
  await expect(
    client.submitNewOrder({ ...order, quantity: 0.0100001, price: 40000 }),
  ).rejects.toMatchObject({ code: -1111 });
  expect(await client.submitNewOrder({ ...order, quantity: 0.01, price: 40000 })).toMatchObject({
    status: 'NEW',
  });
  expect(await client.getFuturesUserDataListenKey()).toMatchObject({
    listenKey: expect.any(String) as string,
  });
  await expect(connect(apiKey, 'wrong'.repeat(12)).getBalanceV3()).rejects.toMatchObject({
    code: -1022,
  });
  await expect(connect('U'.repeat(64), apiSecret).getBalanceV3()).rejects.toMatchObject({
    code: -2015,
  });
});
