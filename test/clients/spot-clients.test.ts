import { MainClient, USDMClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectCcxtBinance } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified `ccxt.binance` and `binance`, each of which trades spot and futures with one key.

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
  });
  afterAll(() => floor.close());

  test('ccxt.binance: trades spot and futures with one key', async () => {
    const maker = connectCcxtBinance(floor.url, await floor.addTrader({ BTC: '10' }));
    const taker = connectCcxtBinance(floor.url, await floor.addTrader());
    await taker.loadMarkets();
    await maker.loadMarkets();
    const spot = 'BTC/USDT';
    const swap = 'BTC/USDT:USDT';
    expect(taker.market(spot)).toMatchObject({ spot: true, active: true });
    expect(taker.market(swap)).toMatchObject({ swap: true, active: true });

    const offer = await maker.createOrder(spot, 'limit', 'sell', 0.02, 50000);
    expect(offer).toMatchObject({ status: 'open', symbol: spot });
    const bought = await taker.createOrder(spot, 'market', 'buy', 0.01);
    expect(bought).toMatchObject({ status: 'closed', filled: 0.01, cost: 500, type: 'market' });
    const spent = await taker.createOrder(spot, 'market', 'buy', 0, undefined, { cost: 250 });
    expect(spent).toMatchObject({ status: 'closed', filled: 0.005, cost: 250 });
    const resting = await taker.createOrder(spot, 'limit', 'buy', 0.01, 40000, { postOnly: true });
    expect(await taker.fetchOrder(resting.id, spot)).toMatchObject({
      status: 'open',
      price: 40000,
    });
    expect(await taker.fetchOpenOrders(spot)).toHaveLength(1);
    expect(await taker.cancelOrder(resting.id, spot)).toMatchObject({ status: 'canceled' });
    expect(await taker.fetchOrders(spot)).toHaveLength(3);
    expect(await taker.fetchMyTrades(spot)).toMatchObject([{ amount: 0.01 }, { amount: 0.005 }]);
    expect((await taker.fetchBalance())['BTC']).toMatchObject({ free: 0.014985 });
    expect(await taker.fetchOrderBook(spot, 5)).toMatchObject({ asks: [[50000, 0.005]] });
    expect(await taker.fetchTicker(spot)).toMatchObject({ last: 50000, baseVolume: 0.015 });
    const traded = (await taker.fetchTrades(spot)).reduce((sum, { amount }) => sum + amount, 0);
    expect(traded).toBeCloseTo(0.015);
    const [candle] = await taker.fetchOHLCV(spot, '1h');
    expect(candle?.slice(1)).toEqual([50000, 50000, 50000, 50000, 0.015]);
    await expect(taker.cancelOrder('999999', spot)).rejects.toThrow(/Unknown order sent/);

    await maker.createOrder(swap, 'limit', 'sell', 0.1, 50000);
    expect(await taker.createOrder(swap, 'market', 'buy', 0.1)).toMatchObject({
      status: 'closed',
      filled: 0.1,
    });
    expect(await taker.fetchPositions([swap])).toMatchObject([{ contracts: 0.1, side: 'long' }]);
  });

  test('binance: MainClient trades spot and USDMClient futures with one key', async () => {
    const connect = async (tokens: Readonly<Record<string, string>> = {}) => {
      const { apiKey, apiSecret } = await floor.addTrader(tokens);
      const options = { api_key: apiKey, api_secret: apiSecret, baseUrl: floor.url };
      return { spot: new MainClient(options), futures: new USDMClient(options) };
    };
    const maker = await connect({ ETH: '10' });
    const taker = await connect();
    const symbol = 'ETHUSDT';
    const sell = { symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' } as const;

    const offer = await maker.spot.submitNewOrder({ ...sell, quantity: 1, price: 3000 });
    expect(offer).toMatchObject({ status: 'NEW', price: '3000', fills: [] });
    const bought = await taker.spot.submitNewOrder({
      symbol,
      side: 'BUY',
      type: 'MARKET',
      quantity: 0.5,
    });
    expect(bought).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '1500' });
    const { orderId } = await taker.spot.submitNewOrder({ ...sell, quantity: 0.4, price: 3100 });
    const replaced = await taker.spot.replaceOrder({
      ...sell,
      quantity: 0.4,
      price: 3200,
      cancelOrderId: orderId,
      cancelReplaceMode: 'STOP_ON_FAILURE',
    });
    expect(replaced).toMatchObject({ cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' });
    expect(await taker.spot.getOpenOrders({ symbol })).toMatchObject([{ price: '3200' }]);
    expect(await taker.spot.cancelAllSymbolOrders({ symbol })).toMatchObject([
      { status: 'CANCELED' },
    ]);
    expect(await taker.spot.getOrder({ symbol, orderId })).toMatchObject({ status: 'CANCELED' });
    expect(await taker.spot.getAllOrders({ symbol })).toHaveLength(3);
    expect(await taker.spot.getAccountTradeList({ symbol })).toMatchObject([
      { qty: '0.5', commissionAsset: 'ETH', isBuyer: true, isMaker: false },
    ]);
    const { balances } = await taker.spot.getAccountInformation();
    expect(balances.find(({ asset }) => asset === 'ETH')).toMatchObject({ free: '0.4995' });
    expect(await taker.spot.testNewOrder({ ...sell, quantity: 0.1, price: 3000 })).toEqual({});
    await expect(taker.spot.cancelOrder({ symbol, orderId })).rejects.toMatchObject({
      code: -2011,
      message: 'Unknown order sent.',
    });
    expect((await taker.spot.getExchangeInfo()).symbols.length).toBeGreaterThan(1);
    expect(await taker.spot.getOrderBook({ symbol })).toMatchObject({ asks: [['3000', '0.5']] });
    expect(await taker.spot.getRecentTrades({ symbol })).toMatchObject([{ qty: '0.5' }]);
    expect(await taker.spot.getAggregateTrades({ symbol })).toMatchObject([{ q: '0.5' }]);
    expect(await taker.spot.getKlines({ symbol, interval: '1m' })).toHaveLength(1);
    expect(await taker.spot.getAvgPrice({ symbol })).toMatchObject({ price: '3000' });
    expect(await taker.spot.get24hrChangeStatistics({ symbol })).toMatchObject({ count: 1 });
    expect(await taker.spot.getSymbolPriceTicker({ symbol })).toMatchObject({ price: '3000' });
    expect(await taker.spot.getSymbolOrderBookTicker({ symbol })).toMatchObject({
      askPrice: '3000',
    });
    expect(await taker.spot.testConnectivity()).toEqual({});

    await maker.futures.submitNewOrder({ ...sell, quantity: 1, price: 3000 });
    expect(
      await taker.futures.submitNewOrder({
        symbol,
        side: 'BUY',
        type: 'MARKET',
        quantity: 1,
        newOrderRespType: 'RESULT',
      }),
    ).toMatchObject({ status: 'FILLED', avgPrice: '3000' });
  });
});
