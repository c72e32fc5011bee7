import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownerAt, recordInts, sortByOwner, tokenAt } from './sort-touched.ts';

interface Place {
  readonly owner: number;
  readonly token: number;
}

function intsOf(places: readonly Place[]): Int32Array {
  const ints = new Int32Array(places.length * recordInts);
  places.forEach(({ owner, token }, record) => {
    ints[record * recordInts + ownerAt] = owner;
    ints[record * recordInts + tokenAt] = token;
  });
  return ints;
}

it('touched records: few and many are sorted by owner, then token, and the rest of the list stays', () => {
  const place = fc.record({ owner: fc.nat(9), token: fc.nat(9) });
  const list = fc.array(place, { minLength: 1, maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(list, fc.nat(3), (places, others) => {
      const count = Math.max(0, places.length - others);
      const records = Int32Array.from(places.keys());
      sortByOwner(records, count, intsOf(places));
      const sorted = [...records.subarray(0, count)].map((record) => places[record]);
      const expected = places
        .slice(0, count)
        .sort((a, b) => (a.owner === b.owner ? a.token - b.token : a.owner - b.owner));
      expect(sorted).toEqual(expected);
      expect([...records.subarray(count)]).toEqual([...places.keys()].slice(count));
      expect([...records].sort((a, b) => a - b)).toEqual([...places.keys()]);
    }),
  );
});
