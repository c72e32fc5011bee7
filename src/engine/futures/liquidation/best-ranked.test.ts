import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BestRanked } from './best-ranked.ts';

const countMax = 8;

const scores = fc.oneof(
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: -(1n << 64n), max: 1n << 64n }),
  fc.constantFrom((1n << 63n) - 1n, 1n << 63n, -(1n << 63n), -(1n << 63n) - 1n),
);

function contents(ranked: BestRanked): readonly { accountId: number; score: bigint }[] {
  return Array.from({ length: ranked.count }, (_none, place) => ({
    accountId: ranked.accountIdAt(place),
    score: ranked.scoreAt(place),
  }));
}

describe('BestRanked', () => {
  it('BestRanked: keeps the first of all that were added, sorted, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(scores, { maxLength: 40 }), fc.boolean(), (all, isBackwards) => {
        const added = all.map((score, at) => ({ accountId: at + 1, score }));
        if (isBackwards) added.reverse();
        const ranked = new BestRanked(countMax);
        for (const { accountId, score } of added) ranked.add(accountId, score);
        const sorted = [...added].sort(
          (a, b) =>
            Number(b.score > a.score) - Number(b.score < a.score) || a.accountId - b.accountId,
        );
        expect(contents(ranked)).toEqual(sorted.slice(0, countMax));
      }),
    );
  });
});
