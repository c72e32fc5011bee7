import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  type DerivativesService,
  readEnvelope,
  startDerivatives,
} from '../support/derivatives-service.ts';
import { nextAddress } from '../support/spot-fixtures.ts';

let service: DerivativesService;
beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());

interface Unified {
  readonly equity: string;
  readonly available_balance: string;
  readonly initial_margin: string;
  readonly order_margin: string;
  readonly maintenance_margin: string;
  readonly uniMMR: string | null;
  readonly positions: readonly Readonly<Record<string, unknown>>[];
}

const unifiedOf = (as: Address): Promise<Unified> => service.read('/api/v1/unified/account', as);

/** A market at 100 with a long position of 10 for the first and a short one for the second. */
async function openPositions(): Promise<{ symbol: string; long: Address; short: Address }> {
  const symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  const long = await service.nextTrader('10000');
  const short = await service.nextTrader('10000');
  service.place(short, { symbol, side: 'sell', price: 100, quantity: 10 });
  service.place(long, { symbol, side: 'buy', quantity: 10 });
  return { symbol, long, short };
}

describe('GET /api/v1/unified/account', () => {
  it('unified: margin of resting orders is in equity and taken off the available balance', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const trader = await service.nextTrader('1000');
    const before = await unifiedOf(trader);
    expect(before).toMatchObject({
      equity: '1000',
      available_balance: '1000',
      initial_margin: '0',
      order_margin: '0',
      maintenance_margin: '0',
      uniMMR: null,
      positions: [],
    });
    // 40 x 100 at the default leverage of 20.
    service.place(trader, { symbol, side: 'buy', price: 100, quantity: 40 });
    expect(await unifiedOf(trader)).toMatchObject({
      equity: '1000',
      available_balance: '800',
      initial_margin: '200',
      order_margin: '200',
    });
  });

  it('unified: positions with their margins, and uniMMR as equity over maintenance margin', async () => {
    const { symbol, long } = await openPositions();
    const account = await unifiedOf(long);
    // A taker fee of 5 bps of 1000.
    expect(account).toMatchObject({
      equity: '9999.5',
      initial_margin: '50',
      order_margin: '0',
      maintenance_margin: '4',
      available_balance: '9949.5',
      uniMMR: '2499.875',
    });
    expect(account.positions).toHaveLength(1);
    expect(account.positions[0]).toMatchObject({
      symbol,
      side: 'LONG',
      quantity: '10',
      entry_price: '100',
      mark_price: '100',
      leverage: 20,
      margin_mode: 'cross',
      notional: '1000',
      unrealized_profit: '0',
      initial_margin: '50',
      maintenance_margin: '4',
    });
  });

  it('unified: with resting orders beside a position, equity and uniMMR hold their margin', async () => {
    const { symbol, long } = await openPositions();
    service.place(long, { symbol, side: 'buy', price: 90, quantity: 10 });
    // 900 at leverage 20 rest; equity and maintenance margin stay, what is available does not.
    expect(await unifiedOf(long)).toMatchObject({
      equity: '9999.5',
      initial_margin: '95',
      order_margin: '45',
      maintenance_margin: '4',
      available_balance: '9904.5',
      uniMMR: '2499.875',
    });
  });

  it('unified: an account in liquidation shows since when and its progress', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const [long, short] = [await service.nextTrader('10000'), await service.nextTrader('10000')];
    expect(await unifiedOf(long)).toMatchObject({ liquidation: null });
    service.place(short, { symbol, side: 'sell', price: 100, quantity: 1_000 });
    service.place(long, { symbol, side: 'buy', price: 100, quantity: 1_000 });
    const market = await service.read(`/api/v1/markets/${symbol}`);
    expect(market).toMatchObject({ open_interest: '1000' });
    // 300 of equity over a maintenance margin of 361.4, and nobody buys.
    await service.setIndex(symbol, '90.35');
    expect(await unifiedOf(long)).toMatchObject({
      equity: '300',
      maintenance_margin: '361.4',
      withdrawable: '0',
      liquidation: { number: 1, stage: 'book', begun_at: expect.stringMatching(/Z$/) as unknown },
    });
  });

  it('unified: an address that never traded has an empty account', async () => {
    const account = await unifiedOf(nextAddress());
    expect(account).toMatchObject({ equity: '0', available_balance: '0', positions: [] });
  });
});

