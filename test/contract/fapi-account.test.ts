import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, illegal, invalid, mandatory } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// Account, positions, settings and history of /fapi.

const dayMs = 86_400_000;

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader('10000');
  await service.done('POST', '/v1/leverage', trader, { symbol, leverage: 10 });
  service.derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 10 });
  service.derivatives.place(trader, { symbol, side: 'buy', quantity: 10 });
  service.derivatives.place(trader, { symbol, side: 'buy', price: 90, quantity: 1 });
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;
const get = (path: string, fields: Fields = {}, as = trader) =>
  service.call('GET', path, as, fields);
const read = <T>(path: string, fields: Fields = {}, as = trader) =>
  service.done<T>('GET', path, as, fields);
const post = (path: string, fields: Fields, as = trader) => service.call('POST', path, as, fields);
const anyTime = expect.any(Number) as number;

describe('account and positions', () => {
  // Bought 1000 USDT at 5 bps; 90 USDT rest; both at leverage 10.
  test('balance: one entry for USDT, the same in v1, v2 and v3', async () => {
    for (const version of ['v1', 'v2', 'v3']) {
      expect(await read(`/${version}/balance`)).toEqual([
        {
          accountAlias: expect.any(String) as string,
          asset: 'USDT',
          balance: '9999.5',
          crossWalletBalance: '9999.5',
          crossUnPnl: '0',
          availableBalance: '9890.5',
          maxWithdrawAmount: '9890.5',
          marginAvailable: true,
          updateTime: anyTime,
        },
      ]);
    }
  });

  test('account: totals add up in v2 and v3; v3 lists only markets with positions or orders', async () => {
    await service.derivatives.nextMarket();
    const totals = {
      totalInitialMargin: '109',
      totalMaintMargin: '4',
      totalWalletBalance: '9999.5',
      totalUnrealizedProfit: '0',
      totalMarginBalance: '9999.5',
      totalPositionInitialMargin: '100',
      totalOpenOrderInitialMargin: '9',
      totalCrossWalletBalance: '9999.5',
      totalCrossUnPnl: '0',
      availableBalance: '9890.5',
      maxWithdrawAmount: '9890.5',
    };
    const v3 = await read<{ positions: object[] }>('/v3/account');
    expect(v3).toMatchObject(totals);
    expect(v3.positions).toEqual([
      {
        symbol,
        positionSide: 'BOTH',
        positionAmt: '10',
        unrealizedProfit: '0',
        isolatedMargin: '0',
        notional: '1000',
        isolatedWallet: '0',
        initialMargin: '109',
        maintMargin: '4',
        updateTime: anyTime,
      },
    ]);
    for (const version of ['v1', 'v2']) {
      const account = await read<{ positions: object[] }>(`/${version}/account`);
      expect(account).toMatchObject({
        ...totals,
        feeTier: 0,
        canTrade: true,
        canDeposit: true,
        canWithdraw: true,
        multiAssetsMargin: false,
        assets: [{ asset: 'USDT', walletBalance: '9999.5' }],
      });
      expect(account.positions.length).toBeGreaterThan(1);
    }
  });

  test('positionRisk: v2 is an alias of v1, with leverage as text and marginType in lower case', async () => {
    const v1 = await read('/v1/positionRisk', { symbol });
    expect(v1).toEqual([
      {
        symbol,
        positionAmt: '10',
        entryPrice: '100',
        breakEvenPrice: '100.05',
        markPrice: '100',
        unRealizedProfit: '0',
        liquidationPrice: expect.any(String) as string,
        leverage: '10',
        maxNotionalValue: expect.any(String) as string,
        marginType: 'cross',
        isolatedMargin: '0',
        isAutoAddMargin: 'false',
        positionSide: 'BOTH',
        notional: '1000',
        isolatedWallet: '0',
        updateTime: anyTime,
      },
    ]);
    expect(await read('/v2/positionRisk', { symbol })).toEqual(v1);
  });

  test('positionRisk: v3 lists positions and ordered markets, with their margins', async () => {
    expect(await read('/v3/positionRisk')).toMatchObject([
      {
        symbol,
        positionAmt: '10',
        entryPrice: '100',
        marginAsset: 'USDT',
        adl: anyTime,
        initialMargin: '109',
        positionInitialMargin: '100',
        openOrderInitialMargin: '9',
        maintMargin: '4',
        bidNotional: '90',
        askNotional: '0',
      },
    ]);
    const other = await service.derivatives.nextMarket();
    expect(await read('/v3/positionRisk', { symbol: other })).toEqual([]);
    expect(await read('/v2/positionRisk', { symbol: other })).toMatchObject([
      { symbol: other, positionAmt: '0' },
    ]);
    expect(await read('/v3/positionRisk', {}, maker)).toMatchObject([
      { symbol, positionAmt: '-10', notional: '-1000' },
    ]);
  });

  test('positionRisk: -1121 for an unknown symbol', async () => {
    expect(await get('/v2/positionRisk', { symbol: 'NOPE' })).toEqual(
      error(-1121, 'Invalid symbol.'),
    );
  });

  test('account: a new account is all zeros', async () => {
    const stranger = '0x00000000000000000000000000000000000000aa' as Address;
    expect(await read('/v3/account', {}, stranger)).toMatchObject({
      totalWalletBalance: '0',
      availableBalance: '0',
      positions: [],
    });
    expect(await read('/v1/openOrders', {}, stranger)).toEqual([]);
    expect(await read('/v1/allOrders', { symbol }, stranger)).toEqual([]);
    expect(await read('/v1/income', {}, stranger)).toEqual([]);
  });
});

