import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { btcTerms, FuturesFixture } from '../support/futures-fixture.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { type RawMessage, RawStream } from '../support/raw-stream.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

// Binance's streams besides those of trades and whole depth: partial depth, tickers of a market
// and of all, forced orders, and what an account receives about its margin.

const key = 'k'.repeat(64);
let exchange: ManualExchange;
let futures: FuturesFixture;
let running: StreamServer;
let long: AccountId;
let short: AccountId;
const streams: RawStream[] = [];

class ExchangeFutures extends FuturesFixture {
  override engine = exchange.engine as Engine;

  override apply(command: Command): AppliedCommand {
    exchange.time = this.now;
    return exchange.apply(command);
  }
}

beforeEach(async () => {
  exchange = new ManualExchange();
  futures = new ExchangeFutures();
  // The streams count a day back from the machine's own time.
  futures.now = Date.now();
  long = futures.fund(1, 10_000);
  short = futures.fund(2, 100_000);
  const find = async (listenKey: string) => (listenKey === key ? testAddress(1) : null);
  running = await startStreamServer({ exchange, listenKeys: { find }, isTimeReal: true });
  futures.setIndex(30_000);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await running.stop();
});

async function subscribed(...params: string[]): Promise<RawStream> {
  const stream = new RawStream(running.url);
  streams.push(stream);
  await stream.opened;
  expect(await stream.ask({ id: 1, method: 'SUBSCRIBE', params })).toEqual({ result: null, id: 1 });
  return stream;
}

const isEvent = (name: string) => (message: RawMessage) => message['e'] === name;

test.each([5, 10, 20])('partial depth: the best %i levels of each side', async (levels) => {
  const stream = await subscribed(`btcusdt@depth${levels}@100ms`);
  for (let level = 0; level < 25; level += 1) {
    futures.place(long, 'buy', { price: 29_900 - level, quantity: 0.001 });
    futures.place(short, 'sell', { price: 30_100 + level, quantity: 0.001 });
  }
  const isWhole = ({ b, a }: RawMessage) =>
    (b as unknown[] | undefined)?.length === levels && (a as unknown[]).length === levels;
  const { e, s, b, a } = await stream.next(isWhole);
  const prices = (side: unknown) => (side as [string, string][]).map(([price]) => Number(price));
  expect([e, s]).toEqual(['depthUpdate', 'BTCUSDT']);
  expect(prices(b)).toEqual(Array.from({ length: levels }, (_, level) => 29_900 - level));
  expect(prices(a)).toEqual(Array.from({ length: levels }, (_, level) => 30_100 + level));
});

test('tickers: ticker and miniTicker of one market, and of all markets in a list', async () => {
  const one = await subscribed('btcusdt@ticker', 'btcusdt@miniTicker');
  const all = await subscribed(
    '!ticker@arr',
    '!miniTicker@arr',
    '!bookTicker',
    '!markPrice@arr@1s',
  );
  futures.place(short, 'sell', { price: 30_000, quantity: 0.2 });
  futures.place(long, 'buy', { quantity: 0.1 });
  const ticker = { s: 'BTCUSDT', c: '30000', o: '30000', h: '30000', l: '30000', v: '0.1' };
  expect(await one.next(isEvent('24hrTicker'))).toMatchObject({ ...ticker, q: '3000', n: 1 });
  expect(await one.next(isEvent('24hrMiniTicker'))).toMatchObject({ ...ticker, q: '3000' });
  const seen = new Map<unknown, unknown>();
  while (seen.size < 4) {
    const message = await all.next(({ id }) => id === undefined);
    const [event] = Array.isArray(message) ? (message as RawMessage[]) : [message];
    seen.set(event?.['e'], message);
  }
  expect(seen.get('24hrTicker')).toMatchObject([ticker]);
  expect(seen.get('24hrMiniTicker')).toMatchObject([ticker]);
  expect(seen.get('markPriceUpdate')).toMatchObject([{ s: 'BTCUSDT', i: '30000' }]);
  expect(seen.get('bookTicker')).toMatchObject({ s: 'BTCUSDT', a: '30000' });
});

