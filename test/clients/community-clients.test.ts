import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified `binance-api-node` and `node-binance-api`, pointed at the running service by their
// URLs alone. What the tests use of them is named here, as their declarations are not strict.

type Row = Readonly<Record<string, unknown>>;
type Call = (parameters?: Row) => Promise<unknown>;
type Listener = (event: Row) => void;

type ApiNodeClient = {
  readonly ws: Readonly<
    Record<'futuresDepth' | 'futuresAggTrades', (s: string, on: Listener) => unknown>
  > & { readonly futuresUser: (on: Listener) => Promise<unknown> };
} & Readonly<
  Record<
    | 'futuresOrder'
    | 'futuresUpdateOrder'
    | 'futuresOpenOrders'
    | 'futuresCancelOrder'
    | 'futuresAccountBalance'
    | 'futuresPositionRisk'
    | 'futuresUserTrades'
    | 'futuresBook',
    Call
  >
>;

type NodeBinanceMethod =
  | 'futuresLimitOrder'
  | 'futuresMarketBuy'
  | 'futuresOrder'
  | 'futuresAllAlgoOrders'
  | 'futuresCancelAlgoOrder'
  | 'futuresMultipleOrders'
  | 'futuresCancelMultipleOrders'
  | 'futuresOpenOrders';

interface NodeBinanceClient
  extends Readonly<Record<NodeBinanceMethod, (...values: readonly unknown[]) => Promise<Row>>> {
  getFStreamSingleUrl: (category: string) => string;
  getFStreamUrl: (category: string) => string;
  readonly userFutureData: (
    all: Listener | undefined,
    margin: Listener | undefined,
    account: Listener | undefined,
    order: Listener | undefined,
    subscribed: () => void,
  ) => void;
  readonly futuresTerminate: (endpoint: string) => void;
  readonly futuresSubscriptions: Row;
  readonly futuresBalance: () => Promise<readonly Row[]>;
  readonly futuresPositionRisk: () => Promise<readonly Row[]>;
  readonly futuresPrices: () => Promise<Row>;
}

