import { describe, expect, test } from 'vitest';
import { exampleSpotMarket } from '../../../test/support/scripted-exchange.ts';
import { amountMax, requireAmount, toAmount } from '../../domain/amount.ts';
import { requireDecimal } from '../../domain/decimal.ts';
import type { SpotMarket, SpotMarketStatus } from '../../domain/spot-market.ts';
import { type SpotOrderRequest, validateSpotOrder } from './validate-spot-order.ts';

const limitBuy: SpotOrderRequest = {
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: requireDecimal('100.01'),
  quantity: requireDecimal('0.5'),
  quoteQuantity: null,
  clientOrderId: null,
};
const marketSell = { ...limitBuy, type: 'market', side: 'sell', timeInForce: null, price: null };
const marketBuy = {
  ...marketSell,
  side: 'buy',
  quantity: null,
  quoteQuantity: requireAmount('50'),
};

interface TwoFaults {
  readonly reason: string;
  readonly change: Partial<SpotOrderRequest>;
  readonly market?: SpotMarket;
}

function judge(change: Partial<SpotOrderRequest>, market: SpotMarket = exampleSpotMarket()) {
  return validateSpotOrder(market, { ...limitBuy, ...change });
}

function reasonOf(change: Partial<SpotOrderRequest>, market?: SpotMarket): string {
  const outcome = judge(change, market);
  return outcome.kind === 'refused' ? outcome.rejection.reason : 'accepted';
}

function withStatus(status: string): SpotMarket {
  return exampleSpotMarket({ status: status as SpotMarketStatus });
}

describe('validateSpotOrder: of two faults the one higher in the table is reported', () => {
  const offTick = requireDecimal('100.001');
  const offLot = requireDecimal('0.00001');
  const cases: readonly TwoFaults[] = [
    { reason: 'market_halted', change: { side: 'BUY' }, market: withStatus('halted') },
    { reason: 'market_delisted', change: { side: 'BUY' }, market: withStatus('delisted') },
    { reason: 'market_status_unknown', change: { side: 'BUY' }, market: withStatus('frozen') },
    { reason: 'side_unknown', change: { side: 'BUY', type: 'stop' } },
    { reason: 'order_type_unknown', change: { type: 'stop', timeInForce: 'GTC' } },
    { reason: 'time_in_force_unknown', change: { timeInForce: 'GTC', price: null } },
    { reason: 'limit_price_missing', change: { price: null, quantity: null } },
    { reason: 'limit_quantity_missing', change: { quantity: null, price: offTick } },
    {
      reason: 'market_sell_quantity_missing',
      change: { ...marketSell, quantity: null, quoteQuantity: requireAmount('1') },
    },
    {
      reason: 'market_buy_quote_missing',
      change: { ...marketBuy, quoteQuantity: null, quantity: offLot, price: offTick },
    },
    { reason: 'price_off_tick', change: { price: offTick, quantity: offLot } },
    {
      reason: 'quantity_off_lot',
      change: { quantity: offLot, price: requireDecimal(`1${'0'.repeat(29)}`) },
    },
  ];
  test.each(cases)('validateSpotOrder: $reason', ({ reason, change, market }) => {
    expect(reasonOf(change, market)).toBe(reason);
  });
});

test('validateSpotOrder: sides, types and tifs are accepted in lowercase only', () => {
  expect(reasonOf({ side: 'Buy' })).toBe('side_unknown');
  expect(reasonOf({ side: null })).toBe('side_unknown');
  expect(reasonOf({ side: 'constructor' })).toBe('side_unknown');
  expect(reasonOf({ type: 'LIMIT' })).toBe('order_type_unknown');
  expect(reasonOf({ type: null })).toBe('order_type_unknown');
  expect(reasonOf({ timeInForce: 'Ioc' })).toBe('time_in_force_unknown');
  expect(reasonOf({ timeInForce: 'post_only' })).toBe('accepted');
});

test('validateSpotOrder: a limit order is converted to ticks and lots', () => {
  expect(judge({})).toEqual({
    kind: 'done',
    value: {
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
      price: 10_001,
      quantity: 5000,
      quoteQuantity: null,
    },
  });
});

test('validateSpotOrder: a limit order without tif is gtc, a market order is always ioc', () => {
  expect(judge({ timeInForce: null })).toMatchObject({ value: { timeInForce: 'gtc' } });
  expect(judge(marketSell)).toMatchObject({ value: { timeInForce: 'ioc', price: null } });
  expect(judge({ ...marketBuy, timeInForce: 'gtc' })).toMatchObject({
    value: { timeInForce: 'ioc', quantity: null, quoteQuantity: 5_000_000_000n },
  });
});

test('validateSpotOrder: a market order that is fill-or-kill or post-only is refused', () => {
  expect(reasonOf({ ...marketSell, timeInForce: 'fok' })).toBe('time_in_force_unknown');
  expect(reasonOf({ ...marketSell, timeInForce: 'post_only' })).toBe('time_in_force_unknown');
});

test('validateSpotOrder: a field that the order would ignore is refused by name', () => {
  const detailOf = (change: Partial<SpotOrderRequest>): unknown => {
    const outcome = judge(change);
    return outcome.kind === 'refused' ? outcome.rejection : outcome;
  };
  const price = requireDecimal('1');
  expect(detailOf({ ...marketSell, price })).toEqual({
    reason: 'parameter_invalid',
    detail: 'price: not allowed for a market sell',
  });
  expect(detailOf({ ...marketBuy, quantity: price })).toEqual({
    reason: 'parameter_invalid',
    detail: 'quantity: not allowed for a market buy',
  });
  expect(detailOf({ quoteQuantity: requireAmount('1') })).toEqual({
    reason: 'parameter_invalid',
    detail: 'quote_quantity: not allowed for a limit order',
  });
});

test('validateSpotOrder: numbers beyond 2^53 units are out of range', () => {
  const huge = requireDecimal(`1${'0'.repeat(29)}`);
  expect(reasonOf({ price: huge })).toBe('amount_out_of_range');
  expect(reasonOf({ quantity: huge })).toBe('amount_out_of_range');
  const quoteQuantity = toAmount(amountMax + 1n);
  expect(reasonOf({ ...marketBuy, quoteQuantity })).toBe('amount_out_of_range');
});
