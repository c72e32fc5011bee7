import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { type Engine, engineFactory } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { rankOf } from './find-candidates.ts';

const shortsCount = 200;

interface Crowd {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  /** Each of them is short 0.01 BTC; each has a little more money than the one before. */
  readonly shorts: readonly AccountId[];
}

/** More accounts than one command looks at: Alice and Bob are long 1 BTC each from 30,000. */
function gather(): Crowd {
  const futures = new FuturesFixture();
  const alice = futures.fund(1, 1_500);
  const bob = futures.fund(2, 100_000);
  futures.setIndex(30_000);
  const shorts: AccountId[] = [];
  for (let number = 0; number < shortsCount; number += 1) {
    const account = futures.fund(10 + number, 100 + number);
    futures.place(account, 'sell', { price: 30_000, quantity: 0.01 });
    shorts.push(account);
  }
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  futures.place(bob, 'buy', { price: 30_000, quantity: 1 });
  return { futures, alice, shorts };
}

function holders({ futures, shorts }: Crowd): readonly number[] {
  return shorts.flatMap((account, at) => (futures.position(account).quantity === 0 ? [] : [at]));
}

function deleveraged(events: readonly EngineEvent[]): number {
  return events.filter((event) => {
    return event.type === 'liquidationProgressed' && event.step === 'deleveraged';
  }).length;
}

describe('auto-deleveraging among many', () => {
  it('ranking: several commands find the best ranked; they give up their positions first', () => {
    const crowd = gather();
    const { futures, alice } = crowd;
    const first = futures.setIndex(28_000);
    expect(deleveraged(first)).toBe(0);
    expect(first.map(({ type }) => type)).toContain('timedWorkDue');
    expect(futures.position(alice).quantity).toBe(1_000);

    let taken = 0;
    for (let second = 0; second < 5; second += 1) {
      taken += deleveraged(futures.setIndex(28_000));
      taken += deleveraged(futures.advance(1_000));
    }
    expect(taken).toBeGreaterThan(1);
    expect(futures.position(alice).quantity).toBe(0);
    // The same profit on less money is a higher score: the poorer hundred was taken.
    expect(holders(crowd)).toEqual(Array.from({ length: 100 }, (_none, at) => at + 100));
  });

  it('ranking: an engine restored in the middle of it reaches the same state', () => {
    const crowd = gather();
    const { futures } = crowd;
    futures.setIndex(28_000);
    const live: Engine = futures.engine;
    const bytes = live.encodeState();
    const finish = (): string => {
      for (let second = 0; second < 3; second += 1) futures.advance(1_000);
      return futures.engine.stateHash();
    };
    const { now } = futures;
    const hash = finish();
    futures.engine = engineFactory.restore(bytes);
    futures.now = now;
    expect(finish()).toBe(hash);
  });

  it('ranking: the rank of a score is 0 to 4', () => {
    expect([-1n, 0n, 1n, 250_001n, 500_001n, 1_000_001n].map(rankOf)).toEqual([0, 0, 1, 2, 3, 4]);
  });
});
