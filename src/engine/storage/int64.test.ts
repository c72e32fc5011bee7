import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { int64 } from './int64.ts';

describe('int64', () => {
  it('int64: equals the number, up to the largest safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(int64(value)).toBe(BigInt(value));
      }),
    );
    for (const value of [0, 1, 2 ** 51 - 1, 2 ** 51, 2 ** 51 + 1, Number.MAX_SAFE_INTEGER]) {
      expect(int64(value)).toBe(BigInt(value));
    }
  });
});
