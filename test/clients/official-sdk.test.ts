import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TradingFloor } from '../support/trading-floor.ts';

// Binance's own SDK, unmodified, pointed at the running service by its base URLs alone. Its enums
// are not exported, so what the tests use of it is named here.

type Parameters = Readonly<Record<string, unknown>>;

interface Order {
  readonly orderId: number;
}

interface RestAnswer {
  readonly data: () => Promise<unknown>;
  readonly rateLimits: unknown;
}

interface EventStream {
  readonly on: (event: 'message', listener: (event: unknown) => void) => void;
}

interface Streams {
  readonly userData: (listenKey: string) => EventStream;
  readonly aggregateTradeStreams: (parameters: Parameters) => EventStream;
  readonly diffBookDepthStreams: (parameters: Parameters) => EventStream;
  readonly markPriceStream: (parameters: Parameters) => EventStream;
  readonly disconnect: () => Promise<void>;
}

type RestMethod =
  | 'exchangeInformation'
  | 'orderBook'
  | 'markPrice'
  | 'newOrder'
  | 'modifyOrder'
  | 'currentAllOpenOrders'
  | 'cancelOrder'
  | 'placeMultipleOrders'
  | 'modifyMultipleOrders'
  | 'cancelMultipleOrders'
  | 'startUserDataStream'
  | 'accountInformationV3'
  | 'positionInformationV3'
  | 'accountTradeList'
  | 'getIncomeHistory'
  | 'changeInitialLeverage'
  | 'futuresAccountConfiguration'
  | 'queryInsuranceFundBalanceSnapshot'
  | 'getBnbBurnStatus'
  | 'newAlgoOrder'
  | 'queryAlgoOrder'
  | 'cancelAlgoOrder'
  | 'currentAllAlgoOpenOrders'
  | 'cancelAllAlgoOpenOrders';
type SocketMethod =
  | 'newOrder'
  | 'modifyOrder'
  | 'queryOrder'
  | 'cancelOrder'
  | 'positionInformationV2'
  | 'futuresAccountBalanceV2';
type Methods<Name extends string, Answered> = Readonly<
  Record<Name, (parameters?: Parameters) => Promise<Answered>>
>;

interface OfficialClient {
  readonly restAPI: Methods<RestMethod, RestAnswer>;
  readonly websocketStreams: { readonly connect: () => Promise<Streams> };
  readonly websocketAPI: {
    readonly connect: () => Promise<
      Methods<SocketMethod, { readonly data: unknown }> & Pick<Streams, 'disconnect'>
    >;
  };
}

const { DerivativesTradingUsdsFutures } = createRequire(import.meta.url)(
  '@binance/derivatives-trading-usds-futures',
) as { readonly DerivativesTradingUsdsFutures: new (options: object) => OfficialClient };

