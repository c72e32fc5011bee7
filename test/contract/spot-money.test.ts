import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  balancesOf,
  baseOf,
  nextMarket,
  nextUser,
  outcomeOf,
  place,
  placed,
} from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

// Balances to the last unit. The market's tick is 0.01, its lot 0.0001, its fees 10 bps for the
// maker and 20 bps for the taker, taken from what each receives and rounded up.

let service: SpotService;
let symbol: string;
let base: string;
let maker: Address;
let taker: Address;

beforeAll(async () => {
  service = await SpotService.start();
});
afterAll(() => service.close());

beforeEach(async () => {
  symbol = await nextMarket(service);
  base = baseOf(symbol);
  maker = await nextUser(service, { USDT: '1000', [base]: '10' });
  taker = await nextUser(service, { USDT: '1000', [base]: '10' });
});

function order(
  side: string,
  change: object,
): { readonly symbol: string; readonly [field: string]: unknown } {
  return { symbol, side, type: 'limit', ...change };
}

describe('money: what an order locks', () => {
  test('money: a resting buy locks price times quantity, a cancel releases all of it', async () => {
    const placedOrder = await placed(
      service,
      maker,
      order('buy', { price: '33.33', quantity: '1.2345' }),
    );
    // 33.33 x 1.2345 = 41.145885
    expect(await balancesOf(service, maker)).toEqual({
      USDT: '958.854115 41.145885',
      [base]: '10 0',
    });
    await service.call({
      method: 'DELETE',
      path: `/api/v1/spot/orders/${placedOrder.order_id}`,
      as: maker,
    });
    expect(await balancesOf(service, maker)).toEqual({ USDT: '1000 0', [base]: '10 0' });
  });

  test('money: a resting sell locks its quantity', async () => {
    await placed(service, maker, order('sell', { price: '100', quantity: '10' }));
    expect(await balancesOf(service, maker)).toEqual({ USDT: '1000 0', [base]: '0 10' });
    const another = order('sell', { price: '100', quantity: '0.05' });
    expect(await outcomeOf(place(service, maker, another))).toEqual({
      status: 400,
      body: { error: 'INSUFFICIENT_BALANCE' },
    });
  });

  test('money: delisting a market unlocks every order in it', async () => {
    await placed(service, maker, order('sell', { price: '100', quantity: '4' }));
    await placed(service, taker, order('buy', { price: '99', quantity: '4' }));
    await service.call({
      method: 'PUT',
      path: `/api/v1/admin/spot/markets/${symbol}/status`,
      isAdmin: true,
      body: { status: 'delisted' },
    });
    expect(await balancesOf(service, maker)).toEqual({ USDT: '1000 0', [base]: '10 0' });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '1000 0', [base]: '10 0' });
  });
});

test('GET /spot/balances: token, available and locked of each token', async () => {
  await placed(service, maker, order('sell', { price: '100', quantity: '4' }));
  const { body } = await service.call({ path: '/api/v1/spot/balances', as: maker });
  expect(body).toEqual({
    items: [
      { token: 'USDT', available: '1000', locked: '0' },
      { token: base, available: '6', locked: '4' },
    ],
  });
});