const load = createRequire(import.meta.url);

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
  });
  afterAll(() => floor.close());

  const sockets = (): string => floor.url.replace('http', 'ws');

  function connectApiNode(keys: ApiKeyPair): ApiNodeClient {
    const { default: make } = load('binance-api-node') as {
      readonly default: (options: object) => ApiNodeClient;
    };
    const wsUrl = sockets();
    return make({
      ...keys,
      httpBase: floor.url,
      httpFutures: floor.url,
      wsFuturesPublic: `${wsUrl}/public/ws`,
      wsFuturesMarket: `${wsUrl}/market/ws`,
      wsFuturesPrivate: `${wsUrl}/private/ws`,
    });
  }

  function connectNodeBinance({ apiKey, apiSecret }: ApiKeyPair): NodeBinanceClient {
    type Client = new (options: object) => NodeBinanceClient;
    const module = load('node-binance-api') as Client | { readonly default: Client };
    const Client = 'default' in module ? module.default : module;
    const urls = { base: `${floor.url}/api/`, fapi: `${floor.url}/fapi/` };
    const client = new Client({ APIKEY: apiKey, APISECRET: apiSecret, urls });
    client.getFStreamSingleUrl = (category) => `${sockets()}/${category}/ws/`;
    client.getFStreamUrl = (category) => `${sockets()}/${category}/stream?streams=`;
    return client;
  }

  test('binance-api-node: trades, reads its account, and sees its fills and the market', async () => {
    const symbol = 'BTCUSDT';
    const maker = connectApiNode(await floor.addTrader());
    const taker = connectApiNode(await floor.addTrader());
    const seen: string[] = [];
    const note: Listener = ({ eventType }) => void seen.push(String(eventType));
    const stops = [
      await taker.ws.futuresUser(note),
      taker.ws.futuresDepth(symbol, note),
      taker.ws.futuresAggTrades(symbol, note),
    ] as ((options: object) => unknown)[];
    try {
      const resting = { symbol, side: 'SELL', type: 'LIMIT', quantity: '0.1', price: '50000' };
      const { orderId } = (await maker.futuresOrder(resting)) as Row;
      await maker.futuresUpdateOrder({ ...resting, orderId, quantity: '0.2' });
      const market = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.1' };
      expect(await taker.futuresOrder({ ...market, newOrderRespType: 'RESULT' })).toMatchObject({
        status: 'FILLED',
        avgPrice: '50000',
      });
      const stop = { symbol, side: 'SELL', type: 'STOP_MARKET', stopPrice: '45000' };
      const { algoId } = (await taker.futuresOrder({ ...stop, closePosition: 'true' })) as Row;
      expect(await taker.futuresOpenOrders({ symbol, conditional: true })).toMatchObject([
        { algoId },
      ]);
      await taker.futuresCancelOrder({ symbol, algoId, conditional: true });
      expect(await taker.futuresOpenOrders({ symbol })).toEqual([]);

      expect(await taker.futuresAccountBalance()).toMatchObject([{ balance: '49997.5' }]);
      expect(await taker.futuresPositionRisk({ symbol })).toMatchObject([{ positionAmt: '0.1' }]);
      expect(await taker.futuresUserTrades({ symbol })).toMatchObject([{ commission: '2.5' }]);
      expect(await taker.futuresBook({ symbol })).toMatchObject({
        asks: [{ price: '50000', quantity: '0.1' }],
      });
      const wanted = ['ORDER_TRADE_UPDATE', 'ACCOUNT_UPDATE', 'depthUpdate', 'aggTrade'];
      await expect.poll(() => seen).toEqual(expect.arrayContaining(wanted));
    } finally {
      for (const stop of stops) stop({ delay: 0, fastClose: true, keepClosed: true });
    }
  });

  test('node-binance-api: trades, reads its account, and sees its fills', async () => {
    const symbol = 'ETHUSDT';
    const maker = connectNodeBinance(await floor.addTrader());
    const taker = connectNodeBinance(await floor.addTrader());
    const seen: string[] = [];
    const note: Listener = ({ e }) => void seen.push(String(e));
    await new Promise<void>((subscribed) => {
      taker.userFutureData(note, undefined, undefined, undefined, subscribed);
    });
    try {
      await maker.futuresLimitOrder('SELL', symbol, 1, 3000);
      await expect
        .poll(async () => {
          // The client calls back before its socket is open; only events show that it is.
          await taker.futuresMarketBuy(symbol, 0.1);
          return seen;
        })
        .toEqual(expect.arrayContaining(['ORDER_TRADE_UPDATE', 'ACCOUNT_UPDATE']));
      const [{ algoId } = {}] = [
        await taker.futuresOrder('STOP_MARKET', 'SELL', symbol, 0.1, undefined, {
          stopPrice: 2800,
          reduceOnly: true,
        }),
      ];
      expect(await taker.futuresAllAlgoOrders(symbol)).toMatchObject([{ algoId }]);
      expect(await taker.futuresCancelAlgoOrder(symbol, algoId)).toMatchObject({ code: '200' });
      const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1' };
      const placed = (await taker.futuresMultipleOrders([
        { ...order, price: '2500' },
        { ...order, price: '2501' },
      ])) as unknown as readonly Row[];
      const orderIdList = JSON.stringify(placed.map(({ orderId }) => orderId));
      expect(await taker.futuresCancelMultipleOrders(symbol, { orderIdList })).toMatchObject([
        { status: 'CANCELED' },
        { status: 'CANCELED' },
      ]);
      expect(await taker.futuresOpenOrders(symbol)).toEqual([]);
      expect(await taker.futuresPositionRisk()).toMatchObject([{ symbol, entryPrice: '3000' }]);
      expect(await taker.futuresBalance()).toMatchObject([{ asset: 'USDT' }]);
      expect(await taker.futuresPrices()).toMatchObject({ ETHUSDT: '3000' });
    } finally {
      for (const endpoint of Object.keys(taker.futuresSubscriptions))
        taker.futuresTerminate(endpoint);
    }
  });
});
