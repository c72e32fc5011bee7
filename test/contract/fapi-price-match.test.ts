import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, invalid, mandatory, notRequired } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// priceMatch of /fapi: OPPONENT, QUEUE and their fifth, tenth and twentieth levels, on single
// orders, batches, amendments and conditional orders.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

type Fields = Readonly<Record<string, string | number | boolean>>;
interface Order {
  readonly orderId: number;
  readonly [field: string]: unknown;
}

beforeAll(async () => {
  service = await FapiService.open();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader();
});
afterAll(() => service.close());

// Bids at 99, 98, ... 95 and offers at 101, 102, ... 105: five levels per side.
beforeEach(async () => {
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  for (let level = 1; level <= 5; level += 1) {
    service.derivatives.place(maker, { symbol, side: 'buy', price: 100 - level, quantity: 10 });
    service.derivatives.place(maker, { symbol, side: 'sell', price: 100 + level, quantity: 10 });
  }
});

const noDepth = error(-2010, 'No depth matches this BBO order.');
const limit = (change: Fields = {}): Fields => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 1,
  ...change,
});
const place = (fields: Fields) => service.call('POST', '/v1/order', trader, fields);
const placed = (fields: Fields) => service.done<Order>('POST', '/v1/order', trader, fields);
const read = ({ orderId }: Order) =>
  service.done<Order>('GET', '/v1/order', trader, { symbol, orderId });

describe('POST /fapi/v1/order with priceMatch', () => {
  test('priceMatch: the order answers with the price it got and its priceMatch', async () => {
    const order = await placed(limit({ priceMatch: 'QUEUE' }));
    expect(order).toMatchObject({ price: '99', priceMatch: 'QUEUE', status: 'NEW', type: 'LIMIT' });
    expect(await read(order)).toMatchObject({ price: '99', priceMatch: 'QUEUE' });
    const fifth = await placed(limit({ side: 'SELL', priceMatch: 'QUEUE_5' }));
    expect(fifth).toMatchObject({ price: '105', priceMatch: 'QUEUE_5', status: 'NEW' });
    const taking = await placed(limit({ priceMatch: 'OPPONENT_5', newOrderRespType: 'RESULT' }));
    expect(taking).toMatchObject({
      price: '105',
      priceMatch: 'OPPONENT_5',
      status: 'FILLED',
      avgPrice: '101',
    });
    // From the database, as from the engine.
    expect(await read(taking)).toMatchObject({ price: '105', priceMatch: 'OPPONENT_5' });
  });

  test('priceMatch: NONE is the default and needs a price', async () => {
    const order = await placed(limit({ priceMatch: 'NONE', price: 90 }));
    expect(order).toMatchObject({ price: '90', priceMatch: 'NONE' });
    expect(await placed(limit({ price: 90 }))).toMatchObject({ priceMatch: 'NONE' });
    expect(await place(limit({ priceMatch: 'NONE' }))).toEqual(mandatory('price'));
    expect(await place(limit({ priceMatch: '' }))).toEqual(mandatory('price'));
  });

  test('priceMatch: cannot be passed together with price', async () => {
    const refusal = await place(limit({ priceMatch: 'QUEUE', price: 99 }));
    expect(refusal).toEqual(notRequired('price'));
  });

  test('priceMatch: only orders with a limit accept it', async () => {
    for (const type of ['MARKET', 'STOP_MARKET', 'TAKE_PROFIT_MARKET']) {
      const order = limit({ type, stopPrice: 80, side: 'SELL', priceMatch: 'OPPONENT' });
      expect(await place(order)).toEqual(notRequired('priceMatch'));
    }
  });

  test('priceMatch: -1130 for an unknown value', async () => {
    for (const priceMatch of ['BEST', 'OPPONENT_1', 'QUEUE_50', 'queue']) {
      expect(await place(limit({ priceMatch }))).toEqual(invalid('priceMatch'));
    }
  });

  test('priceMatch: -2010 if the book has no such level; nothing is placed', async () => {
    for (const priceMatch of ['OPPONENT_10', 'OPPONENT_20', 'QUEUE_10', 'QUEUE_20']) {
      expect(await place(limit({ priceMatch }))).toEqual(noDepth);
    }
    const empty = await service.derivatives.nextMarket();
    await service.derivatives.setIndex(empty, '100');
    for (const priceMatch of ['OPPONENT', 'QUEUE']) {
      expect(await place(limit({ symbol: empty, priceMatch }))).toEqual(noDepth);
    }
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });

  test('priceMatch: GTX at the other side’s price would match and is refused', async () => {
    expect(await place(limit({ timeInForce: 'GTX', priceMatch: 'OPPONENT' }))).toEqual(
      error(-2010, 'Order would immediately match and take.'),
    );
    const resting = await placed(limit({ timeInForce: 'GTX', priceMatch: 'QUEUE' }));
    expect(resting).toMatchObject({ status: 'NEW', price: '99' });
  });

  test('priceMatch: order/test checks it without placing', async () => {
    const judge = (fields: Fields) => service.call('POST', '/v1/order/test', trader, fields);
    expect(await judge(limit({ priceMatch: 'QUEUE' }))).toEqual({ status: 200, body: {} });
    expect(await judge(limit({ priceMatch: 'QUEUE_20' }))).toEqual(noDepth);
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });

  test('priceMatch: each order of a batch gets its price in turn', async () => {
    const batchOrders = JSON.stringify([
      limit({ price: '99.5' }),
      limit({ priceMatch: 'QUEUE' }),
      limit({ priceMatch: 'QUEUE_10' }),
      limit({ priceMatch: 'QUEUE', price: 99 }),
    ]);
    const { body } = await service.call('POST', '/v1/batchOrders', trader, { batchOrders });
    expect(body).toMatchObject([
      { price: '99.5', priceMatch: 'NONE' },
      { price: '99.5', priceMatch: 'QUEUE' },
      noDepth.body,
      notRequired('price').body,
    ]);
  });
});

