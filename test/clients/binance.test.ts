import { USDMClient } from 'binance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified `binance` client, pointed at the running service by its base URL alone, as
// docs/clients.md shows it.

const symbol = 'ETHUSDT';

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  let maker: USDMClient;
  let taker: USDMClient;

  async function connect(): Promise<USDMClient> {
    const { apiKey, apiSecret } = await floor.addTrader();
    return new USDMClient({ api_key: apiKey, api_secret: apiSecret, baseUrl: floor.url });
  }

  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    maker = await connect();
    taker = await connect();
  });
  afterAll(() => floor.close());

  test('binance: markets load with their filters', async () => {
    const { symbols, rateLimits } = await maker.getExchangeInfo();
    expect(symbols.map((each) => each.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    const filters = symbols.find((each) => each.symbol === symbol)?.filters ?? [];
    expect(filters.map(({ filterType }) => filterType)).toEqual(
      expect.arrayContaining(['PRICE_FILTER', 'LOT_SIZE', 'MARKET_LOT_SIZE', 'MIN_NOTIONAL']),
    );
    expect(rateLimits.map(({ rateLimitType }) => rateLimitType)).toContain('REQUEST_WEIGHT');
    expect(await maker.testConnectivity()).toEqual({});
  });

  test('binance: an order is placed, read, amended under the same id, and canceled', async () => {
    const clientOrderId = maker.generateNewOrderId();
    const placed = await maker.submitNewOrder({
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: 0.5,
      price: 2900,
      newClientOrderId: clientOrderId,
    });
    expect(placed).toMatchObject({
      symbol,
      clientOrderId,
      status: 'NEW',
      price: '2900',
      origQty: '0.5',
      executedQty: '0',
      side: 'BUY',
      type: 'LIMIT',
      positionSide: 'BOTH',
      reduceOnly: false,
    });
    const { orderId } = placed;
    const amended = await maker.modifyOrder({
      symbol,
      orderId,
      side: 'BUY',
      quantity: 0.6,
      price: 2890,
    });
    expect(amended).toMatchObject({ orderId, price: '2890', origQty: '0.6', status: 'NEW' });
    expect(await maker.getOrder({ symbol, origClientOrderId: clientOrderId })).toMatchObject({
      orderId,
      price: '2890',
      origQty: '0.6',
    });
    expect(await maker.getAllOpenOrders({ symbol })).toHaveLength(1);
    expect(await maker.cancelOrder({ symbol, orderId })).toMatchObject({ status: 'CANCELED' });
    expect(await maker.getAllOpenOrders({ symbol })).toEqual([]);
  });

  test('binance: refusals carry code and message', async () => {
    await expect(maker.cancelOrder({ symbol, orderId: 999_999 })).rejects.toMatchObject({
      code: -2011,
      message: 'Unknown order sent.',
    });
    await expect(maker.getOrder({ symbol, orderId: 999_999 })).rejects.toMatchObject({
      code: -2013,
      message: 'Order does not exist.',
    });
  });

  test('binance: a batch is placed, amended and canceled, each order on its own', async () => {
    const order = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
    const placed = await maker.submitMultipleOrders([
      { ...order, quantity: '0.1', price: '2800' },
      { ...order, quantity: '0.1', price: '2700.001' },
      { ...order, quantity: '0.1', price: '2600' },
    ]);
    expect(placed).toMatchObject([
      { status: 'NEW', price: '2800' },
      dialect === 'interface'
        ? { code: -1013, msg: 'Filter failure: PRICE_FILTER.' }
        : { code: -4014, msg: 'Price not increased by tick size.' },
      { status: 'NEW', price: '2600' },
    ]);
    const ids = placed.flatMap((each) => ('orderId' in each ? [Number(each.orderId)] : []));
    const amended: unknown = await maker.modifyMultipleOrders(
      ids.map((orderId) => ({
        symbol,
        side: 'BUY' as const,
        orderId,
        quantity: '0.2',
        price: '2500',
        timestamp: Date.now(),
      })),
    );
    expect(amended).toMatchObject([{ price: '2500' }, { price: '2500' }]);
    expect(await maker.cancelMultipleOrders({ symbol, orderIdList: ids })).toMatchObject([
      { status: 'CANCELED' },
      { status: 'CANCELED' },
    ]);
    expect(
      await maker.cancelMultipleOrders({ symbol, origClientOrderIdList: ['unknown'] }),
    ).toMatchObject([{ code: -2011, msg: 'Unknown order sent.' }]);
  });

  test('binance: a market order fills; account, positions, trades and income show it', async () => {
    expect(await taker.setLeverage({ symbol, leverage: 5 })).toMatchObject({ symbol, leverage: 5 });
    await maker.submitNewOrder({
      symbol,
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTX',
      quantity: 1,
      price: 3000,
    });
    const bought = await taker.submitNewOrder({
      symbol,
      side: 'BUY',
      type: 'MARKET',
      quantity: 1,
      newOrderRespType: 'RESULT',
    });
    expect(bought).toMatchObject({ status: 'FILLED', avgPrice: '3000', cumQuote: '3000' });

    const v2 = await taker.getPositions({ symbol });
    expect(v2).toMatchObject([
      { symbol, positionAmt: '1', entryPrice: '3000', leverage: '5', marginType: 'cross' },
    ]);
    expect(await taker.getPositionsV3({ symbol })).toMatchObject([
      { symbol, positionAmt: '1', initialMargin: '600', marginAsset: 'USDT' },
    ]);
    expect(await taker.getAccountInformation()).toMatchObject({ totalWalletBalance: '49998.5' });
    expect(await taker.getAccountInformationV3()).toMatchObject({
      totalWalletBalance: '49998.5',
      assets: [{ asset: 'USDT' }],
      positions: [{ symbol, positionAmt: '1' }],
    });
    expect(await taker.getBalance()).toMatchObject([{ asset: 'USDT', balance: '49998.5' }]);
    expect(await taker.getBalanceV3()).toMatchObject([{ asset: 'USDT', balance: '49998.5' }]);
    expect(await taker.getAccountTrades({ symbol })).toMatchObject([
      {
        orderId: bought.orderId,
        side: 'BUY',
        price: '3000',
        qty: '1',
        commission: '1.5',
        commissionAsset: 'USDT',
        maker: false,
        buyer: true,
        realizedPnl: '0',
      },
    ]);
    expect(await taker.getIncomeHistory({ incomeType: 'COMMISSION' })).toMatchObject([
      { symbol, incomeType: 'COMMISSION', income: '-1.5', asset: 'USDT' },
    ]);
    expect(await taker.getAccountCommissionRate({ symbol })).toMatchObject({
      symbol,
      makerCommissionRate: '0.0002',
      takerCommissionRate: '0.0005',
    });
    expect(await taker.getNotionalAndLeverageBrackets({ symbol })).toMatchObject({ symbol });
    expect(await taker.getADLQuantileEstimation({ symbol })).toMatchObject([{ symbol }]);
  });

  test('binance: stops are read and canceled by the routes of the dialect', async () => {
    const clientAlgoId = taker.generateNewOrderId();
    const algo = await taker.submitNewAlgoOrder({
      algoType: 'CONDITIONAL',
      symbol,
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: '1',
      triggerPrice: '2800',
      reduceOnly: 'true',
      clientAlgoId,
    });
    expect(algo).toMatchObject({ algoStatus: 'NEW', clientAlgoId, triggerPrice: '2800' });
    const place = () =>
      taker.submitNewOrder({
        symbol,
        side: 'SELL',
        type: 'TAKE_PROFIT_MARKET',
        stopPrice: 3200,
        closePosition: 'true',
      });
    // With the interface's words stops of both routes are one store; Binance has one route alone.
    if (dialect === 'interface') {
      const plain = await place();
      expect(plain).toMatchObject({ status: 'NEW', closePosition: true, stopPrice: '3200' });
      expect(await taker.getOpenAlgoOrders({ symbol })).toMatchObject([
        { algoId: algo.algoId },
        { algoId: plain.orderId },
      ]);
      expect(await taker.getAllOpenOrders({ symbol })).toHaveLength(2);
    } else {
      await expect(place()).rejects.toMatchObject({ code: -4120 });
      expect(await taker.getOpenAlgoOrders({ symbol })).toMatchObject([{ algoId: algo.algoId }]);
      expect(await taker.getAllOpenOrders({ symbol })).toEqual([]);
    }
    expect(await taker.cancelAlgoOrder({ algoId: algo.algoId })).toMatchObject({
      algoId: algo.algoId,
      code: '200',
      msg: 'success',
    });
    expect(await taker.cancelAllOpenOrders({ symbol })).toMatchObject({ code: 200 });
    expect(await taker.getOpenAlgoOrders({ symbol })).toEqual([]);
    expect(await taker.getAlgoOrder({ algoId: algo.algoId })).toMatchObject({
      algoStatus: 'CANCELED',
    });
  });

  test('binance: the countdown cancels all orders unless it is set again', async () => {
    await maker.submitNewOrder({
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: 0.1,
      price: 2000,
    });
    expect(await maker.setCancelOrdersOnTimeout({ symbol, countdownTime: 100 })).toMatchObject({
      symbol,
      countdownTime: '100',
    });
    await expect.poll(() => maker.getAllOpenOrders({ symbol })).toEqual([]);
  });

  test('binance: one-way mode, cross margin and single-asset margin are read and stay so', async () => {
    expect(await taker.getCurrentPositionMode()).toEqual({ dualSidePosition: false });
    expect(await taker.setPositionMode({ dualSidePosition: 'false' })).toMatchObject({ code: 200 });
    await expect(taker.setPositionMode({ dualSidePosition: 'true' })).rejects.toMatchObject({
      code: -4059,
    });
    expect(await taker.setMarginType({ symbol, marginType: 'CROSSED' })).toMatchObject({
      code: 200,
    });
    await expect(taker.setMarginType({ symbol, marginType: 'ISOLATED' })).rejects.toMatchObject({
      code: -4046,
    });
    expect(await taker.getMultiAssetsMode()).toEqual({ multiAssetsMargin: false });
  });

  test('binance: market data shows the trades', async () => {
    expect(await maker.getOrderBook({ symbol })).toMatchObject({ bids: [], asks: [] });
    expect(await maker.getRecentTrades({ symbol })).toMatchObject([{ price: '3000', qty: '1' }]);
    expect(await maker.getAggregateTrades({ symbol })).toMatchObject([{ p: '3000', q: '1' }]);
    expect(await maker.getKlines({ symbol, interval: '1h' })).toHaveLength(1);
    expect(await maker.getMarkPrice({ symbol })).toMatchObject({ symbol, indexPrice: '3000' });
    expect(await maker.get24hrChangeStatistics({ symbol })).toMatchObject({ lastPrice: '3000' });
    expect(await maker.getSymbolPriceTicker({ symbol })).toMatchObject({ price: '3000' });
    expect(await maker.getSymbolOrderBookTicker({ symbol })).toMatchObject({ symbol });
    expect(await maker.getOpenInterest({ symbol })).toMatchObject({ openInterest: '1' });
  });

  test('binance: the listen key is 64 characters, one an account, and ends when it is revoked', async () => {
    const { listenKey } = await maker.getFuturesUserDataListenKey();
    expect(listenKey).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(await maker.getFuturesUserDataListenKey()).toEqual({ listenKey });
    expect(await maker.keepAliveFuturesUserDataListenKey()).toEqual({ listenKey });
    expect(await maker.closeFuturesUserDataListenKey()).toEqual({});
    await expect(maker.keepAliveFuturesUserDataListenKey()).rejects.toMatchObject({ code: -1125 });
  });
});
