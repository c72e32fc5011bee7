import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { Engine } from '../engine.ts';
import { EngineState } from '../engine-state.ts';
import { postingCodes } from '../ledger/postings.ts';
import { findCloseOutViolations } from './close-out-audit.ts';

const unit = 10n ** 8n;
const [alice, bob] = [1, 2] as [AccountId, AccountId];

/** Alice is long 0.9 BTC from 30,000 with 1,486.5 USDT, and watched from 28,948.84 on. */
function begin() {
  const state = new EngineState();
  const futures = new FuturesFixture();
  futures.engine = new Engine(state, 'hold');
  futures.done({ type: 'createFuturesMarket', terms: btcTerms });
  futures.fund(alice, 1_500);
  futures.fund(bob, 10_000);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  futures.advance(1_000);
  return { futures, state, market: state.futures.getMarket(futuresMarketId) };
}

type Scene = ReturnType<typeof begin>;

/** A price arrives at which alice must be closed, and no scan has run since. */
function fall({ state, market }: Scene): void {
  market.markPrice = 28_400n * unit;
  state.futures.markEpoch += 1;
}

function brokenIn({ futures }: Scene): string[] {
  return findCloseOutViolations(futures.engine.futures).map(({ invariant }) => invariant);
}

const faults: readonly (readonly [string, string, (scene: Scene) => void])[] = [
  [
    'a watch is set too far away',
    'watch-sound',
    (scene) => {
      scene.market.watches.longs.set(alice, 0 - Number(20_000n * unit));
      fall(scene);
    },
  ],
  [
    'an account has no watch',
    'watch-sound',
    (scene) => {
      scene.market.watches.longs.remove(alice);
      fall(scene);
    },
  ],
  [
    'a close-out in the book stage is not looked at',
    'watch-sound',
    (scene) => {
      scene.futures.setIndex(28_460);
      scene.futures.advance(0);
      expect(scene.futures.engine.futures.findCloseOut(alice)?.stage).toBe('book');
      scene.market.watches.longs.remove(alice);
      fall(scene);
    },
  ],
  [
    'what is held belongs to no close-out',
    'held-matches-close-outs',
    ({ state: { futures, ledger } }) => {
      const { cells } = futures;
      const held = cells.insuranceHeld(bob);
      ledger.post(cells.feeRevenue(), held, 1n, postingCodes.insuranceReserved);
      futures.insuranceHeld += 1n;
    },
  ],
  [
    'more is held than is reserved',
    'held-matches-close-outs',
    ({ state: { futures } }) => {
      futures.insuranceHeld += 1n;
    },
  ],
];

describe('audit of close-outs', () => {
  it('watch-sound: a fall that no scan has judged yet is no fault, as the watch is due', () => {
    const scene = begin();
    expect(brokenIn(scene)).toEqual([]);
    fall(scene);
    const { equity, maintenanceMargin } = scene.futures.wallet(alice);
    expect(equity).toBeLessThan(maintenanceMargin);
    expect(brokenIn(scene)).toEqual([]);
  });

  it.each(faults)('%s: %s', (_fault, invariant, plant) => {
    const scene = begin();
    plant(scene);
    expect(brokenIn(scene)).toContain(invariant);
    expect(scene.futures.engine.findBroken().join()).toContain(invariant);
  });
});
