import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  type DerivativesService,
  readEnvelope,
  startDerivatives,
} from '../support/derivatives-service.ts';

let service: DerivativesService;
beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());

const path = '/api/v1/orders';

interface Order {
  readonly order_id: number;
  readonly status: string;
  readonly [field: string]: unknown;
}

async function nextPriced(): Promise<string> {
  const symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  return symbol;
}

async function placed(as: Address, body: object): Promise<Order> {
  const { status, data, error } = await service.post(path, as, body);
  expect(`${status} ${error?.message ?? ''}`).toBe('200 ');
  return data as Order;
}

async function refusal(as: Address, body: object): Promise<readonly [number, string | undefined]> {
  const { status, error } = await service.post(path, as, body);
  return [status, error?.code];
}

describe('POST /api/v1/orders', () => {
  it('orders: a limit order by the names and words of /fapi', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader();
    const order = await placed(trader, {
      symbol: symbol.toLowerCase(),
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTX',
      quantity: '0.2509',
      price: '90',
      newClientOrderId: 'mine-1',
    });
    expect(order).toMatchObject({
      client_order_id: 'mine-1',
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      time_in_force: 'GTX',
      quantity: '0.25',
      price: '90',
      status: 'NEW',
      fills: [],
    });
    const open = await service.read<readonly Order[]>('/api/v1/orders/open', trader);
    expect(open.map(({ order_id }) => order_id)).toEqual([order.order_id]);
  });

  it('orders: priceMatch uses a price of the book, as on /fapi', async () => {
    const symbol = await nextPriced();
    const maker = await service.nextTrader();
    const trader = await service.nextTrader();
    await placed(maker, { symbol, side: 'BUY', type: 'LIMIT', quantity: 1, price: 99 });
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: 1, priceMatch: 'QUEUE' };
    expect(await placed(trader, order)).toMatchObject({ price: '99', status: 'NEW' });
    const none = { ...order, priceMatch: 'OPPONENT' };
    expect(await refusal(trader, none)).toEqual([400, 'NO_PRICE_TO_MATCH']);
    expect(await refusal(trader, { ...order, price: 99 })).toEqual([400, 'INVALID_PARAMETER']);
  });

  it('orders: a market order is answered with its fills; the read after it sees them', async () => {
    const symbol = await nextPriced();
    const maker = await service.nextTrader();
    const taker = await service.nextTrader();
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 1, price: 100 });
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 1, price: 101 });
    const order = await placed(taker, { symbol, side: 'BUY', type: 'MARKET', quantity: '2' });
    expect(order).toMatchObject({
      status: 'FILLED',
      filled_quantity: '2',
      avg_price: '100.5',
      fills: [
        { price: '100', quantity: '1', role: 'taker', fee: '0.05', realized_profit: '0' },
        { price: '101', quantity: '1', role: 'taker', fee: '0.0505' },
      ],
    });
    const page = await service.read<{ items: readonly object[] }>('/api/v1/account/trades', taker);
    expect(page.items).toHaveLength(2);
  });

  it('orders: reduceOnly is capped to the position and never opens one', async () => {
    const symbol = await nextPriced();
    const maker = await service.nextTrader();
    const trader = await service.nextTrader();
    const reduce = { symbol, side: 'SELL', type: 'MARKET', quantity: 5, reduceOnly: true };
    expect(await refusal(trader, reduce)).toEqual([400, 'REDUCE_ONLY_REJECTED']);
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 2, price: 100 });
    await placed(maker, { symbol, side: 'BUY', type: 'LIMIT', quantity: 9, price: 99 });
    await placed(trader, { symbol, side: 'BUY', type: 'MARKET', quantity: 2 });
    const closed = await placed(trader, { ...reduce, reduceOnly: 'true' });
    expect(closed).toMatchObject({ filled_quantity: '2', reduce_only: true });
    expect(await service.read('/api/v1/positions/active', trader)).toEqual([]);
  });

  it('orders: max_slippage stops a market order before it reaches the engine', async () => {
    const symbol = await nextPriced();
    const maker = await service.nextTrader();
    const trader = await service.nextTrader();
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 1, price: 100 });
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 1, price: 104 });
    const order = { symbol, side: 'BUY', type: 'MARKET', quantity: 2 };
    const commands = service.spot.exchange.engine.sequence;
    const tight = await refusal(trader, { ...order, max_slippage: '0.019' });
    expect(tight).toEqual([400, 'SLIPPAGE_EXCEEDED']);
    expect(service.spot.exchange.engine.sequence).toBe(commands);
    const wide = await placed(trader, { ...order, max_slippage: '0.02' });
    expect(wide).toMatchObject({ status: 'FILLED', avg_price: '102' });
  });

  it('orders: GTD is for trigger orders, which end at their time', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader();
    const goodTillDate = Date.now() + 3_600_000;
    const stop = {
      symbol,
      side: 'SELL',
      type: 'STOP',
      quantity: '1',
      stopPrice: '80',
      price: '79',
      timeInForce: 'GTD',
    };
    const order = await placed(trader, { ...stop, goodTillDate });
    expect(order).toMatchObject({ type: 'STOP', time_in_force: 'GTD', status: 'NEW' });
    expect(await refusal(trader, stop)).toEqual([400, 'INVALID_PARAMETER']);
    const soon = { ...stop, goodTillDate: Date.now() + 60_000 };
    expect(await refusal(trader, soon)).toEqual([400, 'INVALID_PARAMETER']);
    const plain = { symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
    const refused = await refusal(trader, { ...plain, timeInForce: 'GTD', goodTillDate });
    expect(refused).toEqual([400, 'INVALID_PARAMETER']);
  });

  it('orders: take_profit_price and stop_loss_price make child trigger orders', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader();
    const parent = await placed(trader, {
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      quantity: 1,
      price: 99,
      take_profit_price: '120',
      stop_loss_price: '80',
    });
    const maker = await service.nextTrader();
    await placed(maker, { symbol, side: 'SELL', type: 'MARKET', quantity: 1 });
    const open = await service.read<readonly Order[]>('/api/v1/orders/open', trader);
    expect(open).toMatchObject([
      { type: 'TAKE_PROFIT_MARKET', side: 'SELL', stop_price: '120' },
      { type: 'STOP_MARKET', side: 'SELL', stop_price: '80' },
    ]);
    for (const child of open) {
      expect(child).toMatchObject({ parent_order_id: parent.order_id });
    }
  });

  it('orders: leverage is set first and stays for later orders', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader('1000');
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: 10, price: 100 };
    await placed(trader, { ...order, leverage: '10' });
    await placed(trader, order);
    const account = await service.read<{ order_margin: string }>('/api/v1/unified/account', trader);
    expect(account.order_margin).toBe('200');
    expect(await refusal(trader, { ...order, leverage: 101 })).toEqual([400, 'INVALID_LEVERAGE']);
  });

  it.each([
    [{ side: 'buy' }, 400, 'INVALID_PARAMETER'],
    [{ side: undefined }, 400, 'INVALID_PARAMETER'],
    [{ type: 'ICEBERG' }, 400, 'INVALID_PARAMETER'],
    [{ price: undefined }, 400, 'INVALID_PARAMETER'],
    [{ quantity: undefined }, 400, 'INVALID_PARAMETER'],
    [{ quantity: '0' }, 400, 'INVALID_PARAMETER'],
    [{ price: '1e2' }, 400, 'INVALID_PARAMETER'],
    [{ timeInForce: 'GTD' }, 400, 'INVALID_PARAMETER'],
    [{ positionSide: 'LONG' }, 400, 'INVALID_PARAMETER'],
    [{ closePosition: true }, 400, 'INVALID_PARAMETER'],
    [{ newClientOrderId: 'x'.repeat(37) }, 400, 'INVALID_PARAMETER'],
    [{ max_slippage: '0.1' }, 400, 'INVALID_PARAMETER'],
    [{ max_slippage: '2' }, 400, 'INVALID_PARAMETER'],
    [{ stop_loss_price: '-5' }, 400, 'INVALID_PARAMETER'],
    [{ unknown: 1 }, 400, 'INVALID_PARAMETER'],
    [{ symbol: 'NOPEUSDT' }, 404, 'MARKET_NOT_FOUND'],
    [{ quantity: '0.0009' }, 400, 'INVALID_LOT'],
    [{ price: '100.05' }, 400, 'INVALID_TICK'],
    [{ stop_loss_price: '80.05' }, 400, 'INVALID_TICK'],
    [{ quantity: '0.01' }, 400, 'BELOW_MIN_NOTIONAL'],
    [{ quantity: '100000000' }, 400, 'ABOVE_MAX_NOTIONAL'],
    [{ quantity: '900000' }, 400, 'INSUFFICIENT_MARGIN'],
  ])('orders: %j is %i %s', async (change, status, code) => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader();
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '100' };
    expect(await refusal(trader, { ...order, ...change })).toEqual([status, code]);
  });

  it('orders: GTX that would take, a trigger already reached, a client id in use', async () => {
    const symbol = await nextPriced();
    const maker = await service.nextTrader();
    const trader = await service.nextTrader();
    await placed(maker, { symbol, side: 'SELL', type: 'LIMIT', quantity: 1, price: 100 });
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: 1, price: 100 };
    expect(await refusal(trader, { ...order, timeInForce: 'GTX' })).toEqual([
      400,
      'POST_ONLY_REJECT',
    ]);
    const trigger = { symbol, side: 'BUY', type: 'STOP_MARKET', quantity: 1, stopPrice: '90' };
    expect(await refusal(trader, { ...trigger, workingType: 'MARK_PRICE' })).toEqual([
      400,
      'WOULD_TRIGGER_IMMEDIATELY',
    ]);
    const named = { ...order, price: 90, newClientOrderId: 'twice' };
    await placed(trader, named);
    expect(await refusal(trader, named)).toEqual([409, 'DUPLICATE_CLIENT_ORDER_ID']);
  });

  it('orders: a halted market is 409 MARKET_HALTED, a delisted one 410 MARKET_DELISTED', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader();
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: 1, price: 100 };
    const statusPath = `/api/v1/admin/futures/markets/${symbol}/status`;
    await service.admin('PUT', statusPath, { status: 'halted' });
    expect(await refusal(trader, order)).toEqual([409, 'MARKET_HALTED']);
    await service.admin('PUT', statusPath, { status: 'delisted' });
    expect(await refusal(trader, order)).toEqual([410, 'MARKET_DELISTED']);
  });

  it('orders: an API key with the trade permission places orders, a read-only key is refused', async () => {
    const symbol = await nextPriced();
    const as = await service.nextTrader();
    const body = { symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
    const reply = readEnvelope(await service.spot.callSigned({ method: 'POST', path, as, body }));
    expect(reply.status).toBe(200);
    const refused = await service.spot.callSigned({ method: 'POST', path, as, body }, ['read']);
    expect(refused.status).toBe(403);
    expect(readEnvelope(refused).error?.code).toBe('PERMISSION_DENIED');
    const open = await service.read<readonly Order[]>('/api/v1/orders/open', as);
    expect(open).toHaveLength(1);
  });
});

