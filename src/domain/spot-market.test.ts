import { expect, test } from 'vitest';
import { toAmount } from './amount.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import {
  lotsFromDecimal,
  marketUnits,
  type SpotMarketTerms,
  ticksFromDecimal,
} from './spot-market.ts';

const decimal = (text: string): Decimal => parseDecimal(text) as Decimal;

const terms: SpotMarketTerms = {
  symbol: 'BTCUSDT',
  baseToken: 'BTC',
  quoteToken: 'USDT',
  tickSize: decimal('0.01'),
  lotSize: decimal('0.00001'),
  minNotional: toAmount(1_000_000_000n),
  makerFeeBps: 10,
  takerFeeBps: 20,
};

test('marketUnits: a tick times a lot in quote money, a lot in base money', () => {
  expect(marketUnits(decimal('0.01'), decimal('0.00001'))).toEqual({
    lotAmount: 1_000n,
    tickLotAmount: 10n,
  });
});

test.each([
  ['0.000000001', '1'],
  ['1', '0.000000001'],
  ['0.00001', '0.0001'],
  ['0', '1'],
  ['1', '0'],
  ['-1', '1'],
])('marketUnits: tick %s with lot %s cannot be settled exactly', (tickSize, lotSize) => {
  expect(marketUnits(decimal(tickSize), decimal(lotSize))).toBeNull();
});

test.each([
  ['50000', 5_000_000],
  ['0.01', 1],
  ['90071992547409.91', Number.MAX_SAFE_INTEGER],
])('ticksFromDecimal: %s is %d ticks', (price, ticks) => {
  expect(ticksFromDecimal(terms, decimal(price))).toBe(ticks);
});

test.each(['0.001', '50000.005', '90071992547409.92', '-0.01'])(
  'ticksFromDecimal: %s is off the grid',
  (price) => {
    expect(ticksFromDecimal(terms, decimal(price))).toBeNull();
  },
);

test('lotsFromDecimal: a quantity off the lot grid is refused', () => {
  expect(lotsFromDecimal(terms, decimal('1.5'))).toBe(150_000);
  expect(lotsFromDecimal(terms, decimal('0.000005'))).toBeNull();
});
