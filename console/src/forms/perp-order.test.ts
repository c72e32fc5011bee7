import { expect, test } from 'vitest';
import {
  isPerpComplete,
  judgeCallback,
  type PerpDraft,
  perpOrderBody,
  perpPreviewBody,
  warningOfMarketOrder,
} from './perp-order.ts';

const draft: PerpDraft = {
  side: 'BUY',
  type: 'LIMIT',
  tif: 'GTC',
  price: '100',
  stop: '',
  quantity: '0.5',
  takeProfit: '',
  stopLoss: '',
  activation: '',
  callback: '',
  slippage: '',
  working: 'MARK_PRICE',
  hours: '24',
  isReduceOnly: false,
};
const now = 1_700_000_000_123;

function bodyOf(change: Partial<PerpDraft>) {
  return perpOrderBody({ ...draft, ...change }, 'BTCUSDT', { clientOrderId: 'page-1', now });
}

test('perpetuals ticket: a limit order carries its price and children', () => {
  expect(bodyOf({ takeProfit: '120', stopLoss: '90' })).toEqual({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    newClientOrderId: 'page-1',
    quantity: '0.5',
    price: '100',
    timeInForce: 'GTC',
    take_profit_price: '120',
    stop_loss_price: '90',
  });
});

test('perpetuals ticket: a market order bounds its slippage by a fraction', () => {
  expect(bodyOf({ type: 'MARKET', slippage: '0.5' })).toEqual({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'MARKET',
    newClientOrderId: 'page-1',
    quantity: '0.5',
    max_slippage: '0.005',
  });
});

test('perpetuals ticket: a stop with a limit may end at a time, in whole seconds', () => {
  expect(bodyOf({ type: 'STOP', stop: '110', tif: 'GTD' })).toMatchObject({
    price: '100',
    stopPrice: '110',
    timeInForce: 'GTD',
    workingType: 'MARK_PRICE',
    goodTillDate: 1_700_000_000_000 + 24 * 3_600_000,
  });
});

test('perpetuals ticket: a trailing stop has a rate and no prices of other types', () => {
  const change = { type: 'TRAILING_STOP_MARKET', callback: '1.5', takeProfit: '120' } as const;
  expect(bodyOf(change)).toEqual({
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'TRAILING_STOP_MARKET',
    newClientOrderId: 'page-1',
    quantity: '0.5',
    callbackRate: '1.5',
    workingType: 'MARK_PRICE',
  });
});

test.each([
  ['0.1', null],
  ['5', null],
  ['0.09', 'INVALID_CALLBACK_RATE'],
  ['1.005', 'INVALID_CALLBACK_RATE'],
  ['5.01', 'INVALID_CALLBACK_RATE'],
  ['', null],
])('perpetuals ticket: a callback rate of %s is %s', (callback, code) => {
  const trailing = { ...draft, type: 'TRAILING_STOP_MARKET', callback } as const;
  expect(judgeCallback(trailing)).toBe(code);
  expect(isPerpComplete(trailing)).toBe(callback !== '' && code === null);
});

test('perpetuals ticket: what an order needs depends on its type', () => {
  expect(isPerpComplete(draft)).toBe(true);
  expect(isPerpComplete({ ...draft, price: '' })).toBe(false);
  expect(isPerpComplete({ ...draft, price: '', type: 'MARKET' })).toBe(true);
  expect(isPerpComplete({ ...draft, type: 'STOP_MARKET' })).toBe(false);
  expect(isPerpComplete({ ...draft, type: 'STOP_MARKET', stop: '90' })).toBe(true);
});

test('perpetuals ticket: a market order is asked about over 5 % of the equity or 1 % of slippage', () => {
  const warning = (notional: string, slippage: string) =>
    warningOfMarketOrder({ est_notional: notional, est_slippage: slippage }, '1000');
  expect(warning('50', '0.01')).toBeNull();
  expect(warning('50.00000001', '0')).toContain('5 % of your equity');
  expect(warning('1', '0.01000001')).toContain('1 % worse');
  expect(warningOfMarketOrder({ est_notional: '1', est_slippage: '0' }, '-5')).not.toBeNull();
});

test('perpetuals ticket: the preview of a market order has no price, and reduces if the order does', () => {
  const preview = (change: Partial<PerpDraft>) =>
    perpPreviewBody({ ...draft, ...change }, 'BTCUSDT');
  const order = { symbol: 'BTCUSDT', side: 'BUY', quantity: '0.5' };
  expect(preview({})).toEqual({ ...order, type: 'LIMIT', price: '100' });
  expect(preview({ type: 'MARKET', isReduceOnly: true })).toEqual({
    ...order,
    type: 'MARKET',
    reduceOnly: true,
  });
  expect(preview({ quantity: '' }).quantity).toBe('');
});