test('trade ids are consecutive within a market, and counts agree with them', async () => {
  const other = 1 as FuturesMarketId;
  const terms = { ...btcTerms, symbol: 'ETHUSDT', baseAsset: 'ETH' };
  futures.done({ type: 'createFuturesMarket', terms });
  const price = toAmount(2_000n * 10n ** 8n);
  futures.done({ type: 'setIndexPrice', symbol: 'ETHUSDT', price });
  const stream = await subscribed('btcusdt@trade', 'btcusdt@kline_1h', 'btcusdt@ticker');
  for (let trade = 0; trade < 3; trade += 1) {
    futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(long, 'buy', { price: 30_000, quantity: 0.1 });
    futures.place(short, 'sell', { price: 2_000, quantity: 0.1, marketId: other });
    futures.place(long, 'buy', { price: 2_000, quantity: 0.1, marketId: other });
  }
  const ids: unknown[] = [];
  while (ids.length < 3) ids.push((await stream.next(isEvent('trade')))['t']);
  expect(ids).toEqual([1, 2, 3]);
  const isWhole = ({ k }: RawMessage) => (k as { n?: number } | undefined)?.n === 3;
  expect(await stream.next(isWhole)).toMatchObject({ k: { f: 1, L: 3, n: 3 } });
  const isDay = ({ e, n }: RawMessage) => e === '24hrTicker' && n === 3;
  expect(await stream.next(isDay)).toMatchObject({ F: 1, L: 3 });
});

test("forced orders: sent on the market's and on the common stream, after MARGIN_CALL to the account", async () => {
  const market = await subscribed('btcusdt@forceOrder');
  const all = await subscribed('!forceOrder@arr');
  const user = await subscribed(key);
  futures.place(short, 'sell', { price: 30_000, quantity: 6 });
  futures.place(long, 'buy', { quantity: 6 });
  futures.place(short, 'buy', { price: 28_400, quantity: 6 });
  futures.setIndex(28_470);
  // 10,000 less the fee of 90; six lose 1,530 each.
  expect(await user.next(isEvent('MARGIN_CALL'))).toMatchObject({
    cw: '9910',
    p: [
      {
        s: 'BTCUSDT',
        ps: 'BOTH',
        pa: '6',
        mt: 'CROSSED',
        iw: '0',
        mp: '28470',
        up: '-9180',
        mm: '683.28',
      },
    ],
  });
  futures.setIndex(28_400);
  futures.advance(1_000);
  const order = { s: 'BTCUSDT', S: 'SELL', q: '6' };
  expect(await market.next(isEvent('forceOrder'))).toMatchObject({ o: order });
  const told = await all.next((message) => Array.isArray(message) || message['e'] !== undefined);
  expect(told).toMatchObject({ e: 'forceOrder', o: order });
});

test('forced orders: liquidation and deleveraging are on both streams, one object per event', async () => {
  const market = await subscribed('btcusdt@forceOrder');
  const all = await subscribed('!forceOrder@arr');
  futures.place(short, 'sell', { price: 30_000, quantity: 6 });
  futures.place(long, 'buy', { quantity: 6 });
  // Nobody buys, so the side in profit is closed.
  futures.setIndex(28_000);
  futures.advance(1_000);
  const next = (stream: RawStream) => stream.next((each) => Array.isArray(each) || 'e' in each);
  const sides: unknown[] = [];
  for (let event = 0; event < 2; event += 1) {
    const told = await next(market);
    expect(told).toMatchObject({ e: 'forceOrder', o: { z: '6' } });
    expect(await next(all)).toEqual({ ...told, E: expect.any(Number) as number });
    sides.push((told['o'] as RawMessage)['S']);
  }
  expect(sides.sort()).toEqual(['BUY', 'SELL']);
});
