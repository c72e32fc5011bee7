import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../test/support/futures-fixture.ts';
import { postBadDebt } from '../../../test/support/post-bad-debt.ts';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { Engine, engineFactory } from '../engine.ts';
import { EngineState } from '../engine-state.ts';
import type { EngineEvent } from '../events.ts';

const unit = 10n ** 8n;
const marketId = futuresMarketId;
const kinds = new Set<string>([
  'priceStateChanged',
  'marketSettlementProgressed',
  'badDebtChanged',
  'withdrawalGateChanged',
]);

function told(events: readonly EngineEvent[]): readonly EngineEvent[] {
  return events.filter(({ type }) => kinds.has(type));
}

function stateOf(priceState: string): object {
  return { type: 'priceStateChanged', marketId, priceState };
}

/** Both sides of 1 BTC, with a fresh price that has been reported. */
function begin(): FuturesFixture {
  const futures = new FuturesFixture({ ...btcTerms, indexJumpBps: 1_000 });
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 1 });
  futures.place(long, 'buy', { quantity: 1 });
  return futures;
}

describe('events of risk', () => {
  it('priceStateChanged: fresh, held, fresh, stale, each once', () => {
    const futures = new FuturesFixture({ ...btcTerms, indexJumpBps: 1_000 });
    expect(told(futures.setIndex(30_000))).toEqual([stateOf('fresh')]);
    expect(told(futures.setIndex(30_010))).toEqual([]);
    expect(told(futures.setIndex(20_000))).toEqual([stateOf('held')]);
    expect(told(futures.advance(500))).toEqual([]);
    expect(told(futures.setIndex(30_000))).toEqual([stateOf('fresh')]);
    expect(told(futures.advance(60_001))).toEqual([stateOf('stale')]);
    expect(told(futures.advance(1_000))).toEqual([]);
  });

  it('withdrawalGateChanged: after a pause, until a minute later', () => {
    const futures = begin();
    expect(told(futures.advance(300_001))).toEqual([
      stateOf('stale'),
      { type: 'withdrawalGateChanged', isShut: true, until: futures.now + 60_000 },
    ]);
    expect(told(futures.advance(59_999))).toEqual([]);
    expect(told(futures.advance(1))).toEqual([
      { type: 'withdrawalGateChanged', isShut: false, until: null },
    ]);
  });

  it('badDebtChanged: when it grows and when it is repaid, with the gate', () => {
    const futures = begin();
    postBadDebt(futures.engine, 100n * unit);
    expect(told(futures.advance(1_000))).toEqual([
      { type: 'badDebtChanged', balance: -100n * unit, change: -100n * unit },
      { type: 'withdrawalGateChanged', isShut: true, until: null },
    ]);
    const amount = toAmount(150n * unit);
    const rest = { source: 'treasury', reason: null, reference: null } as const;
    expect(told(futures.done({ type: 'moveHouseFunds', amount, ...rest }))).toEqual([
      { type: 'badDebtChanged', balance: 0n, change: 100n * unit },
    ]);
  });

  it('marketSettlementProgressed: the phase after a command, with the settlement price', () => {
    const futures = begin();
    // More orders than one command ends.
    for (let at = 0; at < 150; at += 1) {
      for (const bidder of [1, 2]) {
        futures.place(bidder as AccountId, 'buy', { price: 28_000, quantity: 0.001 });
      }
    }
    const settlementPrice = toAmount(29_000n * unit);
    const status = { symbol: 'BTCUSDT', status: 'delisted', settlementPrice } as const;
    const events = [
      ...futures.done({ type: 'setFuturesMarketStatus', ...status }),
      ...futures.advance(0),
    ];
    const phases = told(events).flatMap((event) =>
      event.type === 'marketSettlementProgressed' ? [[event.phase, event.settlementPrice]] : [],
    );
    expect(phases).toEqual([
      ['orders', settlementPrice],
      ['done', settlementPrice],
    ]);
    expect(told(events)).toContainEqual(stateOf('final'));
  });

  it('a restored engine reports the same as the running one', () => {
    const futures = begin();
    futures.advance(60_001);
    const restored = engineFactory.restore(futures.engine.encodeState());
    const live = told(futures.setIndex(30_000));
    expect(live).toEqual([stateOf('fresh')]);
    const stamp = { sequence: futures.engine.sequence, timestamp: futures.now as never };
    const price = toAmount(30_000n * unit);
    const again = restored.apply({ type: 'setIndexPrice', symbol: 'BTCUSDT', price }, stamp);
    expect(told(again.events)).toEqual(live);
    expect(restored.stateHash()).toBe(futures.engine.stateHash());
  });

  it('rules 11 report none of them; the state at the upgrade to rules 12 is not a change', () => {
    const futures = new FuturesFixture();
    futures.engine = new Engine(new EngineState(11));
    futures.done({ type: 'createFuturesMarket', terms: btcTerms });
    expect(told(futures.setIndex(30_000))).toEqual([]);
    futures.done({ type: 'upgradeRules', rules: 12 });
    expect(told(futures.advance(1_000))).toEqual([]);
    expect(told(futures.advance(60_000))).toEqual([stateOf('stale')]);
  });
});
