import { toUnits } from '@openbourse/client';
import { expect, test } from 'vitest';
import {
  judgeSpotOrder,
  type SpotDraft,
  spotOrderBody,
  summarizeSpotOrder,
  summaryOfPreview,
} from './spot-order.ts';

const terms = {
  tick_size: '0.01',
  lot_size: '0.001',
  min_notional: '5',
  maker_fee_bps: 5,
  taker_fee_bps: 10,
};
const funds = { base: '1', quote: '1000' };
const draft: SpotDraft = {
  side: 'buy',
  type: 'limit',
  tif: 'gtc',
  price: '100',
  quantity: '2',
  quote: '',
};

function codesOf(change: Partial<SpotDraft>): readonly string[] {
  return judgeSpotOrder({ ...draft, ...change }, terms, funds).map(({ code }) => code);
}

test('spot ticket: checks in the order of the engine', () => {
  expect(codesOf({})).toEqual([]);
  expect(codesOf({ price: '100.001', quantity: '0.0001' })).toEqual(['INVALID_TICK']);
  expect(codesOf({ quantity: '0.0001' })).toEqual(['INVALID_LOT']);
  expect(codesOf({ quantity: '0.001' })).toEqual(['BELOW_MIN_NOTIONAL']);
  expect(codesOf({ quantity: '11' })).toEqual(['INSUFFICIENT_BALANCE']);
  expect(codesOf({ side: 'sell', quantity: '1.001' })).toEqual(['INSUFFICIENT_BALANCE']);
  expect(codesOf({ quantity: '' })).toEqual([]);
});

test('spot ticket: a market order is estimated by the levels that it would take', () => {
  const levels = [
    { price: toUnits('100'), quantity: toUnits('1') },
    { price: toUnits('110'), quantity: toUnits('1') },
  ];
  const buy = { ...draft, type: 'market' as const, quote: '155' };
  expect(summarizeSpotOrder(buy, terms, levels)).toEqual({
    notional: toUnits('155'),
    fee: toUnits('0.155'),
    averagePrice: toUnits('103.33333333'),
    worstPrice: toUnits('110'),
    isBeyondBook: false,
  });
  const tooLarge = { ...buy, quote: '500' };
  expect(summarizeSpotOrder(tooLarge, terms, levels)?.isBeyondBook).toBe(true);
});

test('spot ticket: the request carries what its type takes', () => {
  expect(spotOrderBody(draft, 'BTCUSDT', 'a')).toEqual({
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    tif: 'gtc',
    price: '100',
    quantity: '2',
    client_order_id: 'a',
  });
  const market = { ...draft, type: 'market' as const, quote: '50' };
  expect(spotOrderBody(market, 'BTCUSDT', 'a')).toEqual({
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    quote_quantity: '50',
    client_order_id: 'a',
  });
});

test('spot ticket: the service’s preview of a market order is summed up like the book’s estimate', () => {
  const preview = {
    quantity: '3',
    est_filled_quantity: '2',
    est_notional: '210',
    est_avg_price: '105',
    est_worst_price: '110',
    taker_rate: '0.001',
  };
  expect(summaryOfPreview(preview)).toEqual({
    notional: toUnits('210'),
    fee: toUnits('0.21'),
    averagePrice: toUnits('105'),
    worstPrice: toUnits('110'),
    isBeyondBook: true,
  });
  expect(summaryOfPreview({ ...preview, est_filled_quantity: '3' }).isBeyondBook).toBe(false);
});
