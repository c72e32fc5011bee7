import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';
import { anyText } from '../support/spot-fixtures.ts';

let service: DerivativesService;
beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());

const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const isoText = expect.stringMatching(isoPattern) as unknown;

describe('GET /api/v1/markets', () => {
  it('markets: each carries min_order_size_usd, lot_size, tick_size, status and its prices', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '64000');
    const markets = await service.read<readonly { symbol: string }[]>('/api/v1/markets');
    const market = markets.find((each) => each.symbol === symbol);
    expect(market).toEqual({
      symbol,
      base_asset: symbol.replace('USDT', ''),
      quote_asset: 'USDT',
      status: 'listed',
      tick_size: '0.1',
      lot_size: '0.001',
      min_order_size_usd: '5',
      max_order_size_usd: '100000000',
      max_leverage: 100,
      maintenance_margin_rate: '0.004',
      maker_fee_bps: 2,
      taker_fee_bps: 5,
      mark_price: '64000',
      index_price: '64000',
      last_price: null,
      funding_rate: anyText,
      next_funding_time: isoText,
      is_index_stale: false,
      price_state: 'fresh',
      settling: false,
      open_interest: '0',
      max_open_interest: '1000000000',
      delisting_at: null,
      created_at: isoText,
    });
  });

  it.each(['upper', 'lower', 'mixed'] as const)(
    'markets/:symbol: the symbol is accepted in any letter case (%s)',
    async (letterCase) => {
      const symbol = await service.nextMarket();
      const forms = { upper: symbol, lower: symbol.toLowerCase(), mixed: `t${symbol.slice(1)}` };
      const text = forms[letterCase];
      for (const path of ['', '/depth', '/trades', '/klines?interval=1m']) {
        const [tail = '', search] = path.split('?');
        const query = search === undefined ? {} : { interval: '1m' };
        const reply = await service.get(`/api/v1/markets/${text}${tail}`, undefined, query);
        expect(reply.status).toBe(200);
      }
      expect((await service.get(`/api/v1/funding-rates/${text}`)).status).toBe(200);
      expect((await service.get(`/api/v1/external/markets/${text}/ticker`)).status).toBe(200);
    },
  );

  it.each([
    '/api/v1/markets/NOPEUSDT',
    '/api/v1/markets/NOPEUSDT/depth',
    '/api/v1/markets/NOPEUSDT/trades',
    '/api/v1/markets/NOPEUSDT/klines',
    '/api/v1/funding-rates/NOPEUSDT',
    '/api/v1/external/markets/NOPEUSDT/ticker',
  ])('%s: 404 MARKET_NOT_FOUND', async (path) => {
    const reply = await service.get(
      path,
      undefined,
      path.endsWith('klines') ? { interval: '1m' } : {},
    );
    expect([reply.status, reply.error?.code]).toEqual([404, 'MARKET_NOT_FOUND']);
  });
});

describe('market data of a market that trades', () => {
  it('klines of the mark and of the index price have prices, and no volume', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    service.advanceTime();
    await service.setIndex(symbol, '103');
    service.advanceTime();
    for (const price of ['mark', 'index']) {
      const path = `/api/v1/markets/${symbol}/klines`;
      const candles = await service.read<readonly Record<string, unknown>[]>(path, undefined, {
        interval: '1d',
        price,
      });
      expect(candles.at(-1)).toMatchObject({ volume: '0', taker_buy_volume: '0', trade_count: 0 });
      const prices = ['open', 'high', 'low', 'close'].map((name) => Number(candles.at(-1)?.[name]));
      expect(Math.min(...prices), price).toBeGreaterThanOrEqual(100);
      expect(Math.max(...prices), price).toBeLessThanOrEqual(103);
      if (price === 'index') expect(candles.at(-1)).toMatchObject({ close: '103' });
    }
  });

  it('depth, trades, klines and ticker show the trades', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const maker = await service.nextTrader();
    const taker = await service.nextTrader();
    service.place(maker, { symbol, side: 'sell', price: 101, quantity: 2 });
    service.place(maker, { symbol, side: 'buy', price: 99, quantity: 3 });
    service.place(taker, { symbol, side: 'buy', quantity: 0.5 });
    expect(await service.read(`/api/v1/markets/${symbol}/depth`)).toEqual({
      symbol,
      last_update_id: expect.any(Number) as unknown,
      bids: [['99', '3']],
      asks: [['101', '1.5']],
    });
    expect(await service.read(`/api/v1/markets/${symbol}/trades`)).toEqual([
      {
        trade_id: expect.any(Number) as unknown,
        price: '101',
        quantity: '0.5',
        quote_quantity: '50.5',
        side: 'BUY',
        created_at: isoText,
      },
    ]);
    const [kline] = await service.read<readonly object[]>(
      `/api/v1/markets/${symbol}/klines`,
      undefined,
      { interval: '1d' },
    );
    expect(kline).toMatchObject({
      open: '101',
      close: '101',
      volume: '0.5',
      quote_volume: '50.5',
      taker_buy_volume: '0.5',
      taker_buy_quote_volume: '50.5',
      trade_count: 1,
    });
    const trends =
      await service.read<readonly { symbol: string; closes: readonly string[] }[]>(
        '/api/v1/trends',
      );
    expect(trends.find((each) => each.symbol === symbol)?.closes.at(-1)).toBe('101');
    expect(await service.read(`/api/v1/external/markets/${symbol}/ticker`)).toMatchObject({
      symbol,
      last_price: '101',
      best_bid: '99',
      best_ask: '101',
      volume: '0.5',
      quote_volume: '50.5',
      trade_count: 1,
      open_interest: '0.5',
      index_price: '100',
    });
  });

  it('ticker: next_funding_time is the next full UTC hour', async () => {
    const symbol = await service.nextMarket();
    const before = Date.now();
    const ticker = await service.read<{ next_funding_time: string }>(
      `/api/v1/external/markets/${symbol}/ticker`,
    );
    const next = Date.parse(ticker.next_funding_time);
    expect(next % 3_600_000).toBe(0);
    expect(next).toBeGreaterThan(before);
    expect(next - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  it('funding-rates: the estimate of the next funding, and the rates of past ones', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const rates = await service.read(`/api/v1/funding-rates/${symbol}`);
    expect(rates).toEqual({
      symbol,
      funding_rate: anyText,
      last_funding_rate: anyText,
      next_funding_time: isoText,
      mark_price: '100',
      index_price: '100',
      history: [],
    });
  });

  it.each([
    ['depth', { limit: '0' }],
    ['depth', { limit: '1001' }],
    ['trades', { limit: '501' }],
    ['klines', { interval: '1m', price: 'premium' }],
    ['klines', { interval: '7m' }],
    ['klines', {}],
    ['klines', { interval: '1m', start_time: 'yesterday' }],
    ['depth', { symbl: 'x' }],
  ])('%s with %j: 400 INVALID_PARAMETER', async (list, query) => {
    const symbol = await service.nextMarket();
    const reply = await service.get(`/api/v1/markets/${symbol}/${list}`, undefined, query);
    expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMETER']);
  });
});
