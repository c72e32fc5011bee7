import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  anyText,
  balancesOf,
  baseOf,
  expectOk,
  nextAddress,
  nextMarket,
  nextUser,
  outcomeOf,
  place,
  placed,
} from '../support/spot-fixtures.ts';
import type { Reply, SpotServiceOptions } from '../support/spot-service.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
beforeAll(async () => {
  service = await SpotService.start();
});
afterAll(() => service.close());

const market = {
  id: 'DF-USDT',
  base_token: 'DF',
  quote_token: 'USDT',
  tick_size: '0.0001',
  lot_size: '0.01',
  min_notional: '5',
  maker_fee_bps: 0,
  taker_fee_bps: 7,
};
const error = (status: number, code: string) => ({ status, body: { error: code } });

function create(body: object, of: SpotService = service): Promise<Reply> {
  return of.call({ method: 'POST', path: '/api/v1/admin/spot/markets', isAdmin: true, body });
}

function credit(body: object, of: SpotService = service): Promise<Reply> {
  return of.call({
    method: 'POST',
    path: '/api/v1/admin/spot/balances/credit',
    isAdmin: true,
    body,
  });
}

function setStatus(id: string, body: unknown): Promise<Reply> {
  const path = `/api/v1/admin/spot/markets/${encodeURIComponent(id)}/status`;
  return service.call({ method: 'PUT', path, isAdmin: true, body });
}

async function withService(
  options: SpotServiceOptions,
  work: (other: SpotService) => Promise<void>,
): Promise<void> {
  const other = await SpotService.start(options);
  try {
    await work(other);
  } finally {
    await other.close();
  }
}

async function whileDatabaseIsDown(work: () => Promise<void>): Promise<void> {
  service.isDatabaseDown = true;
  try {
    await work();
  } finally {
    service.isDatabaseDown = false;
  }
}

