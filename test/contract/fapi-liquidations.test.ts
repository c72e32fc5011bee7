import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// What an account can read of its liquidation, of auto-deleveraging and of funding.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeEach(async () => {
  service ??= await FapiService.open();
  const { derivatives } = service;
  symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  maker = await derivatives.nextTrader();
  trader = await derivatives.nextTrader('100');
  await service.done('POST', '/v1/leverage', trader, { symbol, leverage: 20 });
  derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 10 });
  derivatives.place(trader, { symbol, side: 'buy', quantity: 10 });
});
afterAll(() => service.close());

type Row = Readonly<Record<string, unknown>>;
const read = (path: string, as: Address, fields: Record<string, string> = {}) =>
  service.done<Row[]>('GET', path, as, { symbol, ...fields });

/** The index falls, and the engine does what is due. */
async function fallTo(price: string): Promise<void> {
  await service.derivatives.setIndex(symbol, price);
  service.derivatives.advanceTime();
  const { exchange, services } = service.spot;
  await services.barrier.waitFor(exchange.durableSequence);
}

test('liquidation: open orders are canceled, the position is closed on the book, and listed', async () => {
  const resting = service.derivatives.place(trader, {
    symbol,
    side: 'buy',
    price: 50,
    quantity: 0.1,
  });
  const buyer = await service.derivatives.nextTrader();
  service.derivatives.place(buyer, { symbol, side: 'buy', price: 90.5, quantity: 10 });
  await fallTo('90.3');
  expect(await read('/v1/order', trader, { orderId: String(resting) })).toMatchObject({
    status: 'CANCELED',
  });
  expect(await read('/v2/positionRisk', trader)).toMatchObject([{ positionAmt: '0' }]);
  expect(await read('/v1/forceOrders', trader)).toMatchObject([
    { symbol, side: 'SELL', status: 'FILLED', executedQty: '10', avgPrice: '90.5' },
  ]);
  expect(await read('/v1/forceOrders', trader, { autoCloseType: 'ADL' })).toEqual([]);
  expect(await read('/v1/forceOrders', buyer)).toEqual([]);
  const income = await service.done<Row[]>('GET', '/v1/income', trader);
  const types = income.map((row) => row['incomeType']);
  expect(types).toContain('REALIZED_PNL');
  expect(types).toContain('INSURANCE_CLEAR');
  // The fund has got what was left, 4.5: more than a thousandth of positions worth 903.
  const { body } = await service.read('/v1/symbolAdlRisk', { symbol });
  expect(body).toMatchObject({ symbol, adlRisk: 'medium' });
});

test('liquidation: without a book the profitable side is deleveraged, and both are listed', async () => {
  await fallTo('80');
  for (const as of [trader, maker]) {
    expect(await read('/v2/positionRisk', as)).toMatchObject([{ positionAmt: '0' }]);
  }
  expect(await read('/v1/forceOrders', trader)).toMatchObject([{ side: 'SELL' }]);
  expect(await read('/v1/forceOrders', maker, { autoCloseType: 'ADL' })).toMatchObject([
    { side: 'BUY', executedQty: '10' },
  ]);
  const balances = await service.done<Row[]>('GET', '/v2/balance', trader);
  expect(balances).toMatchObject([{ balance: '0' }]);
});

test('deleveraging: its trades are not market trades: tape, candles and prices exclude them', async () => {
  await fallTo('80');
  expect(await read('/v1/userTrades', maker)).toHaveLength(2);
  for (const path of ['trades', 'historicalTrades', 'aggTrades']) {
    expect((await service.read(`/v1/${path}`, { symbol })).body).toHaveLength(1);
  }
  const day = { lastPrice: '100', lowPrice: '100', volume: '10', count: 1 };
  expect((await service.read('/v1/ticker/24hr', { symbol })).body).toMatchObject(day);
  const { body } = await service.read('/v1/ticker/price', { symbol });
  expect(body).toMatchObject({ price: '100' });
  const klines = (await service.read('/v1/klines', { symbol, interval: '1d' })).body as string[][];
  expect(klines.map(([, , , low, , volume]) => [low, volume])).toEqual([['100', '10']]);
});

test('funding: at each full UTC hour, longs and shorts sum to zero, and the rate is listed', async () => {
  const { exchange } = service.spot;
  await service.derivatives.setIndex(symbol, '100');
  exchange.liveToHour();
  await fallTo('100');
  const paid = async (as: Address) =>
    (await read('/v1/income', as, { incomeType: 'FUNDING_FEE' })).map((row) => row['income']);
  const [long, short] = [await paid(trader), await paid(maker)];
  expect(long).toHaveLength(1);
  expect(Number(long[0])).toBeLessThan(0);
  expect(short).toEqual([String(long[0]).replace('-', '')]);
  const rates = (await service.read('/v1/fundingRate', { symbol })).body as Row[];
  const rate = rates.at(-1);
  expect(rate).toMatchObject({ symbol, fundingTime: exchange.time });
  // An hour that began before the service has too few samples.
  for (const { fundingRate } of rates.slice(0, -1)) expect(Number(fundingRate)).toBe(0);
  expect(Number(rate?.['fundingRate']) * 1000).toBeCloseTo(-Number(long[0]), 6);
});

test('deleveraging: more profit and leverage are closed first, and adlQuantile is the rank', async () => {
  const { derivatives } = service;
  const [rival, calm] = [await derivatives.nextTrader('120'), await derivatives.nextTrader()];
  derivatives.place(rival, { symbol, side: 'sell', price: 100, quantity: 10 });
  derivatives.place(calm, { symbol, side: 'buy', quantity: 10 });
  await fallTo('95');
  const rankOf = async (as: Address) => {
    const [row] = await read('/v1/adlQuantile', as);
    return row?.['adlQuantile'];
  };
  expect(await rankOf(rival)).toEqual({ LONG: 0, SHORT: 2, BOTH: 2 });
  expect(await rankOf(maker)).toEqual({ LONG: 0, SHORT: 1, BOTH: 1 });
  await fallTo('80');
  expect(await read('/v1/forceOrders', rival)).toMatchObject([{ side: 'BUY', executedQty: '10' }]);
  expect(await read('/v1/forceOrders', maker)).toEqual([]);
});

test('mark price: the median of index and funding, index and premium, and the last price', async () => {
  const { derivatives, spot } = service;
  const market = await derivatives.nextMarket();
  await derivatives.setIndex(market, '100');
  derivatives.place(maker, { symbol: market, side: 'buy', price: 101, quantity: 1 });
  derivatives.place(maker, { symbol: market, side: 'sell', price: 103, quantity: 2 });
  for (let second = 0; second < 30; second += 1) {
    spot.exchange.time = Math.max(spot.exchange.time, Date.now()) + 1_000;
    await derivatives.setIndex(market, '100');
    derivatives.advanceTime();
  }
  const markOf = async () => {
    const { body } = await service.read('/v1/premiumIndex', { symbol: market });
    return (body as { markPrice: string }).markPrice;
  };
  // Without a trade the last price is the index: of 100, 102 and 100.
  expect(await markOf()).toBe('100');
  const buyer = await derivatives.nextTrader();
  derivatives.place(buyer, { symbol: market, side: 'buy', price: 103, quantity: 1 });
  derivatives.advanceTime();
  // Of 100, 100 and a premium of 2, and 103: a quarter of 0.4 % at a time.
  expect(await markOf()).toBe('100.1');
  for (let step = 0; step < 20; step += 1) derivatives.advanceTime();
  expect(await markOf()).toBe('102');
});