describe('DELETE /api/v1/orders', () => {
  const cancel = async (as: Address, target: string, query: Record<string, string> = {}) =>
    readEnvelope(
      await service.spot.call({ method: 'DELETE', path: `${path}${target}`, as, query }),
    );

  it('cancel: the order with its take profit; twice, or by another account, is not found', async () => {
    const symbol = await nextPriced();
    const trader = await service.nextTrader('1000');
    const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: 10, price: 99 };
    const { order_id: id } = await placed(trader, { ...order, take_profit_price: '120' });
    const stranger = await service.nextTrader();
    const foreign = await cancel(stranger, `/${id}`);
    expect([foreign.status, foreign.error?.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    const canceled = await cancel(trader, `/${id}`);
    expect(canceled.data).toMatchObject({ order_id: id, status: 'CANCELED' });
    expect(await service.read('/api/v1/orders/open', trader)).toEqual([]);
    const account = await service.read('/api/v1/unified/account', trader);
    expect(account).toMatchObject({ order_margin: '0', available_balance: '1000' });
    const again = await cancel(trader, `/${id}`);
    expect([again.status, again.error?.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    const malformed = await cancel(trader, '/first');
    expect([malformed.status, malformed.error?.code]).toEqual([400, 'INVALID_PARAMETER']);
  });

  it('cancel all: of one market, then of all', async () => {
    const symbol = await nextPriced();
    const other = await nextPriced();
    const trader = await service.nextTrader();
    const ids: number[] = [];
    for (const each of [symbol, other, other]) {
      const order = { symbol: each, side: 'BUY', type: 'LIMIT', quantity: 1, price: 99 };
      ids.push((await placed(trader, order)).order_id);
    }
    const first = await cancel(trader, '', { symbol: symbol.toLowerCase() });
    expect(first.data).toEqual({ canceled: ids.slice(0, 1) });
    expect((await cancel(trader, '')).data).toEqual({ canceled: ids.slice(1) });
    expect((await cancel(trader, '')).data).toEqual({ canceled: [] });
  });
});