describe('GET /api/v1/positions/active and /api/v1/orders/open', () => {
  it('positions: only non-zero ones; a short one is negative', async () => {
    const { symbol, short } = await openPositions();
    const positions = await service.read('/api/v1/positions/active', short);
    expect(positions).toMatchObject([{ symbol, side: 'SHORT', quantity: '-10' }]);
    const idle = await service.nextTrader();
    service.place(idle, { symbol, side: 'buy', price: 90, quantity: 1 });
    expect(await service.read('/api/v1/positions/active', idle)).toEqual([]);
  });

  it('orders/open: resting orders and waiting triggers, of one symbol or of all', async () => {
    const symbol = await service.nextMarket();
    const other = await service.nextMarket();
    for (const each of [symbol, other]) await service.setIndex(each, '100');
    const trader = await service.nextTrader();
    const first = service.place(trader, { symbol, side: 'buy', price: 90, quantity: 1 });
    const second = service.place(trader, {
      symbol: other,
      side: 'buy',
      quantity: 2,
      orderType: 'stop_market',
      stopPrice: 1_200 as never,
    });
    const all = await service.read<readonly object[]>('/api/v1/orders/open', trader);
    expect(all).toMatchObject([
      { order_id: first, symbol, side: 'BUY', type: 'LIMIT', status: 'NEW', price: '90' },
      { order_id: second, symbol: other, type: 'STOP_MARKET', stop_price: '120' },
    ]);
    const query = { symbol: other.toLowerCase() };
    expect(await service.read('/api/v1/orders/open', trader, query)).toEqual([all[1]]);
  });
});

describe('GET /api/v1/account/balances', () => {
  it('balances: the perp wallet with unrealized profit, then the spot wallet', async () => {
    const { long } = await openPositions();
    expect(await service.read('/api/v1/account/balances', long)).toEqual([
      {
        market: 'futures',
        token: 'USDT',
        available: '9999.5',
        locked: '0',
        wallet_balance: '9999.5',
        unrealized_profit: '0',
        equity: '9999.5',
        available_balance: '9949.5',
      },
      {
        market: 'spot',
        token: 'USDT',
        available: '0',
        locked: '0',
        wallet_balance: null,
        unrealized_profit: null,
        equity: null,
        available_balance: null,
      },
    ]);
  });
});

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next_cursor: string | null;
}

