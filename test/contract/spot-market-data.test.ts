import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  anyText,
  baseOf,
  expectOk,
  nextMarket,
  nextUser,
  outcomeOf,
  placed,
} from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
let symbol: string;
let maker: Address;
let taker: Address;

beforeAll(async () => {
  service = await SpotService.start();
  symbol = await nextMarket(service);
  maker = await nextUser(service, { [baseOf(symbol)]: '1000', USDT: '100000' });
  taker = await nextUser(service, { USDT: '100000' });
});
afterAll(() => service.close());

const error = (status: number, code: string) => ({ status, body: { error: code } });

function get(path: string, query: Record<string, string> = {}) {
  return outcomeOf(service.call({ path: `/api/v1/spot${path}`, query }));
}

function limit(side: string, price: string, quantity: string, market = symbol): object {
  return { symbol: market, side, type: 'limit', price, quantity };
}

describe('GET /spot/depth', () => {
  test('GET /spot/depth: the best levels first, at most limit of each side', async () => {
    const market = await nextMarket(service);
    const user = await nextUser(service, { [baseOf(market)]: '1000', USDT: '100000' });
    for (let level = 0; level < 35; level += 1) {
      await placed(service, user, limit('buy', `${99 - level * 0.5}`, '1', market));
      await placed(service, user, limit('sell', `${101 + level * 0.5}`, '2.5', market));
    }
    await placed(service, user, limit('buy', '99', '0.25', market));
    const two = await get('/depth', { symbol: market, limit: '2' });
    expect(two).toEqual({
      status: 200,
      body: {
        symbol: market,
        last_update_id: 71,
        bids: [
          ['99', '1.25'],
          ['98.5', '1'],
        ],
        asks: [
          ['101', '2.5'],
          ['101.5', '2.5'],
        ],
      },
    });
    const sizes = async (query: object) => {
      const { body } = await get('/depth', { symbol: market, ...query });
      const { bids, asks } = body as { bids: unknown[]; asks: unknown[] };
      return [bids.length, asks.length];
    };
    expect(await sizes({})).toEqual([30, 30]);
    expect(await sizes({ limit: '1000' })).toEqual([35, 35]);
  });

  test.each(['0', '1001', '-1', '1.0', 'all'])(
    'GET /spot/depth: a limit of %s is INVALID_PARAMETER',
    async (levels) => {
      expect(await get('/depth', { symbol, limit: levels })).toEqual({
        status: 400,
        body: { error: 'INVALID_PARAMETER', detail: anyText },
      });
    },
  );

  test('GET /spot/depth: an unknown market and a missing symbol', async () => {
    expect(await get('/depth', { symbol: 'NOPE', limit: '1' })).toEqual(
      error(404, 'MARKET_NOT_FOUND'),
    );
    expect(await get('/depth')).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: 'symbol: required' },
    });
  });
});

