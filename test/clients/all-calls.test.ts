import { createRequire } from 'node:module';
import { MainClient, USDMClient } from 'binance';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { connectCcxtBinance } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';
import { type Arguments, CallContext, methodsOf, symbol } from './calls/call-context.ts';
import type { Dialect } from './calls/client-calls.ts';
import * as futures from './calls/futures-arguments.ts';
import { argumentsOfCcxtSpot } from './calls/spot-arguments.ts';

// Every method of every unmodified client that has to do with futures, and those of spot that are
// served, called once each under both dialects. What each came to goes into the report, of which
// `npm run docs:clients` makes the tables of docs/clients.md.

const load = createRequire(import.meta.url);
const dialects: readonly Dialect[] = ['interface', 'binance'];

describe.each(dialects)('dialect %s', (dialect) => {
  let floor: TradingFloor;
  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    const { spot } = await spotClient(floor);
    const sell = { symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' } as const;
    // Someone to trade with, on both sides and in both markets.
    await spot.submitNewOrder({ ...sell, quantity: 5, price: 3_000 });
    const { apiKey: api_key, apiSecret: api_secret } = await floor.addTrader();
    const maker = new USDMClient({ api_key, api_secret, baseUrl: floor.url });
    await maker.submitNewOrder({ ...sell, quantity: 5, price: 3_000 });
    await maker.submitNewOrder({ ...sell, side: 'BUY', quantity: 5, price: 2_990 });
  });
  afterAll(() => floor.close());

  const open = (client: string): Promise<CallContext> => CallContext.open(floor, client, dialect);

  /** At least that many calls, none of which ends without an answer that says why. */
  function judge({ calls }: CallContext, test: TestContext, callsMin: number): void {
    calls.report(test);
    expect(calls.failures).toEqual([]);
    expect(calls.count).toBeGreaterThanOrEqual(callsMin);
    expect(calls.methodsThat('refused: -1000')).toEqual([]);
  }

  test('ccxt: every path of futures and spot', async (test) => {
    const context = await open('ccxt');
    const client = connectCcxtBinance(floor.url, context.keys);
    const names: string[] = [];
    for (const name in client) {
      if (/^fapi(Public|Private|Data)(V[23])?(Get|Post|Put|Delete)[A-Z]/.test(name))
        names.push(name);
    }
    await context.callAll(client, inOrder(names), futures.argumentsOfCcxt(context));
    const spotNames: string[] = [];
    for (const name in client) {
      if (/^(public|private)(Get|Post|Put|Delete)[A-Z]/.test(name)) spotNames.push(name);
    }
    await context.callAll(client, inOrder(spotNames), argumentsOfCcxtSpot(context));
    judge(context, test, 130);
    expect(context.calls.methodsThat('works')).toEqual(
      expect.arrayContaining([
        'fapiPrivatePostOrder',
        'fapiPrivateDeleteOrder',
        'privatePostOrder',
        'privateDeleteOrder',
        'publicGetTickerTradingDay',
      ]),
    );
  });

  test('binance: every method of USDMClient, and spot’s of MainClient', async (test) => {
    const context = await open('binance');
    const { apiKey: api_key, apiSecret: api_secret } = context.keys;
    const options = { api_key, api_secret, baseUrl: floor.url };
    const names = methodsOf(USDMClient.prototype, ['validateOrderId']);
    await context.callAll(
      new USDMClient(options),
      names.filter((name) => !name.includes('Broker')),
      futures.argumentsOfBinance(context),
    );
    await context.callAll(new MainClient(options), spotMethods, spotArguments);
    judge(context, test, 100);
    expect(context.calls.methodsThat('works')).toEqual(
      expect.arrayContaining(['submitNewOrder', 'getFuturesOrderHistoryDownloadId', 'getKlines']),
    );
  });

  test('official SDK: every method of its REST API', async (test) => {
    const context = await open('@binance/derivatives-trading-usds-futures');
    const { DerivativesTradingUsdsFutures } = load('@binance/derivatives-trading-usds-futures') as {
      readonly DerivativesTradingUsdsFutures: new (options: object) => { readonly restAPI: object };
    };
    const { restAPI } = new DerivativesTradingUsdsFutures({
      configurationRestAPI: { ...context.keys, basePath: floor.url, timeout: 30_000, retries: 1 },
    });
    const left = ['sendRequest', 'sendSignedRequest'];
    const names = methodsOf(Object.getPrototypeOf(restAPI) as object, left);
    await context.callAll(restAPI, inOrder(names), futures.argumentsOfOfficial(context));
    await cycle(context, restAPI, ['newOrder', 'currentAllOpenOrders', 'cancelAllOpenOrders']);
    judge(context, test, 100);
    expect(context.calls.methodsThat('works')).toEqual(
      expect.arrayContaining(['newOrder', 'cancelOrder', 'accountInformationV3']),
    );
  });

  test('binance-api-node: every method of futures, and spot’s', async (test) => {
    const context = await open('binance-api-node');
    const { default: make } = load('binance-api-node') as {
      readonly default: (options: object) => Readonly<Record<string, unknown>>;
    };
    const client = make({ ...context.keys, httpBase: floor.url, httpFutures: floor.url });
    const spotNames = [
      'ping',
      'time',
      'exchangeInfo',
      'book',
      'aggTrades',
      'candles',
      'trades',
      'dailyStats',
      'prices',
      'avgPrice',
      'allBookTickers',
      'order',
      'orderTest',
      'openOrders',
      'allOrders',
      'cancelOpenOrders',
      'accountInfo',
      'myTrades',
      'getDataStream',
      'closeDataStream',
    ];
    const names = Object.keys(client).filter((name) => /^futures|MultiAssetsMargin$/.test(name));
    const given = futures.argumentsOfApiNode(context);
    await context.callAll(client, inOrder([...names, ...spotNames]), given);
    await cycle(context, client, [
      'futuresOrder',
      'futuresOpenOrders',
      'futuresCancelAllOpenOrders',
    ]);
    judge(context, test, 100);
    expect(context.calls.methodsThat('works')).toEqual(
      expect.arrayContaining(['futuresOrder', 'futuresCancelOrder', 'order']),
    );
  });

  test('node-binance-api: every method of futures', async (test) => {
    const context = await open('node-binance-api');
    type Client = new (options: object) => object;
    const module = load('node-binance-api') as Client | { readonly default: Client };
    const Client = 'default' in module ? module.default : module;
    const { apiKey: APIKEY, apiSecret: APISECRET } = context.keys;
    const urls = { base: `${floor.url}/api/`, fapi: `${floor.url}/fapi/` };
    const client = new Client({ APIKEY, APISECRET, urls });
    const names = methodsOf(Client.prototype as object).filter(
      (name) =>
        name.startsWith('futures') &&
        !/Stream$|Socket|Subscribe|Terminate|Kline|Latency|Chart|Request$|Transfer/.test(name),
    );
    const streams = ['futuresGetDataStream', 'futuresKeepDataStream', 'futuresCloseDataStream'];
    const given: Arguments = {
      ...Object.fromEntries(names.map((name) => [name, () => [symbol]])),
      ...Object.fromEntries(wholeReads.map((name) => [name, () => [{}]])),
      ...futures.argumentsOfNodeBinance(context),
    };
    await context.callAll(client, inOrder([...names, ...streams]), given);
    const cycled = ['futuresLimitOrder', 'futuresOpenOrders', 'futuresCancelAll'];
    await cycle(context, client, cycled, given);
    judge(context, test, 100);
    expect(context.calls.methodsThat('works')).toEqual(
      expect.arrayContaining(['futuresLimitOrder', 'futuresCancel', 'futuresBalance']),
    );
  });

  /** The life of an order, again and again. */
  async function cycle(
    context: CallContext,
    client: object,
    names: readonly string[],
    given: Arguments = {
      newOrder: () => limitOrder,
      futuresOrder: () => limitOrder,
    },
  ): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await context.callAll(client, names, given);
  }
});

