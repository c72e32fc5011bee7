import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, illegal, invalid, mandatory } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// What /fapi and /futures/data tell of prices and positions over time, against a course of events
// that is short enough to be reckoned by hand.

const minuteMs = 60_000;
const dayMs = 86_400_000;
// A whole day to come, so that the machine's own time is never later than the test's.
const start = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
const at = (seconds: number): number => start + seconds * 1_000;

let service: FapiService;
let symbol: string;
let quiet: string;

interface Push {
  readonly seconds: number;
  readonly price: string;
}

// In the first five minutes: 100, 110 and 90 in one minute, 105 in the next, 120 in the third.
const pushes: readonly Push[] = [
  { seconds: 0, price: '100' },
  { seconds: 20, price: '110' },
  { seconds: 40, price: '90' },
  { seconds: 65, price: '105' },
  { seconds: 130, price: '120' },
];

async function push({ seconds, price }: Push): Promise<void> {
  service.spot.exchange.time = at(seconds);
  await service.derivatives.setIndex(symbol, price);
}

beforeAll(async () => {
  service = await FapiService.open();
  const { derivatives, spot } = service;
  symbol = await derivatives.nextMarket();
  quiet = await derivatives.nextMarket();
  const traders: Address[] = [];
  for (const usdt of ['1000', '50000', '2000']) traders.push(await derivatives.nextTrader(usdt));
  const [long, rich, small] = traders as [Address, Address, Address];
  for (const each of pushes) await push(each);
  // 3 bought by one account: 2 from the one with the largest wallet, 1 from another.
  spot.exchange.time = at(140);
  derivatives.place(rich, { symbol, side: 'sell', price: 120, quantity: 2 });
  derivatives.place(small, { symbol, side: 'sell', price: 121, quantity: 1 });
  derivatives.place(long, { symbol, side: 'buy', price: 121, quantity: 3 });
  // 0.5 pass from one of the two to the other, so 3 stay open.
  derivatives.place(rich, { symbol, side: 'buy', price: 119, quantity: 0.5 });
  derivatives.place(small, { symbol, side: 'sell', price: 119, quantity: 0.5 });
  await push({ seconds: 300, price: '121' });
  await push({ seconds: 301, price: '122' });
});
afterAll(() => service.close());

const read = async (path: string, fields = {}): Promise<unknown> =>
  (await service.read(path, fields)).body;
const data = async (name: string, fields = {}): Promise<unknown> => {
  const { body } = await service.spot.call({
    path: `/futures/data/${name}`,
    query: { symbol, period: '5m', ...fields },
  });
  return body;
};

describe('candles of computed prices', () => {
  const candle = (seconds: number, prices: readonly string[], lengthMs = minuteMs) => [
    at(seconds),
    ...prices,
    '0',
    at(seconds) + lengthMs - 1,
    '0',
    expect.any(Number) as number,
    '0',
    '0',
    '0',
  ];

  test('indexPriceKlines: open, high, low and close of each minute', async () => {
    expect(await read('/v1/indexPriceKlines', { pair: symbol, interval: '1m' })).toEqual([
      candle(0, ['100', '110', '90', '90']),
      candle(60, ['105', '105', '105', '105']),
      candle(120, ['120', '120', '120', '120']),
      candle(300, ['121', '122', '121', '122']),
    ]);
  });

  test('longer candles are built from the minutes, from a start and up to an end', async () => {
    const ask = (fields: object) => read('/v1/indexPriceKlines', { pair: symbol, ...fields });
    const five = [
      candle(0, ['100', '120', '90', '120'], 5 * minuteMs),
      candle(300, ['121', '122', '121', '122'], 5 * minuteMs),
    ];
    expect(await ask({ interval: '5m' })).toEqual(five);
    expect(await ask({ interval: '5m', limit: 1 })).toEqual(five.slice(1));
    expect(await ask({ interval: '5m', startTime: at(0), limit: 1 })).toEqual(five.slice(0, 1));
    expect(await ask({ interval: '5m', startTime: at(1) })).toEqual(five.slice(1));
    expect(await ask({ interval: '5m', endTime: at(299) })).toEqual(five.slice(0, 1));
    const whole = ['100', '122', '90', '122'];
    expect(await ask({ interval: '1h' })).toEqual([candle(0, whole, 60 * minuteMs)]);
    expect(await ask({ interval: '1d' })).toEqual([candle(0, whole, dayMs)]);
    const [month] = (await ask({ interval: '1M' })) as unknown[][];
    expect(month?.slice(1, 5)).toEqual(whole);
  });

  test('markPriceKlines and premiumIndexKlines: without a book the mark price is the index', async () => {
    const mark = (await read('/v1/markPriceKlines', { symbol, interval: '1m' })) as unknown[];
    expect(mark[0]).toEqual(candle(0, ['100', '110', '90', '90']));
    const premium = await read('/v1/premiumIndexKlines', { symbol, interval: '1m', limit: 4 });
    expect((premium as unknown[])[0]).toEqual(candle(0, ['0', '0', '0', '0']));
  });

  test('errors are reported, and a market whose price was never computed has none', async () => {
    expect(await read('/v1/markPriceKlines', { symbol: quiet, interval: '1m' })).toEqual([]);
    const badSymbol = error(-1121, 'Invalid symbol.');
    expect(await service.read('/v1/markPriceKlines', { symbol: 'NO', interval: '1m' })).toEqual(
      badSymbol,
    );
    expect(await service.read('/v1/indexPriceKlines', { symbol, interval: '1m' })).toEqual(
      mandatory('pair'),
    );
    expect(await service.read('/v1/premiumIndexKlines', { symbol, interval: '7m' })).toEqual(
      error(-1120, 'Invalid interval.'),
    );
    const most = { symbol, interval: '1m', limit: 1_501 };
    expect(await service.read('/v1/markPriceKlines', most)).toEqual(illegal('limit'));
  });
});

