import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decimal, formatDecimal, parseDecimal } from '../../domain/decimal.ts';
import type { Lots } from '../../domain/spot-market.ts';
import { formatQuantity } from './market-decimals.ts';

const lotSizes = ['1', '0.001', '0.25', '5', '100', '0.00000001', '0.000000000000000001', '1.5'];

test('market decimals: a quantity reads as lots times the lot size, to the last digit', () => {
  const size = fc.constantFrom(...lotSizes.map((text) => parseDecimal(text) as Decimal));
  const count = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 1_000_000 }));
  fc.assert(
    fc.property(size, count, (lotSize, lots) => {
      const exact = formatDecimal((BigInt(lots) * lotSize) as Decimal);
      expect(formatQuantity({ lotSize }, lots as Lots)).toBe(exact);
    }),
  );
});