describe('settings', () => {
  test('leverage: an integer or its text is stored for the account and market', async () => {
    const other = await service.derivatives.nextMarket();
    for (const leverage of [5, '7']) {
      expect((await post('/v1/leverage', { symbol: other, leverage })).body).toEqual({
        leverage: Number(leverage),
        maxNotionalValue: expect.any(String) as string,
        symbol: other,
      });
    }
    expect(await read('/v1/symbolConfig', { symbol: other })).toMatchObject([
      { symbol: other, marginType: 'CROSSED', leverage: 7 },
    ]);
  });

  test('leverage: -4028 below 1 and above the maximum, -1102 malformed or missing', async () => {
    for (const leverage of [0, -1, 101]) {
      expect(await post('/v1/leverage', { symbol, leverage })).toEqual(
        error(-4028, `Leverage ${leverage} is not valid`),
      );
    }
    for (const leverage of ['1.5', 'x']) {
      expect(await post('/v1/leverage', { symbol, leverage })).toEqual(mandatory('leverage'));
    }
    expect(await post('/v1/leverage', { symbol })).toEqual(mandatory('leverage'));
  });

  test('marginType: GET is always CROSSED, POST CROSSED changes nothing, ISOLATED is -4046', async () => {
    expect(await read('/v1/marginType', { symbol })).toEqual({ symbol, marginType: 'CROSSED' });
    const cross = () => post('/v1/marginType', { symbol, marginType: 'CROSSED' });
    expect((await cross()).body).toEqual({ code: 200, msg: 'success' });
    expect((await cross()).body).toEqual({ code: 200, msg: 'success' });
    const isolated = await post('/v1/marginType', { symbol, marginType: 'ISOLATED' });
    expect(isolated).toMatchObject({ status: 400, body: { code: -4046 } });
    expect(await post('/v1/marginType', { symbol, marginType: 'NONE' })).toMatchObject({
      status: 400,
      body: { code: -1128 },
    });
  });

  test('positionSide/dual: true is -4059; false is accepted, as a boolean or as text', async () => {
    for (const dualSidePosition of [true, 'true', 'TRUE']) {
      expect(await post('/v1/positionSide/dual', { dualSidePosition })).toMatchObject({
        status: 400,
        body: { code: -4059 },
      });
    }
    const maybe = await post('/v1/positionSide/dual', { dualSidePosition: 'maybe' });
    expect(maybe).toEqual(mandatory('dualSidePosition'));
    for (const dualSidePosition of [false, 'false']) {
      expect((await post('/v1/positionSide/dual', { dualSidePosition })).status).toBe(200);
    }
    const path = '/fapi/v1/positionSide/dual';
    const body = { dualSidePosition: true };
    const json = await service.spot.callSigned({ method: 'POST', path, as: trader, body });
    expect(json.body).toMatchObject({ code: -4059 });
    expect(await read('/v1/positionSide/dual')).toEqual({ dualSidePosition: false });
  });

  test('commissionRate: base rate x discount multiplier', async () => {
    const rates = { symbol, rpiCommissionRate: expect.any(String) as string };
    expect(await read('/v1/commissionRate', { symbol })).toEqual({
      ...rates,
      makerCommissionRate: '0.0002',
      takerCommissionRate: '0.0005',
    });
    const accountId = service.derivatives.accountOf(trader);
    const fees = { type: 'setAccountFees', accountId, referralDiscountBps: 0 } as const;
    service.derivatives.apply({ ...fees, vipTier: 3, vipMultiplierTenths: 7 });
    expect(await read('/v1/commissionRate', { symbol })).toEqual({
      ...rates,
      makerCommissionRate: '0.00014',
      takerCommissionRate: '0.00035',
    });
    service.derivatives.apply({ ...fees, vipTier: 0, vipMultiplierTenths: 10 });
  });

  test('leverageBracket: floors equal the caps below, and ratios are numbers', async () => {
    interface Entry {
      readonly symbol: string;
      readonly brackets: readonly Record<string, number>[];
    }
    const entry = await read<Entry>('/v1/leverageBracket', { symbol });
    expect(await read<Entry[]>('/v1/leverageBracket')).toContainEqual(entry);
    const { brackets } = entry;
    expect(entry.symbol).toBe(symbol);
    expect(brackets[0]).toMatchObject({
      bracket: 1,
      initialLeverage: 100,
      notionalFloor: 0,
      maintMarginRatio: 0.004,
      cum: 0,
    });
    brackets.slice(1).forEach((bracket, index) => {
      expect(bracket['notionalFloor']).toBe(brackets[index]?.['notionalCap']);
    });
  });
});

