import { expect, it } from 'vitest';
import { initialMarginRate } from './margin.ts';

it.each([
  ['1 / leverage up to half of the largest open interest', 50n, 8_000_000n],
  ['50.4 % at three quarters', 75n, 504_000_000n],
  ['100 % at the largest', 100n, 1_000_000_000n],
  ['no more beyond it', 120n, 1_000_000_000n],
])('initial margin rate at 125 times: %s', (_name, openInterest, rate) => {
  expect(initialMarginRate(125, openInterest, 100n)).toBe(rate);
});
