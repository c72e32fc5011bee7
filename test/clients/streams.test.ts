import { USDMClient, WebsocketClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { type CcxtClient, connectCcxt, connectCcxtStreams } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';
import { ClientCalls, type Dialect } from './calls/client-calls.ts';
import { hearWhile } from './calls/hear-while.ts';
import { tradeUntilHeard } from './calls/trade-until-heard.ts';

// The unmodified stream clients, pointed at the running service by their base URLs alone, under
// both dialects. What came over each stream goes into the report, as the calls do.

const dialects: readonly Dialect[] = ['interface', 'binance'];
const symbol = 'BTC/USDT:USDT';
const silent = { trace: () => undefined, info: () => undefined, error: () => undefined };

interface StreamEvent {
  readonly e?: string;
  readonly ac?: object;
  readonly ai?: object;
  readonly o?: { readonly x: string; readonly X: string; readonly L: string };
}

describe.each(dialects)('dialect %s', (dialect) => {
  let floor: TradingFloor;
  beforeAll(async () => {
    // Listen keys come with the key alone: by its own setting, or as Binance has it.
    const isUnsigned = dialect === 'interface' ? 'true' : 'false';
    floor = await TradingFloor.open({
      FAPI_DIALECT: dialect,
      FAPI_LISTEN_KEY_UNSIGNED: isUnsigned,
    });
  });
  afterAll(() => floor.close());

  async function trader(keys?: ApiKeyPair): Promise<CcxtClient> {
    const client = connectCcxt(floor.url, keys ?? (await floor.addTrader()));
    await client.loadMarkets();
    return client;
  }

  function connectBinance(keys: ApiKeyPair): WebsocketClient {
    const restOptions = { baseUrl: floor.url };
    const wsUrl = floor.url.replace('http', 'ws');
    const { apiKey: api_key, apiSecret: api_secret } = keys;
    return new WebsocketClient({ api_key, api_secret, wsUrl, restOptions }, silent);
  }

  test('binance: the user stream shows own orders and fills', async () => {
    const keys = await floor.addTrader();
    const taker = await trader(keys);
    const maker = await trader();
    const events: StreamEvent[] = [];
    const client = connectBinance(keys);
    client.on('message', (event) => void events.push(event as StreamEvent));
    try {
      await client.subscribeUsdFuturesUserDataStream();
      await maker.createOrder(symbol, 'limit', 'sell', 0.01, 50_000);
      await taker.createOrder(symbol, 'market', 'buy', 0.01);
      const steps = () =>
        events.flatMap(({ e, o }) =>
          e === 'ORDER_TRADE_UPDATE' && o !== undefined ? [`${o.x} ${o.X} ${o.L}`] : [],
        );
      await expect.poll(steps).toEqual(['NEW NEW 0', 'TRADE FILLED 50000']);
      expect(events.map(({ e }) => e)).toContain('ACCOUNT_UPDATE');
    } finally {
      client.closeAll(true);
    }
  });

  test('binance: ACCOUNT_CONFIG_UPDATE has leverage in ac, and never ai', async () => {
    const keys = await floor.addTrader();
    const events: StreamEvent[] = [];
    const client = connectBinance(keys);
    client.on('message', (event) => void events.push(event as StreamEvent));
    const rest = new USDMClient({
      api_key: keys.apiKey,
      api_secret: keys.apiSecret,
      baseUrl: floor.url,
    });
    try {
      await client.subscribeUsdFuturesUserDataStream();
      // The mode of multi-assets margin, which ai reports, can only be set to its present value.
      await rest.setMultiAssetsMode({ multiAssetsMargin: 'false' }).catch(() => undefined);
      const refused = rest.setMultiAssetsMode({ multiAssetsMargin: 'true' });
      await expect(refused).rejects.toMatchObject({ code: expect.any(Number) as number });
      expect(await rest.getMultiAssetsMode()).toEqual({ multiAssetsMargin: false });
      await rest.setLeverage({ symbol: 'BTCUSDT', leverage: 7 });
      const configured = () => events.filter(({ e }) => e === 'ACCOUNT_CONFIG_UPDATE');
      await expect.poll(configured).toHaveLength(1);
      expect(configured()[0]).toMatchObject({ ac: { s: 'BTCUSDT', l: 7 } });
      expect(events.filter(({ ai }) => ai !== undefined)).toEqual([]);
    } finally {
      client.closeAll(true);
    }
  });

  test('ccxt: the order book stays synchronized with the market', async () => {
    const other = 'ETH/USDT:USDT';
    const maker = await trader();
    const watcher = await connectCcxtStreams(floor.url, await floor.addTrader());
    await watcher.loadMarkets();
    await maker.createOrder(other, 'limit', 'buy', 1, 2_900);
    try {
      const first = await watcher.watchOrderBook(other);
      expect(first.bids[0]).toEqual([2_900, 1]);
      for (const price of [2_901, 2_902, 2_903]) {
        const next = watcher.watchOrderBook(other);
        await maker.createOrder(other, 'limit', 'buy', 1, price);
        expect((await next).bids[0]).toEqual([price, 1]);
      }
      const emptied = watcher.watchOrderBook(other);
      await maker.cancelAllOrders(other);
      expect((await emptied).bids).toHaveLength(0);
    } finally {
      await watcher.close();
    }
  });

  test('binance: a hundred events of market and account', async (context) => {
    const calls = new ClientCalls('binance', dialect);
    const keys = await floor.addTrader();
    const client = connectBinance(keys);
    const names = [
      'depthUpdate',
      'trade',
      'aggTrade',
      'bookTicker',
      'kline',
      '24hrTicker',
      'markPriceUpdate',
      'ORDER_TRADE_UPDATE',
      'ACCOUNT_UPDATE',
    ];
    client.on('message', (message) => {
      const { e = '' } = message as StreamEvent;
      if (names.includes(e)) calls.hear(e);
    });
    try {
      await client.subscribeUsdFuturesUserDataStream();
      const topics = ['depth@100ms', 'trade', 'aggTrade', 'bookTicker', 'kline_1m', 'ticker'];
      const streams = [...topics, 'markPrice@1s'].map((topic) => `btcusdt@${topic}`);
      await client.subscribe(streams, 'usdmMarket');
      const [maker, taker] = [await trader(), await trader(keys)];
      await tradeUntilHeard(calls, names, { symbol, maker, taker });
      calls.report(context);
    } finally {
      client.closeAll(true);
    }
  });

  test('ccxt.pro: a hundred updates of market and account', async (context) => {
    const calls = new ClientCalls('ccxt', dialect);
    const keys = await floor.addTrader();
    const watcher = await connectCcxtStreams(floor.url, keys);
    await watcher.loadMarkets();
    const watched: Readonly<Record<string, () => Promise<unknown>>> = {
      watchOrderBook: () => watcher.watchOrderBook(symbol),
      watchTrades: () => watcher.watchTrades(symbol),
      watchTicker: () => watcher.watchTicker(symbol),
      watchTickers: () => watcher.watchTickers([symbol]),
      watchBidsAsks: () => watcher.watchBidsAsks([symbol]),
      watchOHLCV: () => watcher.watchOHLCV(symbol, '1m'),
      watchOrders: () => watcher.watchOrders(symbol),
      watchMyTrades: () => watcher.watchMyTrades(symbol),
      watchBalance: () => watcher.watchBalance(),
    };
    const names = Object.keys(watched);
    const [maker, taker] = [await trader(), await trader(keys)];
    await hearWhile(calls, watcher, watched, async () => {
      await tradeUntilHeard(calls, names, { symbol, maker, taker });
      calls.report(context);
    });
  });
});