describe('POST /admin/spot/markets', () => {
  test('POST /admin/spot/markets: the market is listed, queryable and tradeable at once', async () => {
    expect(await outcomeOf(create(market))).toEqual({
      status: 200,
      body: { ok: true, id: 'DF-USDT' },
    });
    const found = { status: 200, body: { ...market, max_open_orders: 1_000, status: 'listed' } };
    expect(await outcomeOf(service.call({ path: '/api/v1/spot/markets/DF-USDT' }))).toEqual(found);
    const list = await service.call({ path: '/api/v1/spot/markets' });
    expect(list.body).toMatchObject({ items: expect.arrayContaining([found.body]) as unknown });
    const user = await nextUser(service, { USDT: '10' });
    const order = { symbol: 'DF-USDT', side: 'buy', type: 'limit', price: 0.5, quantity: 10 };
    expect((await place(service, user, order)).status).toBe(200);
  });

  test('POST /admin/spot/markets: an id that exists is 409 MARKET_EXISTS, another case is not', async () => {
    const id = await nextMarket(service);
    expect(await outcomeOf(create({ ...market, id }))).toEqual(error(409, 'MARKET_EXISTS'));
    expect((await create({ ...market, id: id.toLowerCase() })).status).toBe(200);
  });

  test.each(['BTC/USDT', 'a', 'A.b_c:d-e/f', 'x'.repeat(32), 'constructor', 'toString'])(
    'POST /admin/spot/markets: %s can be an id, in the path too',
    async (id) => {
      expect(await outcomeOf(create({ ...market, id }))).toEqual({
        status: 200,
        body: { ok: true, id },
      });
      const path = `/api/v1/spot/markets/${encodeURIComponent(id)}`;
      expect((await service.call({ path })).body).toMatchObject({ id, status: 'listed' });
      expect(await outcomeOf(setStatus(id, { status: 'halted' }))).toEqual({
        status: 200,
        body: { ok: true },
      });
      const depth = await service.call({ path: '/api/v1/spot/depth', query: { symbol: id } });
      expect(depth.body).toMatchObject({ symbol: id, bids: [], asks: [] });
    },
  );

  test.each([
    { id: '' },
    { id: '__proto__' },
    { id: '..' },
    { id: 'BTC USDT' },
    { id: 'x'.repeat(33) },
    { id: 'BTCÜSDT' },
    { id: 7 },
    { id: undefined },
    { base_token: '' },
    { base_token: 'USDT' },
    { quote_token: 'US DT' },
    { tick_size: '0' },
    { tick_size: '-0.01' },
    { tick_size: '1e-2' },
    { lot_size: '0.000000001' },
    { tick_size: '0.00001', lot_size: '0.0001' },
    { min_notional: '-1' },
    { min_notional: '0.000000001' },
    { maker_fee_bps: -1 },
    { maker_fee_bps: 1.5 },
    { maker_fee_bps: '10' },
    { taker_fee_bps: 10_001 },
    { taker_fee_bps: null },
    { status: 'listed' },
  ])('POST /admin/spot/markets: %o is INVALID_PARAMETER with a detail', async (fault) => {
    const body = { ...market, id: 'NEVER', ...fault };
    expect(await outcomeOf(create(body))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: anyText },
    });
    const found = await service.call({ path: '/api/v1/spot/markets/NEVER' });
    expect(found.body).toEqual({ error: 'MARKET_NOT_FOUND' });
  });

  test.each(Object.keys(market))('POST /admin/spot/markets: %s is required', async (name) => {
    const body = Object.fromEntries(Object.entries(market).filter(([each]) => each !== name));
    expect(await outcomeOf(create(name === 'id' ? body : { ...body, id: 'NEVER' }))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: `${name}: required` },
    });
  });

  test('POST /admin/spot/markets: with storage down 500 DB_ERROR, after MARKET_EXISTS, and nothing is created', async () => {
    const id = await nextMarket(service);
    await whileDatabaseIsDown(async () => {
      expect(await outcomeOf(create({ ...market, id }))).toEqual(error(409, 'MARKET_EXISTS'));
      expect(await outcomeOf(create({ ...market, id: 'LATER' }))).toEqual(error(500, 'DB_ERROR'));
    });
    expect(await outcomeOf(service.call({ path: '/api/v1/spot/markets/LATER' }))).toEqual(
      error(404, 'MARKET_NOT_FOUND'),
    );
    expect((await create({ ...market, id: 'LATER' })).status).toBe(200);
  });

  test('POST /admin/spot/markets: an overloaded or restarting engine is DB_ERROR', async () => {
    service.exchange.isBusy = true;
    expect(await outcomeOf(create({ ...market, id: 'BUSY' }))).toEqual(error(500, 'DB_ERROR'));
    service.exchange.isBusy = false;
    service.exchange.state = 'restarting';
    expect(await outcomeOf(create({ ...market, id: 'BUSY' }))).toEqual(error(500, 'DB_ERROR'));
    service.exchange.state = 'ready';
  });
});

