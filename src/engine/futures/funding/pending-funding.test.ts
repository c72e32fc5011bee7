import { expect, it } from 'vitest';
import { btcTerms } from '../../../../test/support/futures-fixture.ts';
import { decimalOne } from '../../../domain/decimal.ts';
import { rateOne } from '../../../domain/futures-market.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { pendingFunding } from './pending-funding.ts';

/** What one lot of that market owes for the smallest step of its index, as a fraction of one unit. */
const unitsPerLot = (decimalOne * rateOne) / btcTerms.lotSize;

function pending(quantity: number, indexNow: bigint, indexBooked: bigint): bigint {
  const market = { fundingIndex: indexNow, terms: btcTerms };
  const position = { fundingIndex: indexBooked, quantity };
  return pendingFunding(market as unknown as FuturesMarketState, position as unknown as Position);
}

it('pending funding: what the index has moved since the last booking, paid by longs if it rose', () => {
  expect(pending(3, 5n * unitsPerLot, 2n * unitsPerLot)).toBe(-9n);
  expect(pending(-3, 5n * unitsPerLot, 2n * unitsPerLot)).toBe(9n);
  expect(pending(3, 2n * unitsPerLot, 5n * unitsPerLot)).toBe(9n);
});

it('pending funding: rounded down, whichever side pays', () => {
  const half = unitsPerLot / 2n;
  expect(pending(1, half, 0n)).toBe(-1n);
  expect(pending(-1, half, 0n)).toBe(0n);
});

it('pending funding: none without a position, and none while the index does not move', () => {
  expect(pending(0, 5n * unitsPerLot, 2n * unitsPerLot)).toBe(0n);
  expect(pending(7, 5n * unitsPerLot, 5n * unitsPerLot)).toBe(0n);
});
