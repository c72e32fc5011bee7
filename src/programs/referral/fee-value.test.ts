import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { SpotMarket, Ticks } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import { valueSpotFee } from './fee-value.ts';

function market(baseToken: string, quoteToken: string): SpotMarket {
  const tickSize = parseDecimal('0.01') as Decimal;
  return { baseToken, quoteToken, tickSize } as SpotMarket;
}

// At a price of 2,500.50; the maker pays 0.002, the taker 0.003 of what they receive.
function trade(takerSide: 'buy' | 'sell', price = 250_050): SpotTrade {
  return {
    price: price as Ticks,
    takerSide,
    makerFee: toAmount(200_000n),
    takerFee: toAmount(300_000n),
  } as SpotTrade;
}

const value = (...args: Parameters<typeof valueSpotFee>): string | null => {
  const amount = valueSpotFee(...args);
  return amount === null ? null : formatAmount(amount);
};

test('valueSpotFee: a buyer pays in the base token, valued at the price of the trade', () => {
  const pair = market('ETH', 'USDT');
  expect(value(pair, trade('buy'), 'taker')).toBe('7.5015');
  expect(value(pair, trade('sell'), 'maker')).toBe('5.001');
});

test('valueSpotFee: a seller pays in USDT, which is its own value', () => {
  const pair = market('ETH', 'USDT');
  expect(value(pair, trade('buy'), 'maker')).toBe('0.002');
  expect(value(pair, trade('sell'), 'taker')).toBe('0.003');
});

test('valueSpotFee: if USDT is the base token, the quote token is valued by division', () => {
  const pair = market('USDT', 'EUR');
  expect(value(pair, trade('buy', 80), 'taker')).toBe('0.003');
  expect(value(pair, trade('buy', 80), 'maker')).toBe('0.0025');
});

test('valueSpotFee: a market without USDT has no value', () => {
  expect(value(market('ETH', 'BTC'), trade('buy'), 'taker')).toBeNull();
});

test('valueSpotFee: never more than the exact value', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 16n }),
      fc.integer({ min: 1, max: 10 ** 9 }),
      (fee, price) => {
        const paid = { ...trade('buy', price), takerFee: toAmount(fee) };
        const valued = valueSpotFee(market('ETH', 'USDT'), paid, 'taker') ?? 0n;
        // 10^-8 of the token times 10^-2 of USDT.
        const exact = fee * BigInt(price);
        expect(valued * 100n <= exact && exact - valued * 100n < 100n).toBe(true);
      },
    ),
  );
});
