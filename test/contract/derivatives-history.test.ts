import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  type DerivativesService,
  readEnvelope,
  startDerivatives,
} from '../support/derivatives-service.ts';
import { nextAddress } from '../support/spot-fixtures.ts';

// Income, liquidations and trigger orders on the general surface, by a token as by a signed key.

let service: DerivativesService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());
beforeEach(async () => {
  symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  service.advanceTime();
  maker = await service.nextTrader();
  trader = await service.nextTrader('100');
});

type Row = Readonly<Record<string, unknown>>;
interface Page {
  readonly items: readonly Row[];
  readonly total?: number;
  readonly next_cursor?: string | null;
  readonly next_offset?: number | null;
}
type Query = Record<string, string>;

const read = (list: string, as: Address, query: Query = {}) =>
  service.read<Page>(`/api/v1/${list}`, as, query);

async function refusal(list: string, query: Query): Promise<string> {
  const { status, error } = await service.get(`/api/v1/${list}`, trader, query);
  return `${status} ${error?.code ?? ''}`;
}

/** The trader is long 10 at 100, the maker short. */
function openPositions(): void {
  service.place(maker, { symbol, side: 'sell', price: 100, quantity: 10 });
  service.place(trader, { symbol, side: 'buy', quantity: 10 });
}

async function fallTo(price: string): Promise<void> {
  await service.setIndex(symbol, price);
  service.advanceTime();
}

describe.each(['income', 'liquidations', 'trigger-orders'])('GET /api/v1/%s', (list) => {
  test(`/api/v1/${list}: a signed key that may read reads what the token reads`, async () => {
    openPositions();
    await fallTo('80');
    service.place(maker, { symbol, side: 'buy', quantity: 1, ...stop('stop_market', 120) });
    const as = list === 'trigger-orders' ? maker : trader;
    const byToken = await read(list, as);
    expect(byToken.items.length).toBeGreaterThan(0);
    const call = { path: `/api/v1/${list}`, as };
    expect(readEnvelope(await service.spot.callSigned(call, ['read'])).data).toEqual(byToken);
  });

  test(`/api/v1/${list}: an account that does not exist yet has none`, async () => {
    expect((await read(list, nextAddress())).items).toEqual([]);
  });

  test(`/api/v1/${list}: bad values are refused`, async () => {
    expect(await refusal(list, { symbol: 'NOPEUSDT' })).toBe('404 MARKET_NOT_FOUND');
    const long = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-09T00:00:00Z' };
    const words = { type: 'x', origin: 'user', status: 'new' };
    const own = Object.entries(words).map(([name, value]) => ({ [name]: value }));
    const malformed = [{ limit: '501' }, { offset: '-1' }, { start_time: 'yesterday' }];
    for (const query of [long, ...own, ...malformed]) {
      expect(await refusal(list, query)).toBe('400 INVALID_PARAMETER');
    }
  });
});

const stop = (orderType: 'stop_market' | 'take_profit_market', price: number) => ({
  orderType,
  timeInForce: 'gtc' as const,
  stopPrice: (price * 10) as never,
});

describe('GET /api/v1/income', () => {
  test('income: fees, profit and transfers, newest first, each of its type', async () => {
    openPositions();
    service.place(maker, { symbol, side: 'buy', price: 103, quantity: 10 });
    service.place(trader, { symbol, side: 'sell', quantity: 10 });
    const { items, next_offset } = await read('income', trader);
    expect(next_offset).toBeNull();
    const lines = items.map(({ type, amount, symbol: market }) => [type, amount, market]);
    // 5 bps of 1030 and of 1000; 10 x 3 of profit.
    expect(lines.sort()).toEqual(
      [
        ['COMMISSION', '-0.515', symbol],
        ['REALIZED_PNL', '30', symbol],
        ['COMMISSION', '-0.5', symbol],
        ['TRANSFER', '100', null],
      ].sort(),
    );
    const times = items.map(({ created_at }) => String(created_at));
    expect(times).toEqual(times.toSorted().reverse());
    for (const type of ['COMMISSION', 'REALIZED_PNL', 'TRANSFER']) {
      const own = items.filter((row) => row['type'] === type);
      expect((await read('income', trader, { type })).items).toEqual(own);
    }
    expect((await read('income', trader, { symbol })).items).toHaveLength(3);
  });

  test('income: pages by next_offset return every entry once', async () => {
    openPositions();
    service.place(maker, { symbol, side: 'buy', price: 103, quantity: 10 });
    service.place(trader, { symbol, side: 'sell', quantity: 10 });
    const { items } = await read('income', trader);
    const paged: Row[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Page = await read('income', trader, { limit: '3', offset: String(offset) });
      paged.push(...page.items);
      offset = page.next_offset ?? null;
    }
    expect(paged).toEqual(items);
    expect((await read('income', trader, { end_time: '2020-01-01T00:00:00Z' })).items).toEqual([]);
  });
});