describe('money: what a trade moves', () => {
  test('money: fees come from what is received, rounded up to the last unit', async () => {
    await placed(service, maker, order('sell', { price: '33.33', quantity: '0.3333' }));
    const bought = await placed(
      service,
      taker,
      order('buy', { price: '33.33', quantity: '0.3333' }),
    );
    // Quote 33.33 x 0.3333 = 11.108889; maker's fee 0.011108889 is 0.01110889 rounded up;
    // taker's fee 0.0006666 of the base token.
    expect(bought).toMatchObject({
      status: 'filled',
      filled_quantity: '0.3333',
      filled_quote_quantity: '11.108889',
      avg_price: '33.33',
      fills: [
        { price: '33.33', quantity: '0.3333', fee: '0.0006666', fee_token: base, role: 'taker' },
      ],
    });
    expect(await balancesOf(service, taker)).toEqual({
      USDT: '988.891111 0',
      [base]: '10.3326334 0',
    });
    expect(await balancesOf(service, maker)).toEqual({
      USDT: '1011.09778011 0',
      [base]: '9.6667 0',
    });
  });

  test('money: the difference to a better price is released at once', async () => {
    await placed(service, maker, order('sell', { price: '50', quantity: '1' }));
    const bought = await placed(service, taker, order('buy', { price: '60', quantity: '2' }));
    expect(bought).toMatchObject({ status: 'partially_filled', avg_price: '50' });
    // 50 paid, 60 locked for the rest, nothing of the 10 that were saved.
    expect(await balancesOf(service, taker)).toEqual({ USDT: '890 60', [base]: '10.998 0' });
  });

  test('money: a seller is paid the better price of the bids', async () => {
    await placed(service, maker, order('buy', { price: '60', quantity: '1' }));
    const sold = await placed(
      service,
      taker,
      order('sell', { price: '50', quantity: '1', tif: 'fok' }),
    );
    expect(sold).toMatchObject({ status: 'filled', avg_price: '60', filled_quote_quantity: '60' });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '1059.88 0', [base]: '9 0' });
    expect(await balancesOf(service, maker)).toEqual({ USDT: '940 0', [base]: '10.999 0' });
  });

  test('money: the rest of an ioc order is unlocked and expires', async () => {
    await placed(service, maker, order('sell', { price: '50', quantity: '1' }));
    const bought = await placed(
      service,
      taker,
      order('buy', { price: '50', quantity: '3', tif: 'ioc' }),
    );
    expect(bought).toMatchObject({ status: 'expired', filled_quantity: '1' });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '950 0', [base]: '10.998 0' });
  });

  test('money: a fok order that cannot fill completely expires without a fill or a lock', async () => {
    await placed(service, maker, order('sell', { price: '50', quantity: '1' }));
    const bought = await placed(
      service,
      taker,
      order('buy', { price: '50', quantity: '1.0001', tif: 'fok' }),
    );
    expect(bought).toMatchObject({ status: 'expired', filled_quantity: '0', fills: [] });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '1000 0', [base]: '10 0' });
    expect(await balancesOf(service, maker)).toEqual({ USDT: '1000 0', [base]: '9 1' });
  });
});

describe('money: market orders', () => {
  test('money: a market buy spends at most its quote_quantity, in whole lots, over levels', async () => {
    await placed(service, maker, order('sell', { price: '30', quantity: '1' }));
    await placed(service, maker, order('sell', { price: '70', quantity: '5' }));
    const bought = await placed(service, taker, {
      symbol,
      side: 'buy',
      type: 'market',
      quote_quantity: '100.005',
    });
    // 30 for the first; 70.005 buy 1.0000 at 70 with 0.005 left, less than a lot (0.007).
    expect(bought).toMatchObject({
      tif: 'ioc',
      price: null,
      quantity: null,
      quote_quantity: '100.005',
      filled_quantity: '2',
      filled_quote_quantity: '100',
      avg_price: '50',
      status: 'filled',
      fills: [
        { price: '30', quantity: '1', fee: '0.002' },
        { price: '70', quantity: '1', fee: '0.002' },
      ],
    });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '900 0', [base]: '11.996 0' });
  });

  test('money: what a market buy finds no offers for is unlocked, the order expired', async () => {
    await placed(service, maker, order('sell', { price: '30', quantity: '1' }));
    const bought = await placed(service, taker, {
      symbol,
      side: 'buy',
      type: 'market',
      quote_quantity: '500',
    });
    expect(bought).toMatchObject({ status: 'expired', filled_quote_quantity: '30' });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '970 0', [base]: '10.998 0' });
  });

  test('money: a market sell takes the bids and its rest expires', async () => {
    await placed(service, maker, order('buy', { price: '40', quantity: '2' }));
    const sold = await placed(service, taker, {
      symbol,
      side: 'sell',
      type: 'market',
      quantity: '3',
    });
    expect(sold).toMatchObject({ status: 'expired', filled_quantity: '2', avg_price: '40' });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '1079.84 0', [base]: '8 0' });
  });

  test('money: a market order on an empty book moves nothing', async () => {
    const bought = await placed(service, taker, {
      symbol,
      side: 'buy',
      type: 'market',
      quote_quantity: 20,
    });
    expect(bought).toMatchObject({ status: 'expired', avg_price: null, fills: [] });
    expect(await balancesOf(service, taker)).toEqual({ USDT: '1000 0', [base]: '10 0' });
  });
});

test('money: a market without fees charges none', async () => {
  const free = await nextMarket(service, { maker_fee_bps: 0, taker_fee_bps: 0 });
  const seller = await nextUser(service, { [baseOf(free)]: '1' });
  const limit = { symbol: free, type: 'limit', price: '10', quantity: '1' };
  await placed(service, seller, { ...limit, side: 'sell' });
  const bought = await placed(service, taker, { ...limit, side: 'buy' });
  expect(bought.fills).toMatchObject([{ fee: '0' }]);
  expect(await balancesOf(service, seller)).toEqual({ [baseOf(free)]: '0 0', USDT: '10 0' });
});
