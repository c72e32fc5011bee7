import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// The symbols of exchangeInfo are kept between calls and must still show each change at once.

let service: FapiService;
let symbol: string;
let holder: Address;

interface Info {
  readonly serverTime: number;
  readonly symbols: readonly { readonly symbol: string; readonly status: string }[];
}

beforeAll(async () => {
  service = await FapiService.open();
  const { derivatives } = service;
  symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '30000');
  derivatives.advanceTime();
  holder = await derivatives.nextTrader();
});
afterAll(() => service.close());

async function readInfo(): Promise<Info> {
  const { status, body } = await service.read('/v1/exchangeInfo');
  expect(status).toBe(200);
  return body as Info;
}

async function statusOf(name: string): Promise<string | undefined> {
  return (await readInfo()).symbols.find((each) => each.symbol === name)?.status;
}

const setStatus = async (name: string, status: string): Promise<void> => {
  const path = `/api/v1/admin/futures/markets/${name}/status`;
  expect((await service.derivatives.admin('PUT', path, { status })).status).toBe(200);
};

test('exchangeInfo: two calls without a change differ in serverTime alone', async () => {
  const before = await readInfo();
  await expect.poll(async () => (await readInfo()).serverTime).toBeGreaterThan(before.serverTime);
  const after = await readInfo();
  expect({ ...after, serverTime: before.serverTime }).toEqual(before);
});

test('exchangeInfo: the answer is JSON with its length', async () => {
  const { headers } = await service.callWhole('GET', '/v1/exchangeInfo', holder, {});
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Number(headers['content-length'])).toBeGreaterThan(500);
});

test('exchangeInfo: a new market is listed in the next call', async () => {
  const added = await service.derivatives.nextMarket({ tick_size: '0.5' });
  const { symbols } = await readInfo();
  expect(symbols.map((each) => each.symbol)).toEqual([symbol, added]);
  expect(symbols[1]).toMatchObject({
    pricePrecision: 1,
    filters: [{ tickSize: '0.5' }, {}, {}, {}, {}],
  });
});

test('exchangeInfo: a halt and its end are shown in the next call', async () => {
  expect(await statusOf(symbol)).toBe('TRADING');
  await setStatus(symbol, 'halted');
  expect(await statusOf(symbol)).toBe('PENDING_TRADING');
  await setStatus(symbol, 'listed');
  expect(await statusOf(symbol)).toBe('TRADING');
});

test('exchangeInfo: SETTLING is shown while a price move is settled, and no longer', async () => {
  const { derivatives } = service;
  derivatives.place(holder, { symbol, side: 'sell', price: 30_000, quantity: 1 });
  for (let number = 0; number < 10; number += 1) {
    const loser = await derivatives.nextTrader('155');
    derivatives.place(loser, { symbol, side: 'buy', price: 30_000, quantity: 0.1 });
  }
  expect(await statusOf(symbol)).toBe('TRADING');
  derivatives.apply({ type: 'setIndexPrice', symbol, price: toAmount(28_000n * 10n ** 8n) });
  expect(await statusOf(symbol)).toBe('SETTLING');
  derivatives.advanceTime();
  expect(await statusOf(symbol)).toBe('TRADING');
});

test('exchangeInfo: a delisted market is CLOSE in the next call', async () => {
  const gone = await service.derivatives.nextMarket();
  expect(await statusOf(gone)).toBe('TRADING');
  await setStatus(gone, 'delisted');
  expect(await statusOf(gone)).toBe('CLOSE');
});