describe('PUT /admin/spot/markets/:id/status', () => {
  test('PUT status: a market can be halted and listed again, and delisting is final', async () => {
    const id = await nextMarket(service);
    const seller = await nextUser(service, { [baseOf(id)]: '1' });
    const order = { symbol: id, side: 'sell', type: 'limit', price: '100', quantity: '1' };
    await placed(service, seller, order);
    const ok = { status: 200, body: { ok: true } };
    for (const status of ['halted', 'halted', 'listed', 'listed', 'halted', 'delisted']) {
      expect(await outcomeOf(setStatus(id, { status }))).toEqual(ok);
      const found = await service.call({ path: `/api/v1/spot/markets/${id}` });
      expect(found.body).toMatchObject({ status });
    }
    expect(await outcomeOf(setStatus(id, { status: 'delisted' }))).toEqual(ok);
    for (const status of ['listed', 'halted']) {
      expect(await outcomeOf(setStatus(id, { status }))).toEqual(error(400, 'INVALID_STATUS'));
    }
    expect(await balancesOf(service, seller)).toEqual({ [baseOf(id)]: '1 0' });
  });

  test('PUT status: a halted market still takes cancels', async () => {
    const id = await nextMarket(service);
    const seller = await nextUser(service, { [baseOf(id)]: '1' });
    const order = { symbol: id, side: 'sell', type: 'limit', price: '100', quantity: '1' };
    const { order_id: orderId } = await placed(service, seller, order);
    await setStatus(id, { status: 'halted' });
    const path = `/api/v1/spot/orders/${orderId}`;
    const canceled = await service.call({ method: 'DELETE', path, as: seller });
    expect(canceled.body).toMatchObject({ status: 'canceled' });
  });

  test('PUT status: unknown statuses and markets', async () => {
    for (const status of ['Listed', 'open', '', '__proto__']) {
      expect(await outcomeOf(setStatus('NOPE', { status }))).toEqual(error(400, 'INVALID_STATUS'));
    }
    expect(await outcomeOf(setStatus('NOPE', { status: 'halted' }))).toEqual(
      error(404, 'MARKET_NOT_FOUND'),
    );
    for (const body of [{}, { status: 1 }, { status: 'halted', why: 'x' }]) {
      expect(await outcomeOf(setStatus('NOPE', body))).toEqual({
        status: 400,
        body: { error: 'INVALID_PARAMETER', detail: anyText },
      });
    }
  });

  test('PUT status: with storage down 500 DB_ERROR and nothing changes', async () => {
    const id = await nextMarket(service);
    await whileDatabaseIsDown(async () => {
      expect(await outcomeOf(setStatus(id, { status: 'halted' }))).toEqual(error(500, 'DB_ERROR'));
    });
    const found = await service.call({ path: `/api/v1/spot/markets/${id}` });
    expect(found.body).toMatchObject({ status: 'listed' });
  });
});

