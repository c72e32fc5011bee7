import { describe, expect, it } from 'vitest';
import { fundingRate } from './funding-rate.ts';

// The formula is Binance's: premium + clamp(interest 0.01 % - premium, -0.05 %, 0.05 %) for eight
// hours, of which every hour pays an eighth. All figures in 10^-9.

const cap = 3_000_000n;
const perHour = 8n;

describe('fundingRate', () => {
  it.each([
    ['no premium pays the interest of 0.01 %', 0n, 100_000n],
    ['a premium of 0.04 % is damped to the interest', 400_000n, 100_000n],
    ['a premium of -0.04 % is damped to the interest', -400_000n, 100_000n],
    ['a premium of 0.06 % is just damped', 600_000n, 100_000n],
    ['a premium of 0.2 % pays 0.15 %', 2_000_000n, 1_500_000n],
    ['a premium of -0.2 % receives 0.15 %', -2_000_000n, -1_500_000n],
  ])('fundingRate: %s', (_name, premium, eightHours) => {
    expect(fundingRate(premium, cap)).toBe(eightHours / perHour);
  });

  it('fundingRate: never passes the cap either way', () => {
    expect(fundingRate(100_000_000n, cap)).toBe(cap);
    expect(fundingRate(-100_000_000n, cap)).toBe(0n - cap);
  });
});
