import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { BinanceSpotService } from '../support/binance-spot-service.ts';

// Market data and access of /api/v3; every answer is also held against the OpenAPI document.

let service: BinanceSpotService;
let symbol: string;
let quiet: string;
let trader: Address;
let trades: readonly { readonly id: number; readonly price: string }[];

beforeAll(async () => {
  service = await BinanceSpotService.open();
  symbol = await service.nextMarket();
  quiet = await service.nextMarket();
  trader = await service.nextTrader(symbol);
  const maker = await service.nextTrader(symbol);
  const order = { symbol, type: 'LIMIT', timeInForce: 'GTC' };
  for (const price of [100, 101, 102]) {
    await service.done('POST', '/order', maker, { ...order, side: 'SELL', price, quantity: 1 });
  }
  await service.done('POST', '/order', maker, { ...order, side: 'BUY', price: 99, quantity: 2 });
  const buy = { symbol, side: 'BUY', type: 'MARKET', quantity: 1.5 };
  await service.done('POST', '/order', trader, buy);
  await service.done('POST', '/order', trader, { ...buy, side: 'SELL', quantity: 0.5 });
  trades = (await service.read('/trades', { symbol })).body as typeof trades;
});
afterAll(() => service.close());

const bodyOf = async (path: string, fields = {}): Promise<unknown> =>
  (await service.read(path, fields)).body;

