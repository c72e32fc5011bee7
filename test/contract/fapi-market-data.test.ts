import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, illegal, invalid, mandatory } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// What everyone may read of /fapi, without a key.

const hourMs = 3_600_000;

let service: FapiService;
let symbol: string;
let maker: Address;
let taker: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  taker = await service.derivatives.nextTrader();
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 2 });
  service.derivatives.place(maker, { symbol, side: 'buy', price: 99, quantity: 3 });
  service.derivatives.place(taker, { symbol, side: 'buy', quantity: 0.5 });
  service.derivatives.place(taker, { symbol, side: 'sell', quantity: 1 });
});
afterAll(() => service.close());

const anyNumber = expect.any(Number) as number;
const badSymbol = error(-1121, 'Invalid symbol.');

describe('/fapi market data', () => {
  test('ping and time', async () => {
    expect(await service.read('/v1/ping')).toEqual({ status: 200, body: {} });
    const before = Date.now();
    const { body } = await service.read('/v1/time');
    const { serverTime } = body as { serverTime: number };
    expect(serverTime).toBeGreaterThanOrEqual(before);
    expect(serverTime).toBeLessThanOrEqual(Date.now());
  });

  test('exchangeInfo: each market with PRICE_FILTER, LOT_SIZE, MARKET_LOT_SIZE, MIN_NOTIONAL', async () => {
    const { body } = await service.read('/v1/exchangeInfo');
    expect(body).toMatchObject({
      timezone: 'UTC',
      serverTime: anyNumber,
      futuresType: 'U_MARGINED',
      exchangeFilters: [],
      rateLimits: [
        { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
        { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
        { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
      ],
      assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '0' }],
    });
    const { symbols } = body as { symbols: { filters: { filterType: string }[] }[] };
    expect(symbols).toHaveLength(1);
    const [market] = symbols;
    expect(market).toMatchObject({
      symbol,
      pair: symbol,
      contractType: 'PERPETUAL',
      status: 'TRADING',
      baseAsset: 'T1',
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 3,
      maintMarginPercent: '0.4',
      requiredMarginPercent: '1',
      underlyingType: 'COIN',
      timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
    });
    const byType = new Map(market?.filters.map((filter) => [filter.filterType, filter]));
    expect(byType.get('PRICE_FILTER')).toMatchObject({ tickSize: '0.1', minPrice: '0.1' });
    expect(byType.get('LOT_SIZE')).toMatchObject({ stepSize: '0.001', minQty: '0.001' });
    expect(byType.get('MARKET_LOT_SIZE')).toMatchObject({ stepSize: '0.001' });
    expect(byType.get('MIN_NOTIONAL')).toMatchObject({ notional: '5', maxNotional: '100000000' });
  });

  test('depth: levels best first, with the update id of the streams', async () => {
    const { body } = await service.read('/v1/depth', { symbol, limit: 5 });
    expect(body).toEqual({
      lastUpdateId: anyNumber,
      E: anyNumber,
      T: anyNumber,
      bids: [['99', '2']],
      asks: [['101', '1.5']],
    });
    expect(await service.read('/v1/depth')).toEqual(mandatory('symbol'));
    expect(await service.read('/v1/depth', { symbol: 'NOPE' })).toEqual(badSymbol);
    expect(await service.read('/v1/depth', { symbol, limit: 'x' })).toEqual(illegal('limit'));
  });

  test('depth: limit is 5, 10, 20, 50, 100, 500 or 1000; another one is -1130', async () => {
    for (const limit of [5, 10, 20, 50, 100, 500, 1000]) {
      expect((await service.read('/v1/depth', { symbol, limit })).status).toBe(200);
    }
    for (const limit of [7, 1001]) {
      expect(await service.read('/v1/depth', { symbol, limit })).toEqual(invalid('limit'));
    }
  });

  test.each([
    ['trades', 1000],
    ['historicalTrades', 1000],
    ['aggTrades', 1000],
    ['klines', 1500],
    ['fundingRate', 1000],
  ])('%s: limit at most %i, more is -1100', async (path, most) => {
    const fields = { symbol, interval: '1m' };
    const ask = (limit: number) => service.read(`/v1/${path}`, { ...fields, limit });
    expect((await ask(most)).status).toBe(200);
    expect(await ask(most + 1)).toEqual(illegal('limit'));
  });

  test('trades: recent ones oldest first, from an id on, and aggregated', async () => {
    const { body } = await service.read('/v1/trades', { symbol });
    expect(body).toEqual([
      {
        id: anyNumber,
        price: '101',
        qty: '0.5',
        quoteQty: '50.5',
        time: anyNumber,
        isBuyerMaker: false,
        isRPITrade: false,
      },
      {
        id: anyNumber,
        price: '99',
        qty: '1',
        quoteQty: '99',
        time: anyNumber,
        isBuyerMaker: true,
        isRPITrade: false,
      },
    ]);
    const [, last] = body as { id: number }[];
    const from = { symbol, fromId: last?.id ?? 0 };
    expect((await service.read('/v1/historicalTrades', from)).body).toEqual([last]);
    expect((await service.read('/v1/aggTrades', { symbol, limit: 1 })).body).toEqual([
      { a: last?.id, p: '99', q: '1', nq: '1', f: last?.id, l: last?.id, T: anyNumber, m: true },
    ]);
  });

  test('klines: twelve values per candle; -1120 for an unknown interval', async () => {
    const { body } = await service.read('/v1/klines', { symbol, interval: '1d' });
    expect(body).toEqual([
      [anyNumber, '101', '101', '99', '99', '1.5', anyNumber, '149.5', 2, '0.5', '50.5', '0'],
    ]);
    expect(await service.read('/v1/klines', { symbol, interval: '7m' })).toEqual(
      error(-1120, 'Invalid interval.'),
    );
    expect(await service.read('/v1/klines', { symbol })).toEqual(mandatory('interval'));
  });

  test('premiumIndex: mark and index price, and the next full hour as funding time', async () => {
    const { body } = await service.read('/v1/premiumIndex', { symbol });
    expect(body).toMatchObject({
      symbol,
      indexPrice: '100',
      estimatedSettlePrice: '100',
      time: anyNumber,
      interestRate: '0.0001',
      markPrice: expect.stringMatching(/^[0-9.]+$/) as string,
    });
    const { nextFundingTime } = body as { nextFundingTime: number };
    expect(nextFundingTime % hourMs).toBe(0);
    expect(nextFundingTime).toBeGreaterThan(Date.now());
    expect((await service.read('/v1/premiumIndex')).body).toHaveLength(1);
    expect(await service.read('/v1/premiumIndex', { symbol: 'NOPE' })).toEqual(badSymbol);
  });

  test('tickers: an object for one symbol, a list for all', async () => {
    const day = await service.read('/v1/ticker/24hr', { symbol });
    expect(day.body).toMatchObject({
      symbol,
      lastPrice: '99',
      lastQty: '1',
      openPrice: '101',
      highPrice: '101',
      lowPrice: '99',
      volume: '1.5',
      quoteVolume: '149.5',
      count: 2,
      priceChange: '-2',
    });
    for (const version of ['v1', 'v2']) {
      const { body } = await service.read(`/${version}/ticker/price`, { symbol });
      expect(body).toEqual({ symbol, price: '99', time: anyNumber });
    }
    const best = await service.read('/v1/ticker/bookTicker', { symbol });
    expect(best.body).toEqual({
      symbol,
      bidPrice: '99',
      bidQty: '2',
      askPrice: '101',
      askQty: '1.5',
      time: anyNumber,
      lastUpdateId: anyNumber,
    });
    for (const path of ['24hr', 'price', 'bookTicker']) {
      expect((await service.read(`/v1/ticker/${path}`)).body).toHaveLength(1);
    }
  });

  test('openInterest is the sum of all longs; symbols are accepted in any letter case', async () => {
    const { body } = await service.read('/v1/openInterest', { symbol: symbol.toLowerCase() });
    expect(body).toEqual({ symbol, openInterest: '0.5', time: anyNumber });
  });

  test('symbolAdlRisk: high if the insurance fund could cover nothing; a list for all', async () => {
    const risk = { symbol, adlRisk: 'high', updateTime: anyNumber };
    expect((await service.read('/v1/symbolAdlRisk', { symbol })).body).toEqual(risk);
    expect((await service.read('/v1/symbolAdlRisk')).body).toEqual([risk]);
    expect(await service.read('/v1/symbolAdlRisk', { symbol: 'NOPE' })).toEqual(badSymbol);
  });

  test('fundingRate and fundingInfo', async () => {
    expect((await service.read('/v1/fundingRate', { symbol })).body).toEqual([]);
    expect((await service.read('/v1/fundingInfo')).body).toMatchObject([
      { symbol, fundingIntervalHours: 1 },
    ]);
  });

  test('aggTrades: same price and taker side within 100 ms are merged; at most an hour', async () => {
    const { derivatives, spot } = service;
    const other = await derivatives.nextMarket();
    await derivatives.setIndex(other, '100');
    derivatives.advanceTime();
    spot.exchange.time += 10_000 - (spot.exchange.time % 100);
    const begun = spot.exchange.time;
    derivatives.place(maker, { symbol: other, side: 'sell', price: 101, quantity: 9 });
    for (const waitMs of [0, 60, 60]) {
      spot.exchange.time += waitMs;
      derivatives.place(taker, { symbol: other, side: 'buy', quantity: 1 });
    }
    const { body } = await service.read('/v1/aggTrades', { symbol: other });
    expect(body).toMatchObject([
      { p: '101', q: '2', T: begun, m: false },
      { p: '101', q: '1', T: begun + 120, m: false },
    ]);
    const [first, second] = body as { a: number; f: number; l: number }[];
    expect([first?.f, first?.l]).toEqual([first?.a, (first?.a ?? 0) + 1]);
    const newest = await service.read('/v1/aggTrades', { symbol: other, limit: 1 });
    expect(newest.body).toEqual([second]);
    const hour = { symbol: other, startTime: begun, endTime: begun + hourMs };
    expect((await service.read('/v1/aggTrades', hour)).body).toEqual(body);
    const longer = { ...hour, endTime: begun + hourMs + 1 };
    expect(await service.read('/v1/aggTrades', longer)).toEqual(illegal('endTime'));
  });
});
