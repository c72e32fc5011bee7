import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CcxtClient, ccxt, connectCcxt } from '../support/ccxt-client.ts';
import { TradingFloor } from '../support/trading-floor.ts';

// The unmodified ccxt client, pointed at the running service by its base URLs alone, as
// docs/clients.md shows it.

const symbol = 'BTC/USDT:USDT';

describe.each(['interface', 'binance'])('dialect %s', (dialect) => {
  let floor: TradingFloor;
  let maker: CcxtClient;
  let taker: CcxtClient;

  async function connect(): Promise<CcxtClient> {
    const client = connectCcxt(floor.url, await floor.addTrader());
    await client.loadMarkets();
    return client;
  }

  beforeAll(async () => {
    floor = await TradingFloor.open({ FAPI_DIALECT: dialect });
    maker = await connect();
    taker = await connect();
  });
  afterAll(() => floor.close());

  test('ccxt: markets load with their filters', () => {
    const market = maker.market(symbol);
    expect(market).toMatchObject({
      id: 'BTCUSDT',
      base: 'BTC',
      quote: 'USDT',
      settle: 'USDT',
      swap: true,
      linear: true,
      active: true,
      contract: true,
      precision: { price: 0.1, amount: 0.001 },
      limits: { cost: { min: 5, max: 10_000_000 } },
    });
    expect(Object.keys(maker.markets)).toEqual(['BTC/USDT:USDT', 'ETH/USDT:USDT']);
  });

  test('ccxt: an order is placed, read, amended under the same id, and canceled', async () => {
    const placed = await maker.createOrder(symbol, 'limit', 'buy', 0.01, 49_000, {
      clientOrderId: 'ccxt-1',
    });
    expect(placed).toMatchObject({
      clientOrderId: 'ccxt-1',
      symbol,
      type: 'limit',
      side: 'buy',
      status: 'open',
      price: 49_000,
      amount: 0.01,
      filled: 0,
      timeInForce: 'GTC',
      reduceOnly: false,
    });
    const amended = await maker.editOrder(placed.id, symbol, 'limit', 'buy', 0.02, 48_900);
    expect(amended).toMatchObject({ id: placed.id, amount: 0.02, price: 48_900, status: 'open' });
    expect(await maker.fetchOrder(placed.id, symbol)).toMatchObject({
      id: placed.id,
      clientOrderId: 'ccxt-1',
      amount: 0.02,
      price: 48_900,
      status: 'open',
    });
    expect((await maker.fetchOpenOrders(symbol)).map(({ id }) => id)).toEqual([placed.id]);
    expect(await maker.cancelOrder(placed.id, symbol)).toMatchObject({ status: 'canceled' });
    expect(await maker.fetchOpenOrders(symbol)).toEqual([]);
    expect(await maker.fetchOrder(placed.id, symbol)).toMatchObject({ status: 'canceled' });
  });

  test('ccxt: priceMatch in place of a price', async () => {
    const behind = await maker.createOrder(symbol, 'limit', 'buy', 0.01, 48_000);
    const placed = await taker.createOrder(symbol, 'limit', 'buy', 0.01, undefined, {
      priceMatch: 'QUEUE',
    });
    expect(placed).toMatchObject({ price: 48_000, status: 'open', info: { priceMatch: 'QUEUE' } });
    await taker.cancelOrder(placed.id, symbol);
    await maker.cancelOrder(behind.id, symbol);
  });

  test('ccxt: an unknown order is OrderNotFound', async () => {
    await expect(maker.fetchOrder('999999', symbol)).rejects.toThrow(ccxt.OrderNotFound);
    await expect(maker.cancelOrder('999999', symbol)).rejects.toThrow(ccxt.OrderNotFound);
  });

  test('ccxt: a batch is placed and canceled', async () => {
    const batch = [48_000, 47_000, 46_000].map((price) => ({
      symbol,
      type: 'limit',
      side: 'buy',
      amount: 0.001,
      price,
      params: {},
    }));
    const placed = await maker.createOrders(batch);
    expect(placed.map(({ price, status }) => `${price} ${status}`)).toEqual([
      '48000 open',
      '47000 open',
      '46000 open',
    ]);
    const canceled = await maker.cancelOrders(
      placed.map(({ id }) => id),
      symbol,
    );
    expect(canceled.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled']);
  });

  test('ccxt: leverage, margin mode and position mode are set and read', async () => {
    expect(await taker.setLeverage(10, symbol)).toMatchObject({ symbol: 'BTCUSDT', leverage: 10 });
    expect(await taker.setMarginMode('cross', symbol)).toMatchObject({ code: 200 });
    expect(await taker.setPositionMode(false, symbol)).toMatchObject({ code: 200 });
    expect(await taker.fetchPositionMode(symbol)).toMatchObject({ hedged: false });
    expect(await taker.fetchLeverage(symbol)).toMatchObject({
      longLeverage: 10,
      marginMode: 'cross',
    });
    await expect(taker.setPositionMode(true, symbol)).rejects.toThrow('-4059');
    await expect(taker.setMarginMode('isolated', symbol)).rejects.toThrow('-4046');
  });

  test('ccxt: a market order fills; account, positions, trades and income show it', async () => {
    await maker.createOrder(symbol, 'limit', 'sell', 0.1, 50_000);
    const bought = await taker.createOrder(symbol, 'market', 'buy', 0.1);
    expect(bought).toMatchObject({ status: 'closed', filled: 0.1, average: 50_000, cost: 5_000 });

    const [position] = await taker.fetchPositions([symbol]);
    expect(position).toMatchObject({
      symbol,
      side: 'long',
      contracts: 0.1,
      entryPrice: 50_000,
      markPrice: 50_000,
      marginMode: 'cross',
      notional: 5_000,
      initialMargin: 500,
    });
    const balance = await taker.fetchBalance();
    // 5 bps of 5,000 USDT were paid.
    expect(balance['USDT']).toMatchObject({ total: 49_997.5 });

    const [trade] = await taker.fetchMyTrades(symbol);
    expect(trade).toMatchObject({
      order: bought.id,
      side: 'buy',
      price: 50_000,
      amount: 0.1,
      takerOrMaker: 'taker',
      fee: { cost: 2.5, currency: 'USDT' },
    });
    const [ofMaker] = await maker.fetchMyTrades(symbol);
    expect(ofMaker).toMatchObject({ side: 'sell', takerOrMaker: 'maker', fee: { cost: 1 } });
    const ledger = await taker.fetchLedger('USDT');
    expect(ledger.map(({ type, amount }) => `${type} ${amount}`)).toContain('commission 2.5');
    expect(await taker.fetchTradingFee(symbol)).toMatchObject({ maker: 0.0002, taker: 0.0005 });
  });

  test('ccxt: stops are placed, listed and canceled', async () => {
    const stop = await taker.createOrder(symbol, 'market', 'sell', 0.1, undefined, {
      stopLossPrice: 45_000,
      reduceOnly: true,
      workingType: 'MARK_PRICE',
    });
    expect(stop).toMatchObject({ status: 'open', triggerPrice: 45_000, reduceOnly: true });
    const takeProfit = await taker.createOrder(symbol, 'market', 'sell', 0.1, undefined, {
      takeProfitPrice: 60_000,
      reduceOnly: true,
    });
    const trailing = await taker.createOrder(symbol, 'market', 'sell', 0.1, undefined, {
      trailingPercent: 1,
      trailingTriggerPrice: 61_000,
      reduceOnly: true,
    });
    const open = await taker.fetchOpenOrders(symbol, undefined, undefined, { trigger: true });
    expect(open.map(({ id }) => id)).toEqual([stop.id, takeProfit.id, trailing.id]);
    expect(await taker.fetchOrder(stop.id, symbol, { trigger: true })).toMatchObject({
      id: stop.id,
      status: 'open',
      triggerPrice: 45_000,
    });
    await taker.cancelOrder(stop.id, symbol, { trigger: true });
    await taker.cancelAllOrders(symbol, { trigger: true });
    expect(await taker.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })).toEqual(
      [],
    );
    expect(await taker.fetchOrder(stop.id, symbol, { trigger: true })).toMatchObject({
      status: 'canceled',
    });
  });

  test('ccxt: a stop fires at its mark price and closes the position', async () => {
    await maker.createOrder(symbol, 'limit', 'buy', 0.1, 49_400);
    const stop = await taker.createOrder(symbol, 'market', 'sell', 0.1, undefined, {
      stopLossPrice: 49_500,
      reduceOnly: true,
      workingType: 'MARK_PRICE',
    });
    await floor.setIndex('BTCUSDT', '49400');
    await expect
      .poll(async () => (await taker.fetchOrder(stop.id, symbol, { trigger: true })).status)
      .toBe('closed');
    expect(await taker.fetchPositions([symbol])).toEqual([]);
    const ledger = await taker.fetchLedger('USDT');
    expect(ledger.map(({ info }) => info.incomeType)).toContain('REALIZED_PNL');
  });

  test('ccxt: market data shows the trades', async () => {
    expect(await maker.fetchTime()).toBeTypeOf('number');
    await maker.createOrder(symbol, 'limit', 'buy', 0.02, 49_000);
    await maker.createOrder(symbol, 'limit', 'sell', 0.03, 51_000);
    const book = await maker.fetchOrderBook(symbol, 5);
    expect([book.bids, book.asks]).toEqual([[[49_000, 0.02]], [[51_000, 0.03]]]);
    expect(book.nonce).toBeGreaterThan(0);
    const trades = await maker.fetchTrades(symbol);
    expect(trades.map(({ price, amount, side }) => `${side} ${amount} ${price}`)).toEqual([
      'buy 0.1 50000',
      'sell 0.1 49400',
    ]);
    const candles = await maker.fetchOHLCV(symbol, '1d');
    expect(candles.at(-1)?.slice(1)).toEqual([50_000, 50_000, 49_400, 49_400, 0.2]);
    expect(await maker.fetchTicker(symbol)).toMatchObject({ last: 49_400, high: 50_000 });
    expect(await maker.fetchBidsAsks([symbol])).toMatchObject({ [symbol]: { bid: 49_000 } });
    expect(await maker.fetchFundingRate(symbol)).toMatchObject({ symbol, indexPrice: 49_400 });
    expect(await maker.fetchOpenInterest(symbol)).toMatchObject({ openInterestAmount: 0 });
    await maker.cancelAllOrders(symbol);
  });

  test('ccxt: all orders, live and finished, are listed', async () => {
    const all = await taker.fetchOrders(symbol);
    expect(all.filter(({ status }) => status === 'closed').length).toBeGreaterThan(0);
    expect(await taker.fetchClosedOrders(symbol)).not.toEqual([]);
  });
});
