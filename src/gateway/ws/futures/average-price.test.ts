import { expect, test } from 'vitest';
import type { Amount } from '../../../domain/amount.ts';
import { type Decimal, parseDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import { formatAverage } from './average-price.ts';

const market = (tickSize: string, lotSize: string): FuturesMarket =>
  ({
    tickSize: parseDecimal(tickSize) as Decimal,
    lotSize: parseDecimal(lotSize) as Decimal,
  }) as FuturesMarket;

test('average price: cut to 8 decimals, or to the tick where that is finer, as in REST', () => {
  // 100 USDT over 0.3 BTC.
  const coarse = market('0.1', '0.001');
  expect(formatAverage(coarse, 10_000_000_000n as Amount, 300n)).toBe('333.33333333');
  // 0.0002 USDT over 200,000 of a coin that is traded in ticks of 10^-10.
  const fine = market('0.0000000001', '1000');
  expect(formatAverage(fine, 20_000n as Amount, 200n)).toBe('0.000000001');
  expect(formatAverage(fine, 0n as Amount, 0n)).toBeNull();
});