describe('GET /api/v1/liquidations', () => {
  test('liquidations: the order that closed the position, to its owner only', async () => {
    openPositions();
    const buyer = await service.nextTrader();
    service.place(buyer, { symbol, side: 'buy', price: 90.5, quantity: 10 });
    await fallTo('90.3');
    const closed = { symbol, side: 'SELL', origin: 'liquidation', status: 'FILLED' };
    expect(await read('liquidations', trader)).toMatchObject({
      items: [{ ...closed, filled_quantity: '10', avg_price: '90.5' }],
      total: 1,
    });
    expect((await read('liquidations', buyer)).items).toEqual([]);
    const query = { origin: 'auto_deleveraging' };
    expect(await read('liquidations', trader, query)).toMatchObject({ items: [], total: 0 });
  });

  test('liquidations: deleveraging of the account is listed, by origin and by cursor', async () => {
    openPositions();
    await fallTo('80');
    const query = { origin: 'auto_deleveraging', cursor: '' };
    expect(await read('liquidations', maker, query)).toMatchObject({
      items: [{ side: 'BUY', origin: 'auto_deleveraging', filled_quantity: '10' }],
      total: -1,
      next_cursor: null,
    });
    const forced = await read('liquidations', maker, { origin: 'liquidation' });
    expect(forced.items).toEqual([]);
  });
});

describe('/api/v1/trigger-orders', () => {
  const path = '/api/v1/trigger-orders';

  test('trigger-orders: a trailing stop is listed with the fields of its trigger, and no other order', async () => {
    service.place(maker, { symbol, side: 'buy', price: 90, quantity: 1 });
    const orderId = service.place(maker, {
      symbol,
      side: 'buy',
      quantity: 1,
      orderType: 'trailing_stop_market',
      timeInForce: 'gtc',
      activationPrice: 950 as never,
      callback: 150 as never,
    });
    const { items, total } = await read('trigger-orders', maker);
    expect(total).toBe(1);
    expect(items).toMatchObject([
      {
        order_id: orderId,
        symbol,
        type: 'TRAILING_STOP_MARKET',
        status: 'NEW',
        trigger_status: 'NEW',
        triggered_at: null,
        activation_price: '95',
        callback_rate: '1.5',
        price_match: 'NONE',
        price_protect: false,
      },
    ]);
    expect((await read('trigger-orders', maker, { status: 'FILLED' })).items).toEqual([]);
    expect((await read('trigger-orders', trader)).items).toEqual([]);
  });

  test('trigger-orders: an order that triggered and filled is FINISHED, with its trigger time', async () => {
    openPositions();
    const orderId = service.place(trader, {
      symbol,
      side: 'sell',
      quantity: 10,
      ...stop('stop_market', 99),
      isReduceOnly: true,
      triggerPriceKind: 'mark',
    });
    service.place(maker, { symbol, side: 'buy', price: 98, quantity: 10 });
    await fallTo('98.5');
    const { items } = await read('trigger-orders', trader, { symbol, status: 'FILLED' });
    expect(items).toMatchObject([
      { order_id: orderId, trigger_status: 'FINISHED', stop_price: '99', avg_price: '98' },
    ]);
    expect(items[0]?.['triggered_at']).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  });

  test('trigger-orders: DELETE cancels what waits in the market and leaves the book alone', async () => {
    const other = await service.nextMarket();
    await service.setIndex(other, '100');
    const wait = (market: string, as: Address) =>
      service.place(as, { symbol: market, side: 'buy', quantity: 1, ...stop('stop_market', 120) });
    const resting = service.place(maker, { symbol, side: 'buy', price: 90, quantity: 1 });
    const [here, there, foreign] = [wait(symbol, maker), wait(other, maker), wait(symbol, trader)];
    const call = { method: 'DELETE', path, as: maker, query: { symbol } } as const;
    expect(readEnvelope(await service.spot.callSigned(call, ['read']))).toMatchObject({
      status: 403,
      error: { code: 'PERMISSION_DENIED' },
    });
    const unknown = { ...call, query: { symbol: 'NOPEUSDT' } };
    expect(readEnvelope(await service.spot.call(unknown))).toMatchObject({ status: 404 });
    expect(readEnvelope(await service.spot.callSigned(call)).data).toEqual({ canceled: [here] });
    const open = async (as: Address) =>
      (await service.read<Row[]>('/api/v1/orders/open', as)).map(({ order_id }) => order_id);
    expect(await open(maker)).toEqual([resting, there]);
    expect(await open(trader)).toEqual([foreign]);
    const all = await service.spot.call({ method: 'DELETE', path, as: maker });
    expect(readEnvelope(all).data).toEqual({ canceled: [there] });
    expect(await open(maker)).toEqual([resting]);
    expect((await read('trigger-orders', maker)).items).toMatchObject([
      { order_id: there, trigger_status: 'CANCELED' },
      { order_id: here, trigger_status: 'CANCELED' },
    ]);
  });
});
