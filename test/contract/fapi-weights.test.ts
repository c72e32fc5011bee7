import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// What each call weighs, the headers that report it, and what happens once a limit is reached.

let service: FapiService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  trader = await service.derivatives.nextTrader();
});
afterAll(() => service.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Fields = Readonly<Record<string, string>>;
type Row = readonly [weight: number, method: Method, path: string, fields: string];

const get = (weight: number, path: string, fields = ''): Row => [weight, 'GET', path, fields];

// `S` stands for a market.
const table: readonly Row[] = [
  get(1, '/v1/ping'),
  get(1, '/v1/time'),
  get(1, '/v1/exchangeInfo'),
  ...([5, 10, 20, 50] as const).map((limit) => get(2, '/v1/depth', `symbol=S&limit=${limit}`)),
  get(5, '/v1/depth', 'symbol=S&limit=100'),
  get(10, '/v1/depth', 'symbol=S&limit=500'),
  get(10, '/v1/depth', 'symbol=S'),
  get(20, '/v1/depth', 'symbol=S&limit=1000'),
  get(20, '/v1/depth', 'symbol=S&LIMIT=1000'),
  get(5, '/v1/trades', 'symbol=S'),
  get(20, '/v1/historicalTrades', 'symbol=S'),
  get(20, '/v1/aggTrades', 'symbol=S'),
  get(1, '/v1/klines', 'symbol=S&interval=1m&limit=99'),
  get(2, '/v1/klines', 'symbol=S&interval=1m&limit=100'),
  get(5, '/v1/klines', 'symbol=S&interval=1m&limit=500'),
  get(5, '/v1/klines', 'symbol=S&interval=1m'),
  get(5, '/v1/klines', 'symbol=S&interval=1m&limit=1000'),
  get(10, '/v1/klines', 'symbol=S&interval=1m&limit=1001'),
  get(1, '/v1/continuousKlines', 'pair=S&contractType=PERPETUAL&interval=1m&limit=1'),
  get(1, '/v1/premiumIndex', 'symbol=S'),
  get(10, '/v1/premiumIndex'),
  get(1, '/v1/fundingRate'),
  get(1, '/v1/fundingRate', 'limit=100'),
  get(5, '/v1/fundingRate', 'limit=101'),
  get(5, '/v1/fundingRate', 'symbol=S&limit=1000'),
  get(1, '/v1/fundingInfo'),
  get(1, '/v1/ticker/24hr', 'symbol=S'),
  get(40, '/v1/ticker/24hr'),
  get(1, '/v1/ticker/price', 'symbol=S'),
  get(2, '/v1/ticker/price'),
  get(1, '/v2/ticker/price', 'symbol=S'),
  get(2, '/v2/ticker/price'),
  get(2, '/v1/ticker/bookTicker', 'symbol=S'),
  get(5, '/v1/ticker/bookTicker'),
  get(1, '/v1/openInterest', 'symbol=S'),
  get(1, '/v1/insuranceBalance'),
  get(1, '/v1/symbolAdlRisk'),
  get(1, '/v1/markPriceKlines', 'symbol=S&interval=1m&limit=1'),
  get(1, '/v1/indexPriceKlines', 'pair=S&interval=1m&limit=1'),
  get(1, '/v1/premiumIndexKlines', 'symbol=S&interval=1m&limit=1'),
  get(10, '/v1/markPriceKlines', 'symbol=S&interval=1m&limit=1500'),
  get(3, '/v1/markPriceKlines', 'symbol=S&interval=30m&limit=99'),
  get(15, '/v1/indexPriceKlines', 'pair=S&interval=30m'),
  get(45, '/v1/markPriceKlines', 'symbol=S&interval=30m&limit=1500'),
  get(45, '/v1/markPriceKlines', 'symbol=S&interval=30m&limit=999999'),
  get(47, '/v1/premiumIndexKlines', 'symbol=S&interval=1M&limit=1500'),
  get(2, '/v1/constituents', 'symbol=S'),
  get(1, '/v1/assetIndex'),
  get(5, '/v1/tradingSchedule'),
  [0, 'POST', '/v1/order', 'symbol=S&side=BUY&type=LIMIT&quantity=1&price=90'],
  [1, 'POST', '/v1/order/test', 'symbol=S&side=BUY&type=LIMIT&quantity=1&price=90'],
  [0, 'PUT', '/v1/order', 'symbol=S&orderId=1&quantity=1&price=90'],
  [1, 'DELETE', '/v1/order', 'symbol=S&orderId=1'],
  get(1, '/v1/order', 'symbol=S&orderId=1'),
  get(1, '/v1/openOrder', 'symbol=S&orderId=1'),
  get(1, '/v1/openOrders', 'symbol=S'),
  get(40, '/v1/openOrders'),
  get(5, '/v1/allOrders', 'symbol=S'),
  get(1, '/v1/orderAmendment', 'symbol=S&orderId=1'),
  [5, 'POST', '/v1/batchOrders', 'batchOrders=[]'],
  [5, 'PUT', '/v1/batchOrders', 'batchOrders=[]'],
  [1, 'DELETE', '/v1/batchOrders', 'symbol=S&orderIdList=[1]'],
  [1, 'DELETE', '/v1/allOpenOrders', 'symbol=S'],
  [10, 'POST', '/v1/countdownCancelAll', 'symbol=S&countdownTime=0'],
  [0, 'POST', '/v1/algoOrder', 'symbol=S'],
  [1, 'DELETE', '/v1/algoOrder', 'algoId=1'],
  get(1, '/v1/algoOrder', 'algoId=1'),
  get(1, '/v1/openAlgoOrders', 'symbol=S'),
  get(40, '/v1/openAlgoOrders'),
  get(5, '/v1/allAlgoOrders', 'symbol=S'),
  [1, 'DELETE', '/v1/algoOpenOrders', 'symbol=S'],
  ...(['v1', 'v2', 'v3'] as const).flatMap((version) => [
    get(5, `/${version}/account`),
    get(5, `/${version}/balance`),
    get(5, `/${version}/positionRisk`),
  ]),
  get(5, '/v1/accountConfig'),
  get(5, '/v1/symbolConfig'),
  get(5, '/v1/userTrades', 'symbol=S'),
  get(30, '/v1/income'),
  get(30, '/v1/income', 'page=1&limit=1000'),
  get(31, '/v1/income', 'page=3'),
  get(1029, '/v1/income', 'page=1000&limit=1000'),
  get(20, '/v1/commissionRate', 'symbol=S'),
  get(1, '/v1/leverageBracket'),
  [1, 'POST', '/v1/leverage', 'symbol=S&leverage=20'],
  get(1, '/v1/marginType', 'symbol=S'),
  [1, 'POST', '/v1/marginType', 'symbol=S&marginType=CROSSED'],
  get(30, '/v1/positionSide/dual'),
  [1, 'POST', '/v1/positionSide/dual', 'dualSidePosition=false'],
  get(30, '/v1/multiAssetsMargin'),
  [1, 'POST', '/v1/multiAssetsMargin', 'multiAssetsMargin=false'],
  get(20, '/v1/forceOrders', 'symbol=S'),
  get(50, '/v1/forceOrders'),
  get(5, '/v1/adlQuantile'),
  get(1, '/v1/rateLimit/order'),
  get(30, '/v1/feeBurn'),
  [1, 'POST', '/v1/listenKey', ''],
  [1, 'PUT', '/v1/listenKey', ''],
  [1, 'DELETE', '/v1/listenKey', ''],
];

function fieldsOf(text: string): Fields {
  return Object.fromEntries(new URLSearchParams(text.replace('=S', `=${symbol}`)));
}

async function usedAfter(method: Method, path: string, fields: Fields): Promise<number> {
  const { headers } = await service.callWhole(method, path, trader, fields);
  return Number(headers['x-mbx-used-weight-1m']);
}

describe('weights', () => {
  test.each(table.map(([weight, method, path, fields]) => ({ weight, method, path, fields })))(
    'weight: $method $path $fields is $weight',
    async ({ weight, method, path, fields }) => {
      const added = async () => {
        const before = await usedAfter('GET', '/v1/ping', {});
        return (await usedAfter(method, path, fieldsOf(fields))) - before;
      };
      const first = await added();
      // A new minute may have begun in between; the next one is then far.
      expect(first === weight ? first : await added()).toBe(weight);
    },
  );

  test('weights: an order counts once in each limit, a batch five times and once', async () => {
    const counts = async (path: string, fields: Fields) => {
      const { headers } = await service.callWhole('POST', path, trader, fields);
      return [Number(headers['x-mbx-order-count-10s']), Number(headers['x-mbx-order-count-1m'])];
    };
    const order = fieldsOf('symbol=S&side=BUY&type=LIMIT&quantity=1&price=90');
    const batchOrders = JSON.stringify([order]);
    const measure = async () => {
      const all = [await counts('/v1/order', order), await counts('/v1/order', order)];
      all.push(await counts('/v1/batchOrders', { batchOrders }));
      return all
        .slice(1)
        .map((each, index) => each.map((n, kind) => n - (all[index]?.[kind] ?? 0)));
    };
    const expected = [
      [1, 1],
      [5, 1],
    ];
    const steps = await measure();
    const isWithinWindow = steps.flat().every((step) => step > 0);
    expect(isWithinWindow ? steps : await measure()).toEqual(expected);
  });
});

describe('limits', () => {
  let narrow: FapiService;
  let market: string;
  let caller: Address;
  beforeAll(async () => {
    narrow = await FapiService.open({
      limits: { requestWeightPerMinute: 30, ordersPerTenSeconds: 5, ordersPerMinute: 6 },
    });
    market = await narrow.derivatives.nextMarket();
    await narrow.derivatives.setIndex(market, '100');
    caller = await narrow.derivatives.nextTrader();
  });
  afterAll(() => narrow.close());

  test('limits: too many orders are 429 with -1015 and Retry-After, and none is placed', async () => {
    const terms = { symbol: market, side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
    const place = () => narrow.callWhole('POST', '/v1/order', caller, terms);
    let refused = await place();
    for (let sent = 1; sent <= 12 && refused.status === 200; sent += 1) refused = await place();
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 429,
      body: {
        code: -1015,
        msg: expect.stringMatching(
          /^Too many new orders; current limit is (5 orders per 10 seconds|6 orders per minute)\.$/,
        ) as string,
      },
    });
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  test('limits: too much weight is 429 with -1003 and Retry-After', async () => {
    const read = () =>
      narrow.callWhole('GET', '/v1/depth', caller, { symbol: market, limit: 1000 });
    let refused = await read();
    // Twice the limit at most, if a new minute begins.
    for (let sent = 1; sent <= 3 && refused.status === 200; sent += 1) refused = await read();
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 429,
      body: { code: -1003, msg: 'Too many requests.' },
    });
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });
});