describe('market data of /api/v3', () => {
  test('ping and time', async () => {
    expect(await bodyOf('/ping')).toEqual({});
    expect(await bodyOf('/time')).toEqual({ serverTime: expect.any(Number) as number });
  });

  test('exchangeInfo: all, one or some markets, with the filters that orders are held to', async () => {
    const info = (await bodyOf('/exchangeInfo', { symbol })) as {
      readonly symbols: readonly object[];
    };
    expect(info.symbols).toMatchObject([
      {
        symbol,
        status: 'TRADING',
        quoteAsset: 'USDT',
        isSpotTradingAllowed: true,
        orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
        permissionSets: [['SPOT']],
        filters: [
          { filterType: 'PRICE_FILTER', tickSize: '0.01', minPrice: '0.01' },
          { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.001' },
          { filterType: 'MARKET_LOT_SIZE', stepSize: '0.001' },
          { filterType: 'NOTIONAL', minNotional: '5', applyMinToMarket: true },
          { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 1_000 },
        ],
      },
    ]);
    const symbolsOf = async (fields: object) =>
      ((await bodyOf('/exchangeInfo', fields)) as typeof info).symbols.length;
    expect(await symbolsOf({})).toBe(2);
    expect(await symbolsOf({ symbols: JSON.stringify([symbol, quiet]) })).toBe(2);
    expect(await bodyOf('/exchangeInfo', { symbols: '["NONE"]' })).toMatchObject({ code: -1121 });
    for (const symbols of [[symbol, symbol], [1], [null], [{ toString: 1, valueOf: 1 }]]) {
      const wrong = { symbols: JSON.stringify(symbols) };
      expect(await bodyOf('/exchangeInfo', wrong)).toMatchObject({ code: -1100 });
    }
    expect(await bodyOf('/exchangeInfo', { symbol, symbols: '["X"]' })).toMatchObject({
      code: -1128,
    });
  });

  test('depth: levels best first, on the counter of the streams', async () => {
    expect(await bodyOf('/depth', { symbol, limit: 5 })).toEqual({
      lastUpdateId: expect.any(Number) as number,
      bids: [['99', '1.5']],
      asks: [
        ['101', '0.5'],
        ['102', '1'],
      ],
    });
    expect(await bodyOf('/depth', { symbol, limit: 5001 })).toMatchObject({ code: -1100 });
    expect(await bodyOf('/depth', { symbol: symbol.toLowerCase() })).toMatchObject({ code: -1121 });
  });

  test('trades, historicalTrades and aggTrades: oldest first', async () => {
    expect(trades).toMatchObject([
      { price: '100', qty: '1', quoteQty: '100', isBuyerMaker: false, isBestMatch: true },
      { price: '101', qty: '0.5', isBuyerMaker: false },
      { price: '99', qty: '0.5', isBuyerMaker: true },
    ]);
    const fromId = trades[1]?.id ?? 0;
    expect(await bodyOf('/historicalTrades', { symbol, fromId })).toEqual(trades.slice(1));
    expect(await bodyOf('/trades', { symbol, limit: 1 })).toEqual(trades.slice(-1));
    expect(await bodyOf('/aggTrades', { symbol })).toMatchObject(
      trades.map(({ id, price }) => ({ a: id, f: id, l: id, p: price, M: true })),
    );
  });

  test('klines: taker buy volume is listed with the volume', async () => {
    const closeTime = expect.any(Number) as number;
    const expected = ['100', '101', '99', '99', '2', closeTime, '200', 3, '1.5', '150.5'];
    for (const path of ['/klines', '/uiKlines']) {
      const [candle] = (await bodyOf(path, { symbol, interval: '1M' })) as readonly unknown[][];
      expect(candle?.slice(1)).toEqual([...expected, '0']);
    }
    expect(await bodyOf('/klines', { symbol, interval: '7m' })).toEqual({
      code: -1120,
      msg: 'Invalid interval.',
    });
  });

  test('tickers: the day, the last price, the best prices and the average', async () => {
    expect(await bodyOf('/ticker/24hr', { symbol })).toMatchObject({
      symbol,
      openPrice: '100',
      highPrice: '101',
      lowPrice: '99',
      lastPrice: '99',
      priceChange: '-1',
      priceChangePercent: '-1',
      lastQty: '0.5',
      volume: '2',
      quoteVolume: '200',
      weightedAvgPrice: '100',
      prevClosePrice: '100',
      count: 3,
      bidPrice: '99',
      bidQty: '1.5',
      askPrice: '101',
      askQty: '0.5',
      firstId: trades[0]?.id,
      lastId: trades[2]?.id,
    });
    const mini = (await bodyOf('/ticker/24hr', { symbol, type: 'MINI' })) as object;
    expect(Object.keys(mini)).not.toContain('bidPrice');
    expect(await bodyOf('/ticker/24hr', { symbol, type: 'HALF' })).toMatchObject({ code: -1139 });
    expect(await bodyOf('/ticker/24hr')).toHaveLength(2);
    expect(await bodyOf('/ticker/price')).toEqual([
      { symbol, price: '99' },
      { symbol: quiet, price: '0' },
    ]);
    expect(await bodyOf('/ticker/bookTicker', { symbol: quiet })).toEqual({
      symbol: quiet,
      bidPrice: '0',
      bidQty: '0',
      askPrice: '0',
      askQty: '0',
    });
    expect(await bodyOf('/avgPrice', { symbol })).toMatchObject({ mins: 5, price: '100' });
    expect(await bodyOf('/avgPrice', { symbol: quiet })).toEqual({
      mins: 5,
      price: '0',
      closeTime: 0,
    });
  });

  test.each([
    ['/ticker', {}, 86_400_000],
    ['/ticker', { windowSize: '1m' }, 60_000],
    ['/ticker', { windowSize: '7d' }, 7 * 86_400_000],
  ])(
    '%s %o: a window that begins with a whole minute and ends now',
    async (path, fields, length) => {
      const window = (await bodyOf(path, { symbol, ...fields })) as Record<string, number>;
      expect(window).toMatchObject({ symbol, openPrice: '100', lastPrice: '99', volume: '2' });
      expect(window).toMatchObject({ weightedAvgPrice: '100', priceChange: '-1', count: 3 });
      const { openTime = 0, closeTime = 0 } = window;
      expect(openTime % 60_000).toBe(0);
      expect(closeTime - openTime).toBeGreaterThanOrEqual(length);
      expect(closeTime - openTime).toBeLessThan(length + 60_000);
      expect(window).not.toHaveProperty('bidPrice');
    },
  );

  test('ticker/tradingDay: the day of UTC or of another time zone, whole', async () => {
    for (const [timeZone, hours] of [
      ['0', 0],
      ['-1:00', -1],
      ['5:30', 5.5],
    ] as const) {
      const day = (await bodyOf('/ticker/tradingDay', { symbol, timeZone })) as object;
      const { openTime, closeTime } = day as { openTime: number; closeTime: number };
      expect((openTime + hours * 3_600_000) % 86_400_000).toBe(0);
      expect(closeTime - openTime).toBe(86_399_999);
      expect(day).toMatchObject({ symbol, highPrice: '101', lowPrice: '99', quoteVolume: '200' });
    }
    const mini = await bodyOf('/ticker/tradingDay', { symbol, type: 'MINI' });
    expect(mini).not.toHaveProperty('priceChange');
  });

  test('rolling tickers: without a market, with a wrong window or zone they are refused', async () => {
    expect(await bodyOf('/ticker')).toMatchObject({ code: -1102 });
    for (const windowSize of ['0m', '60m', '24h', '8d', '1w', '1.5h', '']) {
      const answer = await bodyOf('/ticker', { symbol, windowSize });
      // An empty parameter is an absent one.
      if (windowSize !== '') expect(answer, windowSize).toMatchObject({ code: -1100 });
    }
    for (const timeZone of ['15', '-13', '1:60', 'UTC']) {
      expect(await bodyOf('/ticker/tradingDay', { symbol, timeZone })).toMatchObject({
        code: -1100,
      });
    }
    expect(await bodyOf('/ticker', { symbols: JSON.stringify([symbol, quiet]) })).toMatchObject([
      { symbol },
      { symbol: quiet, openPrice: '0', firstId: -1 },
    ]);
  });

  test('an unknown path is 404 and another method 405, with code and msg', async () => {
    expect(await service.read('/nothing')).toEqual({
      status: 404,
      body: { code: -1000, msg: 'Path not found.' },
    });
    const reply = await service.spot.call({ method: 'POST', path: '/api/v3/time' });
    expect(reply).toMatchObject({ status: 405, body: { code: -1000 } });
  });
});

describe('access to /api/v3', () => {
  const path = '/api/v3/account';
  const key = { apiKey: 'Q'.repeat(64), apiSecret: 's'.repeat(64) };
  const sign = (query: string) => createHmac('sha256', key.apiSecret).update(query).digest('hex');
  const call = async (headers: Record<string, string>, query: Record<string, string> = {}) => {
    const { status, body } = await service.spot.call({ path, headers, query });
    return { status, body };
  };
  const signed = (timestamp: number) => {
    const query = `timestamp=${timestamp}`;
    return { timestamp: String(timestamp), signature: sign(query) };
  };
  const named = { 'x-mbx-apikey': key.apiKey };

  beforeAll(async () => {
    await service.spot.services.apiKeys.create({
      ...key,
      address: trader,
      label: 'test',
      ipWhitelist: [],
      isEnabled: true,
      permissions: ['read'],
      createdAt: new Date(),
    });
  });

  test("a key and its signature are accepted; refusals carry Binance's codes", async () => {
    expect((await call(named, signed(Date.now()))).status).toBe(200);
    const badKey = { status: 401, body: { code: -2014, msg: 'API-key format invalid.' } };
    expect(await call({})).toEqual(badKey);
    expect(await call({ 'x-mbx-apikey': 'short' }, signed(Date.now()))).toEqual(badKey);
    expect(await call({ 'x-mbx-apikey': 'U'.repeat(64) }, signed(Date.now()))).toEqual({
      status: 401,
      body: { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' },
    });
    expect(await call(named, { ...signed(Date.now()), signature: '0'.repeat(64) })).toEqual({
      status: 400,
      body: { code: -1022, msg: 'Signature for this request is not valid.' },
    });
    expect(await call(named, signed(Date.now() - 61_000))).toEqual({
      status: 400,
      body: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
    });
    expect(await call(named, { timestamp: String(Date.now()) })).toMatchObject({
      body: { code: -1102 },
    });
    expect(await call(named, { signature: '0'.repeat(64) })).toMatchObject({
      body: { code: -1102 },
    });
  });

  test('a token is ignored', async () => {
    const { status, body } = await service.spot.call({ path, as: trader });
    expect({ status, body }).toMatchObject({ status: 401, body: { code: -2014 } });
  });

  test('a key without the trade permission places nothing', async () => {
    const query = `symbol=${symbol}&side=BUY&type=MARKET&quantity=1&timestamp=${Date.now()}`;
    const fields = Object.fromEntries(new URLSearchParams(query));
    const reply = await service.spot.call({
      method: 'POST',
      path: '/api/v3/order',
      headers: named,
      query: { ...fields, signature: sign(query) },
    });
    expect(reply).toMatchObject({ status: 401, body: { code: -2015 } });
  });

  test('listen keys: issued again the same, renewed, revoked', async () => {
    const stream = (method: 'POST' | 'PUT' | 'DELETE') =>
      service.call(method, '/userDataStream', trader);
    const first = await stream('POST');
    expect(first).toEqual({ status: 200, body: { listenKey: expect.any(String) as string } });
    expect(await stream('POST')).toEqual(first);
    expect(await stream('PUT')).toEqual({ status: 200, body: {} });
    expect(await stream('DELETE')).toEqual({ status: 200, body: {} });
    expect(await stream('PUT')).toEqual({
      status: 400,
      body: { code: -1125, msg: 'This listenKey does not exist.' },
    });
  });
});

test('SPOT_TRADING_ENABLED=false: markets show BREAK and take no orders', async () => {
  const closed = await BinanceSpotService.open({ isSpotTradingEnabled: false });
  try {
    const market = await closed.nextMarket();
    const user = await closed.nextTrader(market);
    expect((await closed.read('/exchangeInfo')).body).toMatchObject({
      symbols: [{ status: 'BREAK', isSpotTradingAllowed: false }],
    });
    const order = { symbol: market, side: 'BUY', type: 'MARKET', quantity: 1 };
    expect(await closed.call('POST', '/order', user, order)).toEqual({
      status: 400,
      body: { code: -2010, msg: 'Market is closed.' },
    });
  } finally {
    await closed.close();
  }
});
