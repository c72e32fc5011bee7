import { WebsocketClient } from 'binance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type CcxtClient,
  connectCcxtBinance,
  connectCcxtBinanceStreams,
} from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';
import { ClientCalls, type Dialect } from './calls/client-calls.ts';
import { hearWhile } from './calls/hear-while.ts';
import { tradeUntilHeard } from './calls/trade-until-heard.ts';

// Spot's streams in the unmodified `ccxt.pro.binance` and `binance`: a hundred events each, and at
// least one of every kind.

const dialects: readonly Dialect[] = ['interface', 'binance'];
const symbol = 'BTC/USDT';
const silent = { trace: () => undefined, info: () => undefined, error: () => undefined };

describe.each(dialects)('dialect %s', (dialect) => {
  let floor: TradingFloor;
  let maker: CcxtClient;
  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    maker = connectCcxtBinance(floor.url, await floor.addTrader({ BTC: '10' }));
    await maker.loadMarkets();
  });
  afterAll(() => floor.close());

  test('ccxt.pro.binance: a hundred updates of market and account', async () => {
    const calls = new ClientCalls('ccxt', dialect);
    const keys = await floor.addTrader({ BTC: '1' });
    const watcher = await connectCcxtBinanceStreams(floor.url, keys);
    const taker = connectCcxtBinance(floor.url, keys);
    await Promise.all([watcher.loadMarkets(), taker.loadMarkets()]);
    const watched = {
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
    await hearWhile(calls, watcher, watched, () =>
      tradeUntilHeard(calls, Object.keys(watched), { symbol, maker, taker }),
    );
  });

  test('binance: a hundred events of market and account', async () => {
    const calls = new ClientCalls('binance', dialect);
    const keys = await floor.addTrader({ BTC: '1' });
    const taker = connectCcxtBinance(floor.url, keys);
    await taker.loadMarkets();
    const client = new WebsocketClient(
      {
        api_key: keys.apiKey,
        api_secret: keys.apiSecret,
        wsUrl: `${floor.url.replace('http', 'ws')}/streams/spot`,
        restOptions: { baseUrl: floor.url },
      },
      silent,
    );
    const names = [
      'depthUpdate',
      'trade',
      'aggTrade',
      'kline',
      '24hrTicker',
      '24hrMiniTicker',
      'executionReport',
      'outboundAccountPosition',
    ];
    client.on('message', (message) => {
      const { e = '' } = message as { readonly e?: string };
      if (names.includes(e)) calls.hear(e);
    });
    try {
      await client.subscribeSpotUserDataStream();
      const topics = ['depth@100ms', 'trade', 'aggTrade', 'kline_1m', 'ticker', 'miniTicker'];
      await client.subscribe(
        topics.map((topic) => `btcusdt@${topic}`),
        'main',
      );
      await tradeUntilHeard(calls, names, { symbol, maker, taker });
    } finally {
      client.closeAll(true);
    }
  });
});
