import { MainClient, WebsocketAPIClient, WebsocketClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import {
  type CcxtClient,
  type CcxtStreamClient,
  connectCcxtBinance,
  connectCcxtBinanceStreams,
} from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified `ccxt.pro.binance` and `binance` on spot: market streams, user data streams, and
// orders over the WebSocket API, with one key.

const symbol = 'BTC/USDT';
const silent = { trace: () => undefined, info: () => undefined, error: () => undefined };

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  let maker: CcxtClient;
  let watcher: CcxtStreamClient;

  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    maker = connectCcxtBinance(floor.url, await floor.addTrader({ BTC: '10' }));
    watcher = await connectCcxtBinanceStreams(floor.url, await floor.addTrader({ BTC: '1' }));
    await Promise.all([maker.loadMarkets(), watcher.loadMarkets()]);
  });
  afterAll(async () => {
    await watcher.close();
    await floor.close();
  });

  /** Acts repeatedly until the watched event has arrived: streams have no snapshot. */
  async function whileActing<T>(watched: Promise<T>, act: () => Promise<unknown>): Promise<T> {
    let isDone = false;
    const end = watched.finally(() => (isDone = true));
    await expect
      .poll(
        async () => {
          await act();
          return isDone;
        },
        { interval: 100 },
      )
      .toBe(true);
    return end;
  }

  test('ccxt.pro.binance: market streams of spot follow the market', async () => {
    await maker.createOrder(symbol, 'limit', 'sell', 1, 50_000);
    const book = await watcher.watchOrderBook(symbol);
    expect(book.asks[0]).toEqual([50_000, 1]);
    for (const price of [49_500, 49_250, 49_000]) {
      const changed = watcher.watchOrderBook(symbol);
      await maker.createOrder(symbol, 'limit', 'sell', 1, price);
      expect((await changed).asks[0]).toEqual([price, 1]);
    }
    const watched = Promise.all([
      watcher.watchTrades(symbol),
      watcher.watchTicker(symbol),
      watcher.watchTickers([symbol]),
      watcher.watchOHLCV(symbol, '1m'),
      watcher.watchBidsAsks([symbol]),
    ]);
    const buy = () => maker.createOrder(symbol, 'limit', 'buy', 0.001, 40_000);
    const trade = () => watcher.createOrder(symbol, 'market', 'buy', 0.001);
    const [[first], ticker, tickers, candles, best] = await whileActing(watched, () =>
      Promise.all([trade(), buy()]),
    );
    expect(first).toMatchObject({ price: 49_000, amount: 0.001, side: 'buy' });
    expect(ticker).toMatchObject({ last: 49_000 });
    expect(tickers).toMatchObject({ [symbol]: { last: 49_000 } });
    expect(candles.at(-1)?.slice(1, 5)).toEqual([49_000, 49_000, 49_000, 49_000]);
    expect(best).toMatchObject({ [symbol]: { ask: 49_000 } });
  });

  test('ccxt.pro.binance: orders, fills and balances arrive after the subscription', async () => {
    const balance = watcher.watchBalance();
    const orders = watcher.watchOrders(symbol);
    const trades = watcher.watchMyTrades(symbol);
    const place = () => watcher.createOrder(symbol, 'limit', 'buy', 0.001, 40_000);
    const [[order]] = await whileActing(Promise.all([orders, balance]), place);
    expect(order).toMatchObject({ status: 'open', price: 40_000, amount: 0.001, filled: 0 });
    await watcher.createOrder(symbol, 'market', 'buy', 0.001);
    expect((await trades).at(-1)).toMatchObject({
      price: 49_000,
      amount: 0.001,
      side: 'buy',
      takerOrMaker: 'taker',
      fee: { currency: 'BTC' },
    });
    const canceled = watcher.watchOrders(symbol);
    await watcher.cancelOrder(order!.id, symbol);
    expect((await canceled).find(({ id }) => id === order!.id)).toMatchObject({
      status: 'canceled',
      clientOrderId: expect.stringMatching(/^x-/) as string,
    });
    const own = (await watcher.fetchBalance())['BTC'] as { readonly total: number };
    await expect.poll(async () => (await whileWatching(watcher))['BTC']).toMatchObject(own);
  });

  /** The balance that the stream has kept, after the next event. */
  async function whileWatching(
    client: CcxtStreamClient,
  ): Promise<Readonly<Record<string, unknown>>> {
    const next = client.watchBalance();
    await client.createOrder(symbol, 'limit', 'buy', 0.001, 30_000);
    return next;
  }

  test('ccxt.pro.binance: spot over the WebSocket API', async () => {
    const placed = await watcher.createOrderWs(symbol, 'limit', 'buy', 0.01, 35_000);
    expect(placed).toMatchObject({ status: 'open', price: 35_000 });
    expect(await watcher.fetchOrderWs(placed.id, symbol)).toMatchObject({ status: 'open' });
    const open = await watcher.fetchOpenOrdersWs(symbol);
    expect(open.map(({ id }) => id)).toContain(placed.id);
    expect(await watcher.cancelOrderWs(placed.id, symbol)).toMatchObject({ status: 'canceled' });
    expect(await watcher.cancelAllOrdersWs(symbol)).not.toEqual([]);
    expect(await watcher.fetchOpenOrdersWs(symbol)).toEqual([]);
    expect((await watcher.fetchOrdersWs(symbol)).length).toBeGreaterThan(2);
    expect((await watcher.fetchMyTradesWs(symbol)).length).toBeGreaterThan(1);
    expect((await watcher.fetchTradesWs(symbol)).length).toBeGreaterThan(1);
    // Of spot's answer ccxt keeps only the raw one.
    expect(await watcher.fetchBalanceWs()).toMatchObject({ info: { accountType: 'SPOT' } });
    expect((await watcher.fetchOHLCVWs(symbol, '1m')).length).toBeGreaterThan(0);
    await expect(watcher.cancelOrderWs('999999', symbol)).rejects.toThrow(/Unknown order sent/);
  });

  interface SpotEvent {
    readonly e?: string;
    readonly x?: string;
    readonly X?: string;
  }

  /** The event; if it has no name of its own, the client takes the stream's. */
  function labelOf(event: SpotEvent | readonly SpotEvent[]): string {
    if (Array.isArray(event)) return `${(event as readonly SpotEvent[])[0]?.e}@arr`;
    return String((event as SpotEvent).e);
  }

  /** One URL for the streams and the WebSocket API of spot. */
  const spotSockets = (): string => `${floor.url.replace('http', 'ws')}/streams/spot`;

  const settingsOf = ({ apiKey, apiSecret }: ApiKeyPair) => ({
    api_key: apiKey,
    api_secret: apiSecret,
    wsUrl: spotSockets(),
    beautify: false,
    restOptions: { baseUrl: floor.url },
  });

  test('binance: WebsocketClient gets spot’s market and user data, by listen key and by signature', async () => {
    const keys = await floor.addTrader();
    const rest = new MainClient({
      api_key: keys.apiKey,
      api_secret: keys.apiSecret,
      baseUrl: floor.url,
    });
    const client = new WebsocketClient(settingsOf(keys), silent);
    const api = new WebsocketAPIClient(settingsOf(keys));
    const events: SpotEvent[] = [];
    const signed: SpotEvent[] = [];
    client.on('message', (event) => void events.push(event as SpotEvent));
    api.getWSClient().on('message', (event) => {
      const { event: inner } = event as { readonly event?: SpotEvent };
      signed.push(inner ?? (event as SpotEvent));
    });
    try {
      await client.subscribeSpotUserDataStream();
      await api.subscribeUserDataStream('mainWSAPI');
      const topics = ['trade', 'aggTrade', 'depth@100ms', 'depth5', 'ticker', 'miniTicker'];
      await client.subscribe(
        [...topics, 'bookTicker', 'kline_1m'].map((topic) => `btcusdt@${topic}`),
        'main',
      );
      await client.subscribe(['!miniTicker@arr', '!ticker@arr'], 'main');
      await maker.createOrder(symbol, 'limit', 'sell', 1, 48_000);
      const buy = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.001 } as const;
      const seen = () => new Set(events.map(labelOf));
      const wanted = [
        'trade',
        'aggTrade',
        'depthUpdate',
        'depth5',
        '24hrTicker',
        '24hrMiniTicker',
        'bookTicker',
        'kline',
        '24hrMiniTicker@arr',
        '24hrTicker@arr',
        'executionReport',
        'outboundAccountPosition',
      ];
      await expect
        .poll(
          async () => {
            await rest.submitNewOrder(buy);
            return wanted.filter((each) => !seen().has(each));
          },
          { interval: 200, timeout: 10_000 },
        )
        .toEqual([]);
      const steps = (all: readonly SpotEvent[]) =>
        all.flatMap(({ e, x, X }) => (e === 'executionReport' ? [`${x} ${X}`] : []));
      await expect.poll(() => steps(signed).slice(-2)).toEqual(['NEW NEW', 'TRADE FILLED']);
      expect(steps(events).slice(-2)).toEqual(['NEW NEW', 'TRADE FILLED']);
    } finally {
      client.closeAll(true);
      api.getWSClient().closeAll(true);
    }
  });

  test('binance: WebsocketAPIClient trades spot', async () => {
    const api = new WebsocketAPIClient(settingsOf(await floor.addTrader()));
    const market = { symbol: 'BTCUSDT' };
    try {
      expect(await api.testSpotConnectivity()).toMatchObject({ status: 200, result: {} });
      expect(await api.getSpotServerTime()).toMatchObject({
        result: { serverTime: expect.any(Number) as number },
      });
      expect(await api.getSpotExchangeInfo(market)).toMatchObject({
        result: { symbols: [market] },
      });
      const limit = {
        ...market,
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: '0.01',
        price: '30000',
        timestamp: Date.now(),
      } as const;
      const placed = await api.submitNewSpotOrder(limit);
      expect(placed).toMatchObject({ status: 200, result: { status: 'NEW', price: '30000' } });
      const { orderId } = placed.result;
      const order = { ...market, orderId, timestamp: Date.now() };
      expect(await api.getSpotOrderStatus(order)).toMatchObject({ result: { status: 'NEW' } });
      expect(await api.cancelSpotOrder(order)).toMatchObject({ result: { status: 'CANCELED' } });
      expect(await api.getSpotAccountInformation({ timestamp: Date.now() })).toMatchObject({
        result: { accountType: 'SPOT' },
      });
      await expect(api.cancelSpotOrder({ ...order, timestamp: Date.now() })).rejects.toMatchObject({
        error: { code: -2011 },
      });
    } finally {
      api.getWSClient().closeAll(true);
    }
  });
});