describe('POST /admin/spot/balances/credit', () => {
  const give = (change: object = {}) => ({
    user_address: `0x${'Ab'.repeat(20)}`,
    token: 'USDT',
    amount: '12.50',
    ...change,
  });

  test('credit: the balance row and the audit row are committed when the answer comes', async () => {
    const address = nextAddress();
    const body = give({ user_address: address.toUpperCase().replace('0X', '0x'), reason: 'gift' });
    expect(await outcomeOf(credit(body))).toEqual({ status: 200, body: { ok: true } });
    const rows = await service.query((db) =>
      sql<object>`SELECT user_address, token, trim_scale(amount)::text AS amount, reason, reference,
        admin_actor FROM spot_admin_credits WHERE user_address = ${address}`.execute(db),
    );
    expect(rows.rows).toEqual([
      {
        user_address: address,
        token: 'USDT',
        amount: '12.5',
        reason: 'gift',
        reference: null,
        admin_actor: 'admin_api_key',
      },
    ]);
    const balances = await service.query((db) =>
      sql<object>`SELECT trim_scale(available)::text AS available FROM spot_balances
        WHERE user_address = ${address}`.execute(db),
    );
    expect(balances.rows).toEqual([{ available: '12.5' }]);
    expect(await balancesOf(service, address)).toEqual({ USDT: '12.5 0' });
  });

  test.each(['user_address', 'token', 'amount'])('credit: %s is required', async (name) => {
    const body = Object.fromEntries(Object.entries(give()).filter(([each]) => each !== name));
    expect(await outcomeOf(credit(body))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: `${name}: required` },
    });
  });

  test('credit: one balance row for an address and token, created if absent; reason may be left out', async () => {
    const address = nextAddress();
    for (const [token, amount] of [
      ['USDT', '1.5'],
      ['USDT', '2'],
      ['DF', '7'],
    ] as const) {
      await expectOk(credit(give({ user_address: address, token, amount })));
    }
    const { rows } = await service.query((db) =>
      sql<object>`SELECT token, trim_scale(available)::text AS available FROM spot_balances
        WHERE user_address = ${address} ORDER BY token`.execute(db),
    );
    expect(rows).toEqual([
      { token: 'DF', available: '7' },
      { token: 'USDT', available: '3.5' },
    ]);
    const reasons = await service.query((db) =>
      sql<object>`SELECT reason FROM spot_admin_credits WHERE user_address = ${address}`.execute(
        db,
      ),
    );
    expect(reasons.rows).toEqual([{ reason: null }, { reason: null }, { reason: null }]);
  });

  test('credit: the same reference counts once', async () => {
    const address = nextAddress();
    for (const amount of ['1', '1', '2']) {
      const body = give({ user_address: address, amount, reference: `once ${address}` });
      expect(await outcomeOf(credit(body))).toEqual({ status: 200, body: { ok: true } });
    }
    expect(await balancesOf(service, address)).toEqual({ USDT: '1 0' });
  });

  test('credit: an amount of zero or less is 400 AMOUNT_NON_POSITIVE', async () => {
    for (const amount of ['0', '-1', 0, -0.5, '-0.00000001']) {
      expect(await outcomeOf(credit(give({ amount })))).toEqual(error(400, 'AMOUNT_NON_POSITIVE'));
    }
  });

  test.each([
    { amount: '1.000000001' },
    { amount: 'ten' },
    { amount: '9'.repeat(30) },
    { amount: null },
    { user_address: '0x1234' },
    { user_address: 'vitalik.eth' },
    { token: '' },
    { token: 'US DT' },
    { reason: 'line\nbreak' },
    { reason: 'null\u0000byte' },
    { reason: 'half \ud83d' },
    { reason: 'x'.repeat(501) },
    { reference: '' },
    { reference: 'x'.repeat(101) },
    { note: 'unknown' },
  ])('credit: %o is INVALID_PARAMETER with a detail', async (fault) => {
    expect(await outcomeOf(credit(give(fault)))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: anyText },
    });
  });

  test('credit: with storage down 500 DB_ERROR and nothing is credited', async () => {
    const address = nextAddress();
    await whileDatabaseIsDown(async () => {
      const answer = await outcomeOf(credit(give({ user_address: address })));
      expect(answer).toEqual(error(500, 'DB_ERROR'));
    });
    expect(await balancesOf(service, address)).toEqual({});
  });

  test('credit: 404 DISABLED where TESTNET_ONLY is not exactly true, whatever the amount', async () => {
    await withService({ areTestCreditsEnabled: false }, async (other) => {
      for (const amount of ['1', '0']) {
        expect(await outcomeOf(credit(give({ amount }), other))).toEqual(error(404, 'DISABLED'));
      }
    });
  });
});

describe('administration: access', () => {
  test('administration: a wrong or missing key is 401 UNAUTHORIZED, a token does not help', async () => {
    const path = '/api/v1/admin/spot/markets';
    const call = { method: 'POST', path, body: market } as const;
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': '' }]) {
      const reply = await outcomeOf(service.call({ ...call, headers, as: nextAddress() }));
      expect(reply).toEqual(error(401, 'UNAUTHORIZED'));
    }
  });

  test('administration: without ADMIN_API_KEY 503 ADMIN_NOT_CONFIGURED', async () => {
    await withService({ adminApiKey: null }, async (other) => {
      expect(await outcomeOf(create(market, other))).toEqual(error(503, 'ADMIN_NOT_CONFIGURED'));
    });
  });

  test('administration: each write that changed something left one audit row', async () => {
    const id = await nextMarket(service);
    await setStatus(id, { status: 'halted' });
    await setStatus(id, { status: 'halted' });
    const { rows } = await service.query((db) =>
      sql<object>`SELECT action, admin_actor FROM admin_audit
        WHERE detail->>'id' = ${id} OR detail->>'market' = ${id} ORDER BY id`.execute(db),
    );
    expect(rows).toEqual([
      { action: 'create_spot_market', admin_actor: 'admin_api_key' },
      { action: 'set_spot_market_status', admin_actor: 'admin_api_key' },
    ]);
  });
});
