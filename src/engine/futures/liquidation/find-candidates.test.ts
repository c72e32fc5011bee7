import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { Engine, engineFactory } from '../../engine.ts';
import { EngineState } from '../../engine-state.ts';
import type { EngineEvent } from '../../events.ts';
import { postingCodes } from '../../ledger/postings.ts';
import { type Rules, rulesVersion } from '../../rules.ts';
import type { Candidate } from './candidate.ts';
import type { CloseOut } from './close-out.ts';
import { continueRankings, findCandidates, rankOf } from './find-candidates.ts';
import { Ranking } from './ranking.ts';

const shortsCount = 200;
/** 400,000, where none of the crowd could give up a lot. */
const beyondAll = 4_000_000;

interface Crowd {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  /** Each of them is short 0.01 BTC; each has a little more money than the one before. */
  readonly shorts: readonly AccountId[];
}

/** More accounts than one command looks at: Alice and Bob are long 1 BTC each from 30,000. */
function gather(futures = new FuturesFixture(), count = shortsCount): Crowd {
  const alice = futures.fund(1, 1_500);
  const bob = futures.fund(2, 100_000);
  futures.setIndex(30_000);
  const shorts: AccountId[] = [];
  for (let number = 0; number < count; number += 1) {
    const account = futures.fund(10 + number, 100 + number);
    futures.place(account, 'sell', { price: 30_000, quantity: 0.01 });
    shorts.push(account);
  }
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  futures.place(bob, 'buy', { price: 30_000, quantity: count / 100 - 1 });
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

/** Ranks the shorts at 28,000; the places in the crowd of those that a close-out of Alice finds. */
function beginRanking(rules: Rules = rulesVersion) {
  const state = new EngineState(rules);
  const fixture = new FuturesFixture();
  fixture.engine = new Engine(state, 'stop');
  fixture.done({ type: 'createFuturesMarket', terms: btcTerms });
  const { alice, shorts } = gather(fixture);
  const { futures } = state;
  const market = futures.getMarket(0);
  market.markPrice = 28_000n * 10n ** 8n;
  const placeOf = ({ account }: Candidate) => shorts.indexOf(account.accountId);
  /** The first of the crowd, who rank highest, are being closed themselves. */
  const rank = (closed: number, price = beyondAll): void => {
    for (const accountId of shorts.slice(0, closed)) {
      futures.closeOuts.set(accountId, {} as CloseOut);
    }
    market.rankings.set('short', new Ranking(price));
    while (!continueRankings(futures));
  };
  const find = (canTake: (place: number) => boolean): readonly number[] => {
    const found = findCandidates(futures, market, 'short', {
      except: alice,
      price: beyondAll,
      canTake: (each) => !futures.closeOuts.has(each.account.accountId) && canTake(placeOf(each)),
    });
    return found?.candidates.map(placeOf) ?? [];
  };
  return { futures, rank, find };
}

function places(from: number, end: number): readonly number[] {
  return Array.from({ length: end - from }, (_none, at) => from + at);
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

  it('ranking: those that cannot take a lot are passed over for the next that can', () => {
    const { futures, rank, find } = beginRanking();
    rank(0);
    expect(find((place) => place >= 100)).toEqual(places(100, 128));
    expect(find((place) => place >= 40)).toEqual(places(40, 104));
    // If nobody can, the rest is closed against the highest ranked.
    expect(find(() => false)).toEqual(places(0, 64));
    // That nobody can is only known from a ranking at the same price.
    rank(0, 280_000);
    expect(find(() => false)).toEqual([]);
    while (!continueRankings(futures));
    expect(find(() => false)).toEqual(places(0, 64));
    // An account that can take nothing at one price can take nothing at a worse one.
    rank(0, beyondAll - 1);
    expect(find(() => false)).toEqual(places(0, 64));
    rank(0, beyondAll + 1);
    expect(find(() => false)).toEqual([]);
    // Accounts that are being closed come last, however high they rank.
    rank(150);
    expect(find(() => true)).toEqual(places(150, 200));
  });

  it('ranking: under rules 12 the exchange bears the loss if the first 64 cannot', () => {
    const { rank, find } = beginRanking(12);
    rank(150);
    expect(find((place) => place >= 100)).toEqual(places(0, 64));
  });

  it.each([[128], [300]])(
    'ranking: however many that can take nothing rank first, the exchange pays nothing (%i)',
    (weak) => {
      const state = new EngineState(rulesVersion);
      const fixture = new FuturesFixture();
      fixture.engine = new Engine(state, 'stop');
      fixture.done({ type: 'createFuturesMarket', terms: btcTerms });
      const crowd = gather(fixture, weak + 100);
      const { futures, alice, shorts } = crowd;
      const { cells } = state.futures;
      const walletOf = (id: AccountId) => cells.wallet(state.futures.openAccount(id));
      // Losses elsewhere leave the first with 1.3 at 28,000, where 1.12 is the maintenance margin:
      // one lot less, which costs 0.515 at 28,515, would leave them below it.
      for (const [at, account] of shorts.slice(0, weak).entries()) {
        const lost = BigInt(100 + at) * 10n ** 8n + 1_864_000_000n;
        state.ledger.post(
          walletOf(account),
          walletOf(2 as AccountId),
          lost,
          postingCodes.realizedProfit,
        );
      }
      const paid = () => [
        state.ledger.balance(cells.badDebt()),
        state.ledger.balance(cells.insurance()),
        state.ledger.feesOf(futures.engine.findToken('USDT')!),
      ];
      const before = paid();
      for (let second = 0; second < 10; second += 1) {
        futures.setIndex(28_000);
        futures.advance(1_000);
      }
      expect(futures.position(alice).quantity).toBe(0);
      expect(holders(crowd)).toEqual(places(0, weak));
      expect(paid()).toEqual(before);
    },
  );

  it('ranking: the rank of a score is 0 to 4', () => {
    expect([-1n, 0n, 1n, 250_001n, 500_001n, 1_000_001n].map(rankOf)).toEqual([0, 0, 1, 2, 3, 4]);
  });
});