describe('history', () => {
  test('userTrades: each field of a trade, and only of the order asked for', async () => {
    const trades = await read<{ orderId: number }[]>('/v1/userTrades', { symbol });
    expect(trades).toEqual([
      {
        id: anyTime,
        orderId: anyTime,
        symbol,
        side: 'BUY',
        positionSide: 'BOTH',
        price: '100',
        qty: '10',
        quoteQty: '1000',
        realizedPnl: '0',
        commission: '0.5',
        commissionAsset: 'USDT',
        marginAsset: 'USDT',
        buyer: true,
        maker: false,
        time: anyTime,
      },
    ]);
    const orderId = trades[0]?.orderId ?? 0;
    expect(await read('/v1/userTrades', { symbol, orderId })).toEqual(trades);
    expect(await read('/v1/userTrades', { symbol, orderId: orderId + 1 })).toEqual([]);
    expect(await read('/v1/userTrades', { symbol }, maker)).toMatchObject([
      { side: 'SELL', maker: true, buyer: false, commission: '0.2' },
    ]);
  });

  test('userTrades: -1102 without a symbol, -1128 for fromId together with times', async () => {
    expect(await get('/v1/userTrades')).toEqual(mandatory('symbol'));
    expect(await get('/v1/userTrades', { symbol, fromId: 1, startTime: 1 })).toMatchObject({
      status: 400,
      body: { code: -1128 },
    });
  });

  test('history: -1100 for a query window over 7 days, everywhere', async () => {
    const endTime = Date.now();
    const long = { symbol, startTime: endTime - 7 * dayMs - 1, endTime };
    const whole = { ...long, startTime: endTime - 7 * dayMs };
    for (const path of ['allOrders', 'userTrades', 'income', 'allAlgoOrders', 'forceOrders']) {
      expect(await get(`/v1/${path}`, long)).toEqual(illegal('endTime'));
      expect((await get(`/v1/${path}`, whole)).status).toBe(200);
    }
  });

  test('income: combines transfers, fees and realized profit; filtered and paged', async () => {
    const rows = await read<{ incomeType: string; income: string }[]>('/v1/income');
    expect(rows.map(({ incomeType, income }) => `${incomeType} ${income}`)).toEqual([
      'TRANSFER 10000',
      'COMMISSION -0.5',
    ]);
    expect(rows[1]).toEqual({
      symbol,
      incomeType: 'COMMISSION',
      income: '-0.5',
      asset: 'USDT',
      info: expect.any(String) as string,
      time: anyTime,
      tranId: anyTime,
      tradeId: expect.stringMatching(/^\d+$/) as string,
    });
    expect(await read('/v1/income', { incomeType: 'COMMISSION' })).toEqual([rows[1]]);
    expect(await read('/v1/income', { symbol })).toEqual([rows[1]]);
    expect(await read('/v1/income', { limit: 1, page: 2 })).toEqual([rows[1]]);
    // A type of Binance's that never occurs here.
    expect(await read('/v1/income', { incomeType: 'WELCOME_BONUS' })).toEqual([]);
    expect(await get('/v1/income', { incomeType: 'GIFT' })).toEqual(invalid('incomeType'));
  });

  test('allOrders: from an order on, from a time on, or the newest; limit at most 1000', async () => {
    const all = await read<{ orderId: number; time: number }[]>('/v1/allOrders', { symbol });
    expect(all).toHaveLength(2);
    const [first, second] = all;
    const orderId = second?.orderId ?? 0;
    expect(await read('/v1/allOrders', { symbol, orderId })).toEqual([second]);
    expect(await read('/v1/allOrders', { symbol, limit: 1 })).toEqual([second]);
    const startTime = first?.time ?? 0;
    expect(await read('/v1/allOrders', { symbol, startTime, limit: 1 })).toEqual([first]);
    expect((await get('/v1/allOrders', { symbol, limit: 1000 })).status).toBe(200);
    for (const limit of ['0', '-1', 'x', '1001']) {
      expect(await get('/v1/allOrders', { symbol, limit })).toEqual(illegal('limit'));
    }
  });

  test.each([
    ['allAlgoOrders', 1000],
    ['userTrades', 1000],
    ['income', 1000],
    ['forceOrders', 100],
  ])('%s: limit at most %i, more is -1100', async (path, most) => {
    expect((await get(`/v1/${path}`, { symbol, limit: most })).status).toBe(200);
    expect(await get(`/v1/${path}`, { symbol, limit: most + 1 })).toEqual(illegal('limit'));
  });

  test("history: -2013 for another account's order", async () => {
    const [order] = await read<{ orderId: number }[]>('/v1/allOrders', { symbol });
    const { orderId = 0 } = order ?? {};
    expect(await get('/v1/order', { symbol, orderId }, maker)).toEqual(
      error(-2013, 'Order does not exist.'),
    );
    expect(await get('/v1/order', { symbol })).toEqual(mandatory('orderId'));
  });

  test('history: -1000, status 500, while the storage is down', async () => {
    service.spot.isDatabaseDown = true;
    const reply = await get('/v1/userTrades', { symbol });
    service.spot.isDatabaseDown = false;
    expect(reply).toEqual(error(-1000, 'An unknown error occurred.', 500));
  });
});
