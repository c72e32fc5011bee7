import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortFew } from './sort-few.ts';

describe('sortFew', () => {
  it('sortFew: sorts like Array.sort, stably', () => {
    const item = fc.record({ key: fc.nat(3), number: fc.nat() });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;
        expect(sortFew([...items], byKey)).toEqual([...items].sort(byKey));
      }),
    );
  });
});