const limitOrder = {
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.1',
  price: '2500',
};

/** Methods of node-binance-api that take no symbol first. */
const wholeReads = [
  'futuresPing',
  'futuresTime',
  'futuresExchangeInfo',
  'futuresPrices',
  'futuresDaily',
  'futuresPositionRisk',
  'futuresPositionRiskV2',
  'futuresIncome',
  'futuresBalance',
  'futuresAccount',
  'futuresPositionSideDual',
  'futuresSymbolConfig',
  'futuresForceOrders',
  'futuresDeleverageQuantile',
];

// What ends the listen key comes last, so that the others have one.
function inOrder(names: readonly string[]): readonly string[] {
  const rank = (name: string): number =>
    /^(fapiPrivateDelete|close|futuresClose).*(ListenKey|DataStream)$/.test(name)
      ? 2
      : /ListenKey$|DataStream$/.test(name)
        ? 1
        : 0;
  const issuing = (name: string): number => (/Post|^start|Get/.test(name) ? 0 : 1);
  return [...new Set(names)].sort(
    (left, right) =>
      rank(left) - rank(right) || (rank(left) > 0 ? issuing(left) - issuing(right) : 0),
  );
}

const spotMethods = [
  'getOrderBook',
  'getRecentTrades',
  'getAggregateTrades',
  'getKlines',
  'getAvgPrice',
  'get24hrChangeStatistics',
  'getSymbolPriceTicker',
  'getSymbolOrderBookTicker',
  'submitNewOrder',
  'testNewOrder',
  'getOpenOrders',
  'cancelAllSymbolOrders',
  'getAllOrders',
  'getAccountInformation',
  'getAccountTradeList',
  'getSpotUserDataListenKey',
];
const spotArguments: Arguments = {
  submitNewOrder: () => limitOrder,
  testNewOrder: () => limitOrder,
  ...Object.fromEntries(
    [
      'getOrderBook',
      'get24hrChangeStatistics',
      'getSymbolPriceTicker',
      'getSymbolOrderBookTicker',
    ].map((name) => [name, () => ({ symbol })]),
  ),
};

async function spotClient(floor: TradingFloor): Promise<{ readonly spot: MainClient }> {
  const { apiKey: api_key, apiSecret: api_secret } = await floor.addTrader({ ETH: '10' });
  return { spot: new MainClient({ api_key, api_secret, baseUrl: floor.url }) };
}