const symbol = 'ETHUSDT';

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  let maker: OfficialClient;
  let taker: OfficialClient;

  async function connect(): Promise<OfficialClient> {
    const keys = await floor.addTrader();
    const sockets = floor.url.replace('http', 'ws');
    return new DerivativesTradingUsdsFutures({
      configurationRestAPI: { ...keys, basePath: floor.url, timeout: 5_000 },
      configurationWebsocketStreams: { wsURL: sockets },
      configurationWebsocketAPI: { ...keys, wsURL: `${sockets}/ws-fapi/v1` },
    });
  }

  async function dataOf<T = unknown>(call: Promise<RestAnswer>): Promise<T> {
    return (await (await call).data()) as T;
  }

  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    maker = await connect();
    taker = await connect();
  });
  afterAll(() => floor.close());

  test('official SDK: markets load, and each response reports how much of the limits is used', async () => {
    const answer = await maker.restAPI.exchangeInformation();
    expect(await answer.data()).toMatchObject({
      symbols: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }],
    });
    expect(answer.rateLimits).toMatchObject([
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1 },
    ]);
    expect(await dataOf(maker.restAPI.orderBook({ symbol }))).toMatchObject({ bids: [], asks: [] });
    expect(await dataOf(maker.restAPI.markPrice({ symbol }))).toMatchObject({ markPrice: '3000' });
  });

  test('official SDK: orders are placed, amended, batched and canceled', async () => {
    const rest = maker.restAPI;
    const terms = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
    const { orderId } = await dataOf<Order>(
      rest.newOrder({ ...terms, quantity: 0.5, price: 2900 }),
    );
    expect(
      await dataOf(rest.modifyOrder({ symbol, side: 'BUY', orderId, quantity: 0.6, price: 2890 })),
    ).toMatchObject({ orderId, origQty: '0.6', price: '2890', status: 'NEW' });
    const open = await dataOf<Order[]>(rest.currentAllOpenOrders({ symbol }));
    expect(open.map((each) => each.orderId)).toEqual([orderId]);
    expect(await dataOf(rest.cancelOrder({ symbol, orderId }))).toMatchObject({
      status: 'CANCELED',
    });

    const placed = await dataOf<Order[]>(
      rest.placeMultipleOrders({
        batchOrders: [
          { ...terms, quantity: 0.1, price: 2800 },
          { ...terms, quantity: 0.1, price: 2700, newClientOrderId: 'of:2/x' },
        ],
      }),
    );
    const ids = placed.map((each) => Number(each.orderId));
    const amended = await dataOf(
      rest.modifyMultipleOrders({
        batchOrders: ids.map((id) => ({
          symbol,
          orderId: id,
          side: 'BUY' as const,
          quantity: 0.2,
          price: 2600,
        })),
      }),
    );
    expect(amended).toMatchObject([{ price: '2600' }, { price: '2600' }]);
    const first = ids.slice(0, 1);
    expect(await dataOf(rest.cancelMultipleOrders({ symbol, orderIdList: first }))).toMatchObject([
      { status: 'CANCELED' },
    ]);
    expect(
      await dataOf(rest.cancelMultipleOrders({ symbol, origClientOrderIdList: ['of:2/x'] })),
    ).toMatchObject([{ status: 'CANCELED' }]);
    await expect(rest.cancelOrder({ symbol, orderId: 999_999 })).rejects.toMatchObject({
      code: -2011,
      message: 'Unknown order sent.',
    });
  });

  test('official SDK: own fills and market data arrive on the streams', async () => {
    const { listenKey } = await dataOf<{ readonly listenKey: string }>(
      taker.restAPI.startUserDataStream(),
    );
    const streams = await taker.websocketStreams.connect();
    const seen: string[] = [];
    const note = (event: unknown): void => void seen.push((event as { readonly e: string }).e);
    try {
      streams.userData(listenKey).on('message', note);
      streams.aggregateTradeStreams({ symbol: 'ethusdt' }).on('message', note);
      streams.diffBookDepthStreams({ symbol: 'ethusdt' }).on('message', note);
      streams.markPriceStream({ symbol: 'ethusdt' }).on('message', note);
      // A mark price on the last requested stream shows that the others are subscribed too.
      await expect.poll(() => seen).toContain('markPriceUpdate');
      await dataOf(
        maker.restAPI.newOrder({
          symbol,
          side: 'SELL',
          type: 'LIMIT',
          timeInForce: 'GTC',
          quantity: 1,
          price: 3000,
        }),
      );
      const bought = await dataOf(
        taker.restAPI.newOrder({
          symbol,
          side: 'BUY',
          type: 'MARKET',
          quantity: 1,
          newOrderRespType: 'RESULT',
        }),
      );
      expect(bought).toMatchObject({ status: 'FILLED', avgPrice: '3000' });
      await expect
        .poll(() => seen)
        .toEqual(
          expect.arrayContaining([
            'ORDER_TRADE_UPDATE',
            'ACCOUNT_UPDATE',
            'aggTrade',
            'depthUpdate',
          ]),
        );
    } finally {
      await streams.disconnect();
    }
  });

  test('official SDK: account, positions, trades, income and settings are read', async () => {
    const rest = taker.restAPI;
    expect(await dataOf(rest.accountInformationV3())).toMatchObject({
      totalWalletBalance: '49998.5',
      positions: [{ symbol, positionAmt: '1' }],
    });
    expect(await dataOf(rest.positionInformationV3({ symbol }))).toMatchObject([
      { symbol, positionAmt: '1', entryPrice: '3000' },
    ]);
    expect(await dataOf(rest.accountTradeList({ symbol }))).toMatchObject([{ commission: '1.5' }]);
    const income = await dataOf(rest.getIncomeHistory({ incomeType: 'COMMISSION' }));
    expect(income).toMatchObject([{ income: '-1.5' }]);
    expect(await dataOf(rest.changeInitialLeverage({ symbol, leverage: 10 }))).toMatchObject({
      leverage: 10,
    });
    expect(await dataOf(rest.futuresAccountConfiguration())).toMatchObject({ canTrade: true });
    expect(await dataOf(rest.queryInsuranceFundBalanceSnapshot())).toMatchObject([
      { assets: [{}] },
    ]);
    expect(await dataOf(rest.getBnbBurnStatus())).toEqual({ feeBurn: false });
  });

  test('official SDK: conditional orders are placed, found and canceled', async () => {
    const rest = taker.restAPI;
    const algoType = 'CONDITIONAL';
    const { algoId } = await dataOf<{ readonly algoId: number }>(
      rest.newAlgoOrder({
        algoType,
        symbol,
        side: 'SELL',
        type: 'STOP_MARKET',
        triggerPrice: 2800,
        closePosition: 'true',
      }),
    );
    await dataOf(
      rest.newAlgoOrder({
        algoType,
        symbol,
        side: 'SELL',
        type: 'TRAILING_STOP_MARKET',
        callbackRate: 1,
        quantity: 1,
        reduceOnly: 'true',
      }),
    );
    expect(await dataOf(rest.queryAlgoOrder({ algoId }))).toMatchObject({ algoStatus: 'NEW' });
    expect(await dataOf(rest.cancelAlgoOrder({ algoId }))).toMatchObject({ code: '200' });
    expect(await dataOf(rest.currentAllAlgoOpenOrders({ symbol }))).toHaveLength(1);
    expect(await dataOf(rest.cancelAllAlgoOpenOrders({ symbol }))).toMatchObject({ code: 200 });
  });

  test('official SDK: orders go through the WebSocket API', async () => {
    const sockets = await taker.websocketAPI.connect();
    try {
      const { data: placed } = await sockets.newOrder({
        symbol,
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: 0.1,
        price: 2500,
      });
      const { orderId } = placed as Order;
      const price = { symbol, side: 'BUY', orderId, quantity: 0.1, price: 2501 } as const;
      expect(await sockets.modifyOrder(price)).toMatchObject({ data: { orderId, price: '2501' } });
      expect(await sockets.queryOrder({ symbol, orderId })).toMatchObject({
        data: { status: 'NEW' },
        rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT' }],
      });
      const canceled = await sockets.cancelOrder({ symbol, orderId });
      expect(canceled).toMatchObject({ data: { status: 'CANCELED' } });
      expect(await sockets.positionInformationV2({ symbol })).toMatchObject({
        data: [{ positionAmt: '1' }],
      });
      expect(await sockets.futuresAccountBalanceV2()).toMatchObject({ data: [{ asset: 'USDT' }] });
    } finally {
      await sockets.disconnect();
    }
  });
});
