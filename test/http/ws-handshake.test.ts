import { createHash, randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseError } from '../../src/application/ports/database.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { klineIntervals } from '../../src/domain/kline-interval.ts';
import type { CandleHistory } from '../../src/gateway/ws/futures/candle-history.ts';
import { btcTerms } from '../support/futures-fixture.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { futuresOf } from '../support/order-entry-fixture.ts';
import { RawStream } from '../support/raw-stream.ts';
import {
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from '../support/stream-server.ts';

const key = 'k'.repeat(64);
let exchange: ManualExchange;
let futures: ReturnType<typeof futuresOf>;
let running: StreamServer;
/** Lets the lookups of listen keys end. */
let answerLookups: () => void;

async function start(options: StreamServerOptions = {}): Promise<void> {
  exchange = new ManualExchange();
  futures = futuresOf(exchange);
  futures.fund(1, 10_000);
  futures.fund(2, 10_000);
  futures.setIndex(30_000);
  const lookups = new Promise<void>((resolve) => (answerLookups = resolve));
  const find = async (listenKey: string): Promise<Address | null> => {
    await lookups;
    return listenKey === key ? testAddress(1) : null;
  };
  running = await startStreamServer({
    exchange,
    listenKeys: { find },
    isTimeReal: true,
    ...options,
  });
}

beforeEach(() => start());
afterEach(() => running.stop());

/** The handshake by hand: resolves with the bytes behind the 101 as soon as it is there. */
async function handshake(path: string): Promise<{ readonly next: () => Promise<string> }> {
  const socket = createConnection(Number(new URL(running.url).port), '127.0.0.1');
  const nonce = randomBytes(16).toString('base64');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${nonce}\r\n\r\n`,
  );
  let text = '';
  let wake = (): void => {};
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    wake();
  });
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise<void>((resolve) => (wake = resolve));
  };
  await until(() => text.includes('\r\n\r\n'));
  const expected = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  expect(text).toContain(expected.digest('base64'));
  const next = async (): Promise<string> => {
    await until(() => text.includes('"e":'));
    socket.destroy();
    return text.slice(text.indexOf('\r\n\r\n'));
  };
  return { next };
}

describe('events after the 101 reach the client, however early they occur', () => {
  test.each([`/ws/${key}`, `/ws?listenKey=${key}`, `/private/stream?listenKey=${key}`])(
    'an order right after the handshake of %s',
    async (path) => {
      const shaken = handshake(path);
      answerLookups();
      const { next } = await shaken;
      const account = futures.engine.findAccount(testAddress(1))!;
      futures.place(account, 'buy', { price: 29_000, quantity: 0.1 });
      expect(await next()).toContain('"e":"ORDER_TRADE_UPDATE"');
    },
  );

  test('a trade right after the handshake', async () => {
    const { next } = await handshake('/ws/btcusdt@trade');
    const [buyer, seller] = [1, 2].map((each) => futures.engine.findAccount(testAddress(each))!);
    futures.place(seller!, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(buyer!, 'buy', { price: 30_000, quantity: 0.1 });
    expect(await next()).toContain('"e":"trade"');
  });

  test("a trade while the candle's history is still being read", async () => {
    await running.stop();
    let load = (): void => {};
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const futuresHistory: CandleHistory<FuturesMarketId> = {
      loadCandles: () => loaded.then(() => ({ candles: [], previousClose: null, lastTradeId: 0 })),
    };
    await start({ futuresHistory });
    const { next } = await handshake('/ws/btcusdt@kline_1m');
    const [buyer, seller] = [1, 2].map((each) => futures.engine.findAccount(testAddress(each))!);
    futures.place(seller!, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(buyer!, 'buy', { price: 30_000, quantity: 0.1 });
    load();
    expect(await next()).toContain('"e":"kline"');
  });

  test('the list of all tickers, with history', async () => {
    await running.stop();
    const futuresHistory: CandleHistory<FuturesMarketId> = {
      loadCandles: async () => ({ candles: [], previousClose: null, lastTradeId: 0 }),
    };
    await start({ futuresHistory });
    const { next } = await handshake('/ws/!miniTicker@arr');
    const [buyer, seller] = [1, 2].map((each) => futures.engine.findAccount(testAddress(each))!);
    // The list is subscribed once the last day of each market is known.
    await new Promise((resolve) => setImmediate(resolve));
    futures.place(seller!, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(buyer!, 'buy', { price: 30_000, quantity: 0.1 });
    expect(await next()).toContain('[{"e":"24hrMiniTicker"');
  });

  test('without a database a handshake that could not guarantee this is refused', async () => {
    await running.stop();
    const find = async (): Promise<never> => {
      throw new DatabaseError('away');
    };
    await start({ listenKeys: { find } });
    const stream = new RawStream(running.url.replace('/ws', `/ws/${key}`));
    await expect(stream.opened).rejects.toThrow('503');
  });
});

describe('cost limits of one connection', () => {
  const names = Array.from({ length: 200 }, (_, index) => `nosuch${index}@depth`);

  test('subscription changes are counted by stream: after the burst, 100 a second', async () => {
    await running.stop();
    await start({ limits: { streamChangesBurst: 450, streamChangesPerSecond: 0 } });
    const stream = new RawStream(running.url);
    await stream.opened;
    const known = ['btcusdt@depth', 'btcusdt@trade'];
    const subscribe = { method: 'SUBSCRIBE', params: [...known, ...names] };
    expect(await stream.ask({ id: 1, ...subscribe })).toEqual({ result: null, id: 1 });
    expect(await stream.ask({ id: 2, method: 'UNSUBSCRIBE', params: names })).toEqual({
      result: null,
      id: 2,
    });
    const combined = (value: boolean, id: number) =>
      stream.ask({ id, method: 'SET_PROPERTY', params: ['combined', value] });
    const msg = 'Too many requests: at most 0 streams a second';
    // 48 are left, and each change of the form costs the two streams.
    for (let change = 0; change < 24; change += 1) {
      expect(await combined(change % 2 === 0, change)).toEqual({ result: null, id: change });
    }
    expect(await combined(true, 30)).toEqual({ error: { code: 2, msg }, id: 30 });
    expect(await combined(false, 31)).toEqual({ result: null, id: 31 });
    expect(await stream.ask({ id: 32, ...subscribe })).toEqual({ error: { code: 2, msg }, id: 32 });
    stream.close();
  });

  test('a lookup of a listen key counts as 20 streams', async () => {
    await running.stop();
    await start({ limits: { streamChangesBurst: 45, streamChangesPerSecond: 0 } });
    answerLookups();
    const stream = new RawStream(running.url);
    await stream.opened;
    const ask = (params: readonly string[], id: number) =>
      stream.ask({ id, method: 'SUBSCRIBE', params });
    expect(await ask(['a'.repeat(64), 'b'.repeat(64)], 1)).toEqual({ result: null, id: 1 });
    expect(await ask(['c'.repeat(64)], 2)).toMatchObject({ error: { code: 2 } });
    expect(await ask(['btcusdt@depth'], 3)).toEqual({ result: null, id: 3 });
    stream.close();
  });
});

test('unreachable history is requested again, and logged once', async () => {
  await running.stop();
  let failures = 0;
  let loads = 0;
  const warned: string[] = [];
  const futuresHistory: CandleHistory<FuturesMarketId> = {
    loadCandles: async () => {
      if (failures < 30) {
        failures += 1;
        throw new DatabaseError('busy');
      }
      loads += 1;
      return { candles: [], previousClose: null, lastTradeId: 0 };
    },
  };
  const log = { warn: (_: object, text: string) => warned.push(text), error: () => {} };
  await start({ futuresHistory, log });
  const intervals = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'];
  const stream = new RawStream(running.url);
  await stream.opened;
  const params = intervals.map((interval) => `btcusdt@kline_${interval}`);
  await stream.ask({ id: 1, method: 'SUBSCRIBE', params });
  await expect.poll(() => loads).toBe(intervals.length);
  const [buyer, seller] = [1, 2].map((each) => futures.engine.findAccount(testAddress(each))!);
  futures.place(seller!, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(buyer!, 'buy', { price: 30_000, quantity: 0.1 });
  const seen = new Set<unknown>();
  while (seen.size < intervals.length) {
    const { k } = await stream.next(({ e }) => e === 'kline');
    seen.add((k as { readonly i: string }).i);
  }
  expect(warned).toEqual(['streams wait for their history']);
  stream.close();
});

test('one socket that subscribes to 435 candle streams gets them all even while the database is busy', async () => {
  await running.stop();
  const busy = new Set<string>();
  const loaded = new Set<string>();
  const futuresHistory: CandleHistory<FuturesMarketId> = {
    // Each is refused once.
    loadCandles: async ({ market: { symbol }, interval }) => {
      const name = `${symbol} ${interval}`;
      if (!busy.has(name)) {
        busy.add(name);
        throw new DatabaseError('busy');
      }
      loaded.add(name);
      return { candles: [], previousClose: null, lastTradeId: 0 };
    },
  };
  const warned: string[] = [];
  const log = { warn: (_: object, text: string) => warned.push(text), error: () => {} };
  await start({ futuresHistory, log });
  const symbols = ['BTCUSDT'];
  for (let number = 1; number < 29; number += 1) {
    const symbol = `T${number}USDT`;
    symbols.push(symbol);
    const terms = { ...btcTerms, symbol, baseAsset: `T${number}` };
    futures.done({ type: 'createFuturesMarket', terms });
  }
  const lengths = klineIntervals.slice(0, 15);
  const params = symbols.flatMap((symbol) =>
    lengths.map((length) => `${symbol.toLowerCase()}@kline_${length}`),
  );
  expect(params).toHaveLength(435);
  const stream = new RawStream(running.url);
  await stream.opened;
  for (let from = 0; from < params.length; from += 145) {
    const part = params.slice(from, from + 145);
    const reply = await stream.ask({ id: from, method: 'SUBSCRIBE', params: part });
    expect(reply).toEqual({ result: null, id: from });
  }
  await expect.poll(() => loaded.size).toBe(params.length);
  expect(stream.webSocket.readyState).toBe(stream.webSocket.OPEN);
  const list = await stream.ask({ id: 'list', method: 'LIST_SUBSCRIPTIONS' });
  expect(new Set(list['result'] as string[])).toEqual(new Set(params));
  expect(warned).toEqual(['streams wait for their history']);
  stream.close();
});
