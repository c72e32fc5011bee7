import { expect, it } from 'vitest';
import { FuturesFixture } from '../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../domain/identifiers.ts';

it('close-outs: the reader names the earliest moment at which one has begun that is not over', () => {
  const futures = new FuturesFixture();
  futures.setIndex(30_000);
  const other = futures.fund(1, 50_000_000);
  const poor: AccountId[] = [];
  // More than one command closes.
  for (let number = 2; number <= 200; number += 1) {
    const accountId = futures.fund(number, 1_500);
    poor.push(accountId);
    futures.place(other, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(accountId, 'buy', { quantity: 0.9 });
  }
  expect(futures.engine.futures.closingSince).toBeNull();
  const seen = new Set<number | null>();
  futures.setIndex(28_000);
  for (let second = 0; second < 60; second += 1) {
    const reader = futures.engine.futures;
    const begun = poor.flatMap((accountId) => reader.findCloseOut(accountId)?.begunAt ?? []);
    const earliest = begun.length === 0 ? null : Math.min(...begun);
    expect(reader.closingSince).toBe(earliest);
    seen.add(earliest);
    futures.now += 1_000;
    futures.done({ type: 'advanceTime' });
  }
  expect(seen).toContain(null);
  expect(seen.size).toBeGreaterThan(2);
});
