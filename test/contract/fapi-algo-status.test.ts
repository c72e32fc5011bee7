import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// The life of a conditional order: NEW, TRIGGERED, FINISHED; or CANCELED, EXPIRED, REJECTED.

let service: FapiService;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader('1000');
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;
interface Algo {
  readonly algoId: number;
  readonly algoStatus: string;
}

/** A market at 100 that offers 10 at 101. */
async function nextMarket(): Promise<string> {
  const symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 10 });
  return symbol;
}

/** Buys once the mark price is at 100.5. */
async function place(symbol: string, change: Fields = {}): Promise<number> {
  const { algoId, algoStatus } = await service.done<Algo>('POST', '/v1/algoOrder', trader, {
    algoType: 'CONDITIONAL',
    symbol,
    side: 'BUY',
    type: 'STOP_MARKET',
    quantity: 1,
    triggerPrice: '100.5',
    workingType: 'MARK_PRICE',
    ...change,
  });
  expect(algoStatus).toBe('NEW');
  return algoId;
}

async function trigger(symbol: string): Promise<void> {
  await service.derivatives.setIndex(symbol, '101');
  service.derivatives.advanceTime();
}

const read = (algoId: number) => service.done<Algo>('GET', '/v1/algoOrder', trader, { algoId });

test('algo status: FINISHED once the order that it became is filled', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol);
  await trigger(symbol);
  expect(await read(algoId)).toMatchObject({
    algoStatus: 'FINISHED',
    actualOrderId: String(algoId),
    actualQty: '1',
  });
});

test('algo status: TRIGGERED while the order that it became rests, FINISHED after its end', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol, { type: 'STOP', price: 90 });
  await trigger(symbol);
  expect(await read(algoId)).toMatchObject({ algoStatus: 'TRIGGERED', actualType: 'LIMIT' });
  await service.done('DELETE', '/v1/order', trader, { symbol, orderId: algoId });
  expect(await read(algoId)).toMatchObject({ algoStatus: 'FINISHED' });
});

test('algo status: FINISHED if the order that it became found nothing to take', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol, { type: 'STOP', price: 90, timeInForce: 'IOC' });
  await trigger(symbol);
  expect(await read(algoId)).toMatchObject({ algoStatus: 'FINISHED', actualQty: '0' });
});

test('algo status: REJECTED if the margin does not suffice when it triggers', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol, { quantity: 1000 });
  await trigger(symbol);
  const rejected = await read(algoId);
  expect(rejected).toMatchObject({ algoStatus: 'REJECTED', actualQty: '0' });
  const all = await service.done('GET', '/v1/allAlgoOrders', trader, { symbol });
  expect(all).toEqual([rejected]);
});

test('algo status: REJECTED if a post-only order would take when it triggers', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol, { type: 'STOP', price: 101, timeInForce: 'GTX' });
  await trigger(symbol);
  expect(await read(algoId)).toMatchObject({ algoStatus: 'REJECTED', actualQty: '0' });
});

test('algo status: CANCELED before it triggers', async () => {
  const symbol = await nextMarket();
  const algoId = await place(symbol);
  expect(await service.done('DELETE', '/v1/algoOrder', trader, { algoId })).toMatchObject({
    algoId,
    code: '200',
    msg: 'success',
  });
  expect(await read(algoId)).toMatchObject({ algoStatus: 'CANCELED', actualOrderId: '' });
});