describe('tickers, trades and candles', () => {
  test('GET /spot/ticker/24hr: TICKER_NOT_FOUND until the first fill, then available at once', async () => {
    const market = await nextMarket(service);
    const seller = await nextUser(service, { [baseOf(market)]: '10' });
    const ticker = () => get('/ticker/24hr', { symbol: market });
    expect(await ticker()).toEqual(error(404, 'TICKER_NOT_FOUND'));
    await placed(service, seller, limit('sell', '50', '1', market));
    await placed(service, seller, limit('sell', '60', '2', market));
    expect(await ticker()).toEqual(error(404, 'TICKER_NOT_FOUND'));
    await placed(service, taker, limit('buy', '60', '2', market));
    expect(await ticker()).toEqual({
      status: 200,
      body: {
        symbol: market,
        last_price: '60',
        open_price: '50',
        high_price: '60',
        low_price: '50',
        price_change: '10',
        price_change_percent: '20',
        volume: '2',
        quote_volume: '110',
        trade_count: 2,
        best_bid: null,
        best_ask: '60',
        open_time: anyText,
        close_time: anyText,
      },
    });
    const all = (await expectOk(service.call({ path: '/api/v1/spot/ticker/24hr' }))) as {
      symbol: string;
    }[];
    expect(all.map((each) => each.symbol)).toContain(market);
    expect(await get('/ticker/24hr', { symbol: 'NOPE' })).toEqual(error(404, 'MARKET_NOT_FOUND'));
  });

  test('GET /spot/trades/recent: newest first, with the side of the arriving order', async () => {
    await placed(service, maker, limit('sell', '100', '1'));
    await placed(service, taker, limit('buy', '100', '0.5'));
    await placed(service, taker, limit('buy', '100', '0.25'));
    const body = await expectOk(
      service.call({ path: '/api/v1/spot/trades/recent', query: { symbol, limit: '2' } }),
    );
    expect(body).toEqual({
      items: [
        {
          trade_id: anyText,
          price: '100',
          quantity: '0.25',
          quote_quantity: '25',
          side: 'buy',
          created_at: anyText,
        },
        {
          trade_id: anyText,
          price: '100',
          quantity: '0.5',
          quote_quantity: '50',
          side: 'buy',
          created_at: anyText,
        },
      ],
    });
    expect(await get('/trades/recent', { symbol: 'NOPE' })).toEqual(error(404, 'MARKET_NOT_FOUND'));
    expect(await get('/trades/recent', { symbol, limit: '501' })).toMatchObject({ status: 400 });
  });

  test('GET /spot/klines: candles with times in ISO 8601, bounded by time', async () => {
    const market = await nextMarket(service);
    const seller = await nextUser(service, { [baseOf(market)]: '10' });
    await placed(service, seller, limit('sell', '50', '1', market));
    await placed(service, taker, limit('buy', '50', '1', market));
    const klines = async (query: Record<string, string>) =>
      get('/klines', { symbol: market, interval: '1d', ...query });
    const midnight = new Date();
    midnight.setUTCHours(0, 0, 0, 0);
    const day = {
      open_time: midnight.toISOString(),
      close_time: new Date(midnight.getTime() + 86_399_999).toISOString(),
      open: '50',
      high: '50',
      low: '50',
      close: '50',
      volume: '1',
      quote_volume: '50',
      trade_count: 1,
    };
    expect(await klines({})).toEqual({ status: 200, body: { items: [day] } });
    const times = { start_time: midnight.toISOString(), end_time: String(midnight.getTime()) };
    expect(await klines(times)).toEqual({ status: 200, body: { items: [day] } });
    const late = { start_time: String(midnight.getTime() + 1) };
    expect(await klines(late)).toEqual({ status: 200, body: { items: [] } });
  });

  test('GET /spot/trends: the last price of the hours of each market that traded', async () => {
    const market = await nextMarket(service);
    const quiet = await nextMarket(service);
    const seller = await nextUser(service, { [baseOf(market)]: '10' });
    await placed(service, seller, limit('sell', '50', '1', market));
    await placed(service, taker, limit('buy', '50', '1', market));
    const { status, body } = await get('/trends');
    const { items } = body as { items: readonly { symbol: string; closes: string[] }[] };
    const own = items.find((each) => each.symbol === market);
    expect([status, own?.closes.at(-1)]).toEqual([200, '50']);
    expect(items.some((each) => each.symbol === quiet)).toBe(false);
  });

  test.each([
    { interval: '2m' },
    { interval: '' },
    { start_time: 'yesterday' },
    { start_time: '2026-02-31T00:00:00' },
    { start_time: '2026-13-01T00:00:00Z' },
    { end_time: '-1' },
    { end_time: '1e12' },
  ])('GET /spot/klines: %o is INVALID_PARAMETER with a detail', async (fault) => {
    const query = { symbol, interval: '1m', ...fault } as Record<string, string>;
    expect(await get('/klines', query)).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: anyText },
    });
  });
});
