import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { PlaceFuturesOrder } from '../../src/engine/futures-commands.ts';
import { btcTerms } from '../support/futures-fixture.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

// The general channels of perpetuals, over the real engine.

let exchange: ManualExchange;
let running: StreamServer;
const unit = 10n ** 8n;

beforeEach(async () => {
  exchange = new ManualExchange();
  exchange.apply({ type: 'createFuturesMarket', terms: btcTerms });
  for (const number of [1, 2]) {
    const accountId = exchange.addTrader(number, ['USDT']);
    exchange.apply({
      type: 'transferFunds',
      accountId,
      direction: 'spot_to_perp',
      amount: toAmount(1_000_000n * unit),
      clientTransferId: null,
    });
  }
  setIndex(100n);
  running = await startStreamServer({ exchange });
});
afterEach(() => running.stop());

function setIndex(price: bigint): void {
  exchange.apply({ type: 'setIndexPrice', symbol: 'BTCUSDT', price: toAmount(price * unit) });
}

function place(number: number, side: 'buy' | 'sell', price: number, quantity: number) {
  const accountId = exchange.engine.findAccount(testAddress(number)) as AccountId;
  const order: PlaceFuturesOrder = {
    type: 'placeFuturesOrder',
    accountId,
    marketId: 0 as FuturesMarketId,
    clientOrderId: null,
    side,
    orderType: 'limit',
    timeInForce: 'gtc',
    price: (price * 10) as Ticks,
    quantity: (quantity * 1000) as Lots,
    worstPrice: null,
    stopPrice: null,
    triggerPriceKind: 'contract',
    activationPrice: null,
    callback: null,
    isReduceOnly: false,
    isClosePosition: false,
    isPriceProtected: false,
    priceMatch: 'none',
    selfTradeMode: 'expire_taker',
    goodTill: null,
    isAlgo: false,
    takeProfit: null,
    stopLoss: null,
  };
  const applied = exchange.apply(order);
  expect(applied.rejection).toBeNull();
  return applied;
}

async function subscribe(client: StreamClient, target: Record<string, string>): Promise<unknown> {
  const reply = await client.ask({ type: 'subscribe', ...target });
  expect(reply.type).toBe('subscribed');
  return (await client.nextOf('snapshot'))['data'];
}

const perpetual = { symbol: 'BTCUSDT', market: 'futures' };

test('ws orderbook of a perpetual: a snapshot, then changed levels with a gapless seq', async () => {
  place(1, 'buy', 90, 2);
  const client = await running.connect();
  const book = await subscribe(client, { channel: 'orderbook', ...perpetual });
  expect(book).toEqual({ bids: [['90', '2']], asks: [] });
  place(1, 'sell', 110, 1);
  const first = await client.nextOf('update');
  expect(first).toMatchObject({
    channel: 'orderbook',
    symbol: 'BTCUSDT',
    market: 'futures',
    data: { bids: [], asks: [['110', '1']] },
  });
  place(2, 'buy', 110, 1);
  const second = await client.nextOf('update');
  expect(second['prev_seq']).toBe(first['seq']);
  expect(second['data']).toEqual({ bids: [], asks: [['110', '0']] });
});

test('ws trades, ticker and kline of a perpetual show what it traded', async () => {
  const client = await running.connect();
  expect(await subscribe(client, { channel: 'trades', ...perpetual })).toEqual([]);
  place(1, 'sell', 101, 2);
  place(2, 'buy', 101, 0.5);
  expect((await client.nextOf('update'))['data']).toMatchObject([
    { price: '101', quantity: '0.5', quote_quantity: '50.5', side: 'buy' },
  ]);
  const ticker = await subscribe(client, { channel: 'ticker', ...perpetual });
  expect(ticker).toMatchObject({ last_price: '101', volume: '0.5', best_ask: '101' });
  const kline = await subscribe(client, { channel: 'kline', interval: '1m', ...perpetual });
  expect(kline).toMatchObject({ close: '101', volume: '0.5', quote_volume: '50.5' });
});

test('ws mark_price: the current prices, then each change; perpetuals only', async () => {
  const client = await running.connect();
  expect(await subscribe(client, { channel: 'mark_price', symbol: 'btcusdt' })).toMatchObject({
    symbol: 'BTCUSDT',
    mark_price: '100',
    index_price: '100',
    is_index_stale: false,
  });
  setIndex(105n);
  const { data, market } = await client.nextOf('update');
  expect(market).toBe('futures');
  expect(data).toMatchObject({ index_price: '105' });
  const spot = await client.ask({
    type: 'subscribe',
    channel: 'mark_price',
    symbol: 'BTCUSDT',
    market: 'spot',
  });
  expect(spot).toMatchObject({ type: 'error', code: 'MARKET_NOT_FOUND' });
});

test('ws: an unknown perpetual is an error, one that is created later is not', async () => {
  const client = await running.connect();
  const target = { channel: 'trades', symbol: 'ETHUSDT', market: 'futures' };
  const missing = await client.ask({ type: 'subscribe', ...target });
  expect(missing).toMatchObject({ type: 'error', code: 'MARKET_NOT_FOUND' });
  const terms = { ...btcTerms, symbol: 'ETHUSDT', baseAsset: 'ETH' };
  exchange.apply({ type: 'createFuturesMarket', terms });
  expect(await subscribe(client, target)).toEqual([]);
});

test('ws orders and positions: live perpetuals first, then the changes of each command', async () => {
  place(1, 'sell', 101, 2);
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  expect(await subscribe(client, { channel: 'orders' })).toMatchObject([
    { market: 'futures', symbol: 'BTCUSDT', side: 'SELL', status: 'NEW', price: '101', fills: [] },
  ]);
  expect(await subscribe(client, { channel: 'positions' })).toEqual([]);
  place(2, 'buy', 101, 0.5);
  const updates = [await client.nextOf('update'), await client.nextOf('update')];
  const of = (channel: string) => updates.find((update) => update['channel'] === channel);
  expect(of('orders')?.['data']).toMatchObject([
    {
      market: 'futures',
      status: 'PARTIALLY_FILLED',
      filled_quantity: '0.5',
      fills: [{ price: '101', quantity: '0.5', role: 'maker', fee: '0.0101' }],
    },
  ]);
  expect(of('positions')?.['data']).toMatchObject([
    { market: 'futures', symbol: 'BTCUSDT', side: 'SHORT', quantity: '-0.5', entry_price: '101' },
  ]);
  const again = await subscribe(client, { channel: 'positions' });
  expect(again).toMatchObject([{ side: 'SHORT', quantity: '-0.5', entry_price: '101' }]);
});