describe('PUT /fapi/v1/order with priceMatch', () => {
  const amend = (order: Order, change: Fields) =>
    service.call('PUT', '/v1/order', trader, {
      symbol,
      orderId: order.orderId,
      side: 'BUY',
      quantity: 1,
      ...change,
    });

  test('priceMatch: the amended order rests at the price of the book', async () => {
    const order = await placed(limit({ price: 90 }));
    const { status, body } = await amend(order, { priceMatch: 'QUEUE', quantity: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ orderId: order.orderId, price: '99', origQty: '2' });
    expect(body).toMatchObject({ priceMatch: 'QUEUE' });
    const history = await service.done('GET', '/v1/orderAmendment', trader, {
      symbol,
      orderId: order.orderId,
    });
    expect(history).toMatchObject([{ amendment: { price: { before: '90', after: '99' } } }]);
    await amend(order, { price: 91, quantity: 2 });
    expect(await read(order)).toMatchObject({ price: '91', priceMatch: 'NONE' });
  });

  test('priceMatch: a refused amendment leaves the order unchanged', async () => {
    const order = await placed(limit({ price: 90 }));
    expect(await amend(order, { priceMatch: 'QUEUE', price: 91 })).toEqual(notRequired('price'));
    expect(await amend(order, { priceMatch: 'BEST' })).toEqual(invalid('priceMatch'));
    expect(await amend(order, {})).toEqual(mandatory('price'));
    expect(await amend(order, { priceMatch: 'QUEUE_10' })).toEqual(noDepth);
    expect(await read(order)).toMatchObject({ price: '90', priceMatch: 'NONE', origQty: '1' });
  });

  test('priceMatch: in a batch of amendments', async () => {
    const order = await placed(limit({ price: 90 }));
    const batchOrders = JSON.stringify([
      { symbol, orderId: order.orderId, side: 'BUY', quantity: 1, priceMatch: 'QUEUE_5' },
    ]);
    const { body } = await service.call('PUT', '/v1/batchOrders', trader, { batchOrders });
    // The order itself does not count as a level, and was behind the fifth.
    expect(body).toMatchObject([{ price: '95', priceMatch: 'QUEUE_5' }]);
  });
});

describe('conditional orders with priceMatch', () => {
  const algo = (change: Fields = {}): Fields => ({
    algoType: 'CONDITIONAL',
    symbol,
    side: 'BUY',
    type: 'STOP',
    quantity: 1,
    triggerPrice: 110,
    workingType: 'MARK_PRICE',
    priceMatch: 'QUEUE',
    ...change,
  });

  test('priceMatch: a STOP has no price before it triggers, and the book’s price then', async () => {
    const { status, body } = await service.call('POST', '/v1/algoOrder', trader, algo());
    expect(status).toBe(200);
    expect(body).toMatchObject({ algoStatus: 'NEW', price: '0', priceMatch: 'QUEUE' });
    const { algoId } = body as { readonly algoId: number };
    service.derivatives.place(maker, { symbol, side: 'buy', price: 99.5, quantity: 10 });
    await service.derivatives.setIndex(symbol, '115');
    service.derivatives.advanceTime();
    const fired = await service.done('GET', '/v1/algoOrder', trader, { algoId });
    expect(fired).toMatchObject({ algoStatus: 'TRIGGERED', price: '99.5', priceMatch: 'QUEUE' });
    const asOrder = await service.done('GET', '/v1/order', trader, { symbol, orderId: algoId });
    expect(asOrder).toMatchObject({ type: 'LIMIT', origType: 'STOP', price: '99.5' });
  });

  test('priceMatch: the ordinary path accepts it for STOP and TAKE_PROFIT too', async () => {
    for (const [type, stopPrice] of [
      ['STOP', 110],
      ['TAKE_PROFIT', 90],
    ] as const) {
      const order = await placed(limit({ type, stopPrice, priceMatch: 'OPPONENT' }));
      expect(order).toMatchObject({ type, price: '0', priceMatch: 'OPPONENT', status: 'NEW' });
    }
  });

  test('priceMatch: an order that finds no level when it triggers ends without a price', async () => {
    const order = algo({ priceMatch: 'QUEUE_20' });
    const { body } = await service.call('POST', '/v1/algoOrder', trader, order);
    const { algoId } = body as { readonly algoId: number };
    await service.derivatives.setIndex(symbol, '115');
    service.derivatives.advanceTime();
    const ended = await service.done('GET', '/v1/order', trader, { symbol, orderId: algoId });
    expect(ended).toMatchObject({ status: 'EXPIRED', price: '0', priceMatch: 'QUEUE_20' });
  });

  test('priceMatch: not for types without a limit, and not together with a price', async () => {
    const send = (fields: Fields) => service.call('POST', '/v1/algoOrder', trader, fields);
    expect(await send(algo({ type: 'STOP_MARKET' }))).toEqual(notRequired('priceMatch'));
    expect(await send(algo({ price: 100 }))).toEqual(notRequired('price'));
  });
});