describe('GET /api/v1/account/orders, /orders and /account/trades', () => {
  it.each(['/api/v1/account/orders', '/api/v1/orders'])(
    '%s: offset with a total, or cursor with a total of -1, over the same orders',
    async (path) => {
      const symbol = await service.nextMarket();
      await service.setIndex(symbol, '100');
      const trader = await service.nextTrader();
      const placed: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        placed.push(service.place(trader, { symbol, side: 'buy', price: 90, quantity: 1 }));
      }
      const newest = placed.toReversed();
      const first = await service.read<Page>(path, trader, { limit: '2' });
      expect(first.total).toBe(5);
      expect(first.items.map((order) => order['order_id'])).toEqual(newest.slice(0, 2));
      const offset = await service.read<Page>(path, trader, { limit: '2', offset: '3' });
      expect(offset.total).toBe(5);
      expect(offset.items.map((order) => order['order_id'])).toEqual(newest.slice(3));
      const seen = [...first.items];
      let cursor = first.next_cursor;
      while (cursor !== null) {
        const page: Page = await service.read<Page>(path, trader, { limit: '2', cursor });
        expect(page.total).toBe(-1);
        seen.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(seen.map((order) => order['order_id'])).toEqual(newest);
      const byCursor = await service.read<Page>(path, trader, { limit: '2', cursor: '' });
      expect(byCursor.total).toBe(-1);
    },
  );

  it('orders: by status and symbol, with the stored average price', async () => {
    const { symbol, long } = await openPositions();
    service.place(long, { symbol, side: 'buy', price: 90, quantity: 1 });
    const query = { symbol: symbol.toLowerCase(), status: 'FILLED' };
    const page = await service.read<Page>('/api/v1/orders', long, query);
    expect(page.items).toMatchObject([
      {
        symbol,
        side: 'BUY',
        type: 'MARKET',
        time_in_force: 'IOC',
        status: 'FILLED',
        quantity: '10',
        filled_quantity: '10',
        filled_quote_quantity: '1000',
        avg_price: '100',
        reduce_only: false,
      },
    ]);
  });

  it("trades: the caller's side of each, with fee and realized profit", async () => {
    const { symbol, long, short } = await openPositions();
    service.place(short, { symbol, side: 'buy', price: 110, quantity: 4 });
    service.place(long, { symbol, side: 'sell', quantity: 4 });
    const page = await service.read<Page>('/api/v1/account/trades', long, { symbol });
    expect(page.total).toBe(2);
    expect(page.items).toMatchObject([
      { side: 'SELL', role: 'taker', price: '110', realized_profit: '40', fee: '0.22' },
      { side: 'BUY', role: 'taker', price: '100', realized_profit: '0', fee: '0.5' },
    ]);
    const maker = await service.read<Page>('/api/v1/account/trades', short, { symbol });
    expect(maker.items).toMatchObject([
      { side: 'BUY', role: 'maker', realized_profit: '-40', fee: '0.088', fee_asset: 'USDT' },
      { side: 'SELL', role: 'maker', realized_profit: '0', fee: '0.2' },
    ]);
  });

  it.each([
    { cursor: 'nonsense' },
    { limit: '501' },
    { offset: '-1' },
    { status: 'filled' },
    { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-09T00:00:00Z' },
  ])('orders with %j: 400 INVALID_PARAMETER', async (query) => {
    const trader = await service.nextTrader();
    const reply = await service.get('/api/v1/account/orders', trader, query);
    expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMETER']);
  });

  it('history of an unknown symbol: 404 MARKET_NOT_FOUND', async () => {
    const trader = await service.nextTrader();
    const reply = await service.get('/api/v1/account/trades', trader, { symbol: 'NOPE' });
    expect([reply.status, reply.error?.code]).toEqual([404, 'MARKET_NOT_FOUND']);
  });
});

describe('POST /api/v1/account/margin-mode', () => {
  it.each([{ margin_mode: 'cross' }, { mode: 'cross' }, { mode: 'CROSS' }])(
    'margin-mode: %j is accepted',
    async (body) => {
      const reply = await service.post('/api/v1/account/margin-mode', nextAddress(), body);
      expect([reply.status, reply.data]).toEqual([200, { margin_mode: 'cross' }]);
    },
  );

  it.each([{ margin_mode: 'isolated' }, { mode: 'portfolio' }])(
    'margin-mode: %j is 400 MARGIN_MODE_NOT_SUPPORTED',
    async (body) => {
      const reply = await service.post('/api/v1/account/margin-mode', nextAddress(), body);
      expect([reply.status, reply.error?.code]).toEqual([400, 'MARGIN_MODE_NOT_SUPPORTED']);
    },
  );

  it('margin-mode: without a mode it is malformed', async () => {
    const reply = await service.post('/api/v1/account/margin-mode', nextAddress(), {});
    expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMETER']);
  });

  it('margin-mode: takes a JWT only', async () => {
    const as = await service.nextTrader();
    const path = '/api/v1/account/margin-mode';
    const call = { method: 'POST', path, as, body: { mode: 'cross' } } as const;
    const reply = readEnvelope(await service.spot.callSigned(call));
    expect([reply.status, reply.error?.code]).toEqual([403, 'PERMISSION_DENIED']);
  });
});

describe('who may read', () => {
  const paths = [
    '/api/v1/orders',
    '/api/v1/orders/open',
    '/api/v1/positions/active',
    '/api/v1/account/balances',
    '/api/v1/account/trades',
    '/api/v1/account/orders',
    '/api/v1/unified/account',
  ];

  it.each(paths)('%s: 401 without credentials, 200 with a JWT or an API key', async (path) => {
    const reply = await service.get(path);
    expect([reply.status, reply.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    const as = await service.nextTrader();
    expect((await service.get(path, as)).status).toBe(200);
    const signed = await service.spot.callSigned({ path, as }, ['read']);
    expect(signed.status).toBe(200);
  });
});
