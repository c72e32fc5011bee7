import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';
import { outcomeOf } from '../support/spot-fixtures.ts';

let service: DerivativesService;
beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());

const path = '/api/v1/admin/futures/markets';
const terms = {
  symbol: 'ADMUSDT',
  base_asset: 'ADM',
  tick_size: '0.1',
  lot_size: '0.001',
  min_notional: '5',
  max_notional: '1000000',
  max_leverage: 50,
  maintenance_margin_rate: '0.005',
  maker_fee_bps: 2,
  taker_fee_bps: 5,
};
const write = (method: 'POST' | 'PUT', to: string, body: object) =>
  outcomeOf(service.admin(method, to, body));

describe('POST /api/v1/admin/futures/markets', () => {
  it('create: listed and tradeable at once; a second one is 409 MARKET_EXISTS', async () => {
    expect(await write('POST', path, terms)).toEqual({
      status: 200,
      body: { ok: true, symbol: 'ADMUSDT' },
    });
    expect(await service.read('/api/v1/markets/admusdt')).toMatchObject({ status: 'listed' });
    const again = await write('POST', path, { ...terms, symbol: 'admusdt' });
    expect(again).toEqual({ status: 409, body: { error: 'MARKET_EXISTS' } });
  });

  it.each([
    { symbol: 'A/B' },
    { symbol: '' },
    { tick_size: '0' },
    { lot_size: '-1' },
    { tick_size: '1e-3' },
    { min_notional: '-1' },
    { max_notional: '1' },
    { max_leverage: 0 },
    { max_leverage: 126 },
    { maintenance_margin_rate: '0' },
    { maintenance_margin_rate: '0.03' },
    { maker_fee_bps: -1 },
    { taker_fee_bps: 0.5 },
    { extra: 1 },
  ])('create with %j: 400 INVALID_PARAMETER', async (change) => {
    const refused = await write('POST', path, { ...terms, symbol: 'BADUSDT', ...change });
    expect(refused).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
  });

  it('create: a wrong or missing key is 401 UNAUTHORIZED', async () => {
    const reply = await service.spot.call({ method: 'POST', path, body: terms });
    expect([reply.status, reply.body]).toEqual([401, { error: 'UNAUTHORIZED' }]);
  });
});

describe('PUT /api/v1/admin/futures/markets/:symbol/status', () => {
  const setStatus = (symbol: string, status: string) =>
    write('PUT', `${path}/${symbol}/status`, { status });
  const ok = { status: 200, body: { ok: true } };

  it('status: halted and back, then delisted permanently; the same again is ok', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const trader = await service.nextTrader();
    service.place(trader, { symbol, side: 'buy', price: 90, quantity: 1 });
    for (const status of ['halted', 'halted', 'listed', 'delisted', 'delisted']) {
      expect(await setStatus(symbol.toLowerCase(), status)).toEqual(ok);
      expect(await service.read(`/api/v1/markets/${symbol}`)).toMatchObject({ status });
    }
    expect(await setStatus(symbol, 'listed')).toEqual({
      status: 400,
      body: { error: 'INVALID_STATUS' },
    });
    expect(await service.read('/api/v1/orders/open', trader)).toEqual([]);
  });

  it('status: a delisting without enough index prices needs a settlement_price near the mark', async () => {
    const symbol = await service.nextMarket();
    await service.setIndex(symbol, '100');
    const [trader, rival] = [await service.nextTrader(), await service.nextTrader()];
    service.place(rival, { symbol, side: 'sell', price: 100, quantity: 1 });
    service.place(trader, { symbol, side: 'buy', price: 100, quantity: 1 });
    const delist = (fields: Readonly<Record<string, unknown>>) =>
      write('PUT', `${path}/${symbol}/status`, { status: 'delisted', ...fields });
    const refused = (error: string) => ({ status: 400, body: { error } });
    expect(await delist({})).toMatchObject(refused('SETTLEMENT_PRICE_REQUIRED'));
    expect(await delist({ settlement_price: '120' })).toMatchObject(refused('INVALID_PARAMETER'));
    const halted = await write('PUT', `${path}/${symbol}/status`, {
      status: 'halted',
      settlement_price: '100',
    });
    expect(halted).toMatchObject(refused('INVALID_PARAMETER'));
    const later = new Date(Date.now() + 86_400_000).toISOString();
    expect(await delist({ effective_at: later })).toEqual(ok);
    const planned = { status: 'listed', delisting_at: later };
    expect(await service.read(`/api/v1/markets/${symbol}`)).toMatchObject(planned);
    expect(await delist({ settlement_price: '105' })).toEqual(ok);
    expect(await service.read(`/api/v1/markets/${symbol}`)).toMatchObject({
      status: 'delisted',
      delisting_at: null,
      price_state: 'final',
      mark_price: '105',
    });
  });

  it('status: unknown words are 400 INVALID_STATUS, unknown markets 404', async () => {
    const symbol = await service.nextMarket();
    const bad = await setStatus(symbol, 'paused');
    expect(bad).toEqual({ status: 400, body: { error: 'INVALID_STATUS' } });
    const missing = await setStatus('NOPEUSDT', 'halted');
    expect(missing).toEqual({ status: 404, body: { error: 'MARKET_NOT_FOUND' } });
  });
});

describe('PUT /api/v1/admin/futures/markets/:symbol/index-price', () => {
  const setPrice = (symbol: string, price: unknown) =>
    write('PUT', `${path}/${symbol}/index-price`, { price });

  it('index-price: is the market price at once, in any letter case of the symbol', async () => {
    const symbol = await service.nextMarket();
    expect(await setPrice(symbol.toLowerCase(), '123.45')).toEqual({
      status: 200,
      body: { ok: true, outcome: 'taken' },
    });
    expect(await service.read(`/api/v1/markets/${symbol}`)).toMatchObject({
      index_price: '123.45',
      mark_price: '123.45',
    });
  });

  it.each(['0', '-1', 'NaN', '1.123456789', null])(
    'index-price %j: 400 INVALID_PARAMETER',
    async (price) => {
      const symbol = await service.nextMarket();
      const refused = await setPrice(symbol, price);
      expect(refused).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
    },
  );

  it('index-price: an unknown market is 404 MARKET_NOT_FOUND', async () => {
    const missing = await setPrice('NOPEUSDT', '1');
    expect(missing).toEqual({ status: 404, body: { error: 'MARKET_NOT_FOUND' } });
  });
});

it('every write of the administration leaves an audit row', async () => {
  const symbol = await service.nextMarket();
  await service.setIndex(symbol, '5');
  await write('PUT', `${path}/${symbol}/status`, { status: 'halted' });
  const audit = await service.spot.query((db) =>
    db.selectFrom('admin_audit').select(['action', 'detail', 'admin_actor']).execute(),
  );
  const own = audit.filter(({ detail }) => JSON.stringify(detail).includes(`"${symbol}"`));
  expect(own.map(({ action }) => action).sort()).toEqual([
    'create_futures_market',
    'set_futures_market_status',
    'set_index_price',
  ]);
  expect(new Set(own.map((row) => row.admin_actor))).toEqual(new Set(['admin_api_key']));
});

it('a market priced by its book accepts no pushed price', async () => {
  const book = await startDerivatives({ indexPriceSource: 'book' });
  const symbol = await book.nextMarket();
  const reply = await book.admin('PUT', `${path}/${symbol}/index-price`, { price: '1' });
  expect([reply.status, (reply.body as { error: string }).error]).toEqual([
    400,
    'INVALID_PARAMETER',
  ]);
  await book.close();
});
