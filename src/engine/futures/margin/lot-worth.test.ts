import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOne } from '../../../domain/decimal.ts';
import { LotWorth } from './lot-worth.ts';

// Sizes of lots are whole amounts: from 10^-8 of the base asset on.
const lotSizes = fc.oneof(
  fc.integer({ min: 10, max: 22 }).map((exponent) => 10n ** BigInt(exponent)),
  fc.bigInt({ min: 1n, max: 10n ** 12n }).map((amount) => amount * 10n ** 10n),
);
const prices = fc.bigInt({ min: 1n, max: 10n ** 19n });

describe('LotWorth', () => {
  it('LotWorth: is the exact product, rounded down and up, for any size and price', () => {
    const quantity = fc.maxSafeNat();
    fc.assert(
      fc.property(
        lotSizes,
        prices,
        quantity,
        fc.nat({ max: 2_000 }),
        (lotSize, price, most, few) => {
          const worth = new LotWorth(lotSize);
          worth.setPrice(price);
          const edge = Math.floor(worth.lotsMax);
          for (const lots of [few, most, edge, Math.min(edge + 1, Number.MAX_SAFE_INTEGER)]) {
            const product = BigInt(lots) * lotSize * price;
            const below = product / decimalOne;
            expect(worth.down(lots)).toBe(below);
            expect(worth.up(lots)).toBe(below * decimalOne === product ? below : below + 1n);
          }
        },
      ),
    );
  });

  it('LotWorth: 1,000 BTC at 100,000 USDT are computed in parts', () => {
    const worth = new LotWorth(10n ** 15n);
    worth.setPrice(100_000_12345678n);
    expect(worth.lotsMax).toBeGreaterThan(1_000_000);
    expect(worth.down(1_000_000)).toBe(100_000_123_456_780_00n);
  });

  it('LotWorth: everything is worth zero before the first price', () => {
    const worth = new LotWorth(10n ** 15n);
    expect([worth.down(5), worth.up(5)]).toEqual([0n, 0n]);
  });
});