describe('/futures/data', () => {
  const sample = { symbol, timestamp: at(300) };

  test('openInterestHist: open interest at the start of each five minutes, at the mark price of that time', async () => {
    expect(await data('openInterestHist')).toEqual([
      { ...sample, symbol, sumOpenInterest: '3', sumOpenInterestValue: '363' },
    ]);
    expect(await data('openInterestHist', { endTime: at(299) })).toEqual([]);
    expect(await data('openInterestHist', { startTime: at(300), limit: 1 })).toHaveLength(1);
    // No quarter of an hour began after anyone held a position.
    expect(await data('openInterestHist', { period: '15m' })).toEqual([]);
  });

  test('long and short: of all accounts, and of the fifth with the largest wallets', async () => {
    // One account is long and two are short; the top one of three has the largest wallet.
    expect(await data('globalLongShortAccountRatio')).toEqual([
      { ...sample, symbol, longShortRatio: '0.5', longAccount: '0.3333', shortAccount: '0.6667' },
    ]);
    const onlyShort = {
      ...sample,
      symbol,
      longShortRatio: '0',
      longAccount: '0',
      shortAccount: '1',
    };
    expect(await data('topLongShortAccountRatio')).toEqual([onlyShort]);
    expect(await data('topLongShortPositionRatio')).toEqual([onlyShort]);
  });

  test('takerlongshortRatio: takers bought 3 and sold 0.5', async () => {
    expect(await data('takerlongshortRatio')).toEqual([
      { buySellRatio: '6', buyVol: '3', sellVol: '0.5', timestamp: at(0) },
    ]);
  });

  test('basis: the last price against the index of the same time', async () => {
    const fields = { pair: symbol, contractType: 'PERPETUAL' };
    // The last trade was at 119, the index at the end of the five minutes 120.
    expect(await data('basis', fields)).toEqual([
      {
        pair: symbol,
        contractType: 'PERPETUAL',
        futuresPrice: '119',
        indexPrice: '120',
        basis: '-1',
        basisRate: '-0.0083',
        annualizedBasisRate: '',
        timestamp: at(0),
      },
    ]);
  });

  test('delivery-price: perpetuals are never delivered', async () => {
    expect(await data('delivery-price', { pair: symbol })).toEqual([]);
    expect(await data('delivery-price')).toEqual(mandatory('pair').body);
  });

  test('errors and unknown paths are reported by code and msg', async () => {
    expect(await data('openInterestHist', { period: '7m' })).toEqual(invalid('period').body);
    expect(await data('openInterestHist', { symbol: '' })).toEqual(mandatory('symbol').body);
    expect(await data('openInterestHist', { symbol: 'NO' })).toMatchObject({ code: -1121 });
    expect(await data('openInterestHist', { limit: 501 })).toEqual(illegal('limit').body);
    const unknown = await service.spot.call({ path: '/futures/data/nothing' });
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: -1000, msg: /./ }]);
  });
});

describe('the index and the hours', () => {
  test("constituents: the price's source, with its whole weight", async () => {
    expect(await read('/v1/constituents', { symbol })).toEqual({
      symbol,
      time: expect.any(Number) as number,
      constituents: [{ exchange: 'operator', symbol, price: '122', weight: '1' }],
    });
    expect(await read('/v1/constituents', { symbol: quiet })).toMatchObject({ constituents: [] });
    expect(await service.read('/v1/constituents')).toEqual(mandatory('symbol'));
  });

  test('assetIndex and tradingSchedule: margin is USDT only, and markets trade at all hours', async () => {
    expect(await read('/v1/assetIndex')).toEqual([]);
    expect(await read('/v1/assetIndex', { symbol: 'BTCUSD' })).toMatchObject({ code: -1121 });
    const updateTime = expect.any(Number) as number;
    expect(await read('/v1/tradingSchedule')).toEqual({ updateTime, marketSchedules: {} });
  });
});
