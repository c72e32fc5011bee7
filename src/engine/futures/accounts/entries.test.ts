import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { Engine } from '../../engine.ts';
import { EngineState } from '../../engine-state.ts';
import { type Rules, rulesVersion } from '../../rules.ts';
import { decodeState } from '../../snapshot/decode-state.ts';
import type { FuturesState } from '../futures-state.ts';
import { entriesMax } from '../risk-limits.ts';

const unit = 10n ** 8n;
const [alice, bob, carol] = [1, 2, 3] as [AccountId, AccountId, AccountId];

function begin(rules: Rules = rulesVersion) {
  const state = new EngineState(rules);
  const futures = new FuturesFixture();
  futures.engine = new Engine(state, 'stop');
  futures.done({ type: 'createFuturesMarket', terms: btcTerms });
  for (const accountId of [alice, bob, carol]) futures.fund(accountId, 1_000_000);
  futures.setIndex(30_000);
  return { futures, state: state.futures };
}

/** What all longs, and all shorts, have cost, found from the positions. */
function costs({ accounts }: FuturesState): bigint[] {
  const sums = [0n, 0n];
  for (const account of accounts) {
    for (const position of account?.positions ?? []) {
      if (position === undefined || position.quantity === 0) continue;
      const side = position.quantity > 0 ? 0 : 1;
      sums[side] = (sums[side] ?? 0n) + position.entryNotional;
    }
  }
  return sums;
}

function cross(futures: FuturesFixture, long: AccountId, short: AccountId, quantity: number) {
  const { markPrice } = futures.engine.futures.getFuturesPrices(0 as never);
  const price = Number((markPrice ?? 0n) / unit);
  futures.place(short, 'sell', { price, quantity });
  const events = futures.done(futures.order(long, 'buy', { price, quantity, timeInForce: 'ioc' }));
  futures.done({ type: 'cancelAllFuturesOrders', accountId: short, marketId: null, kind: 'all' });
  return events.flatMap((event): (number | string)[] => {
    if (event.type === 'futuresTradeExecuted') return [event.trade.quantity];
    return event.type === 'futuresOrderUpdated' && event.end !== null ? [event.end] : [];
  });
}

describe('what open positions have cost', () => {
  it('longs that are bought again while a price falls cost several times their value', () => {
    const { futures, state } = begin();
    for (let price = 30_000; price > 3_000; price = Math.floor(price * 0.95)) {
      futures.setIndex(price);
      futures.advance(1_000);
      const value = price * (futures.position(alice).quantity / 1_000);
      const quantity = Math.floor((100_000 - value) / price) - 0.001;
      if (quantity > 0) cross(futures, alice, bob, quantity);
    }
    const [longs, shorts] = costs(state);
    expect([...state.entries]).toEqual([longs, shorts]);
    const { markPrice } = futures.engine.futures.getFuturesPrices(0 as never);
    const value = ((markPrice ?? 0n) * BigInt(futures.position(alice).quantity)) / 1_000n;
    expect((longs ?? 0n) > 3n * value).toBe(true);
    const restored = decodeState(futures.engine.encodeState()).futures;
    expect([...restored.entries]).toEqual([longs, shorts]);
  });

  it('follow trades that open, close, take over and reverse positions', () => {
    const { futures, state } = begin();
    const pairs = [
      [alice, bob, 0.5],
      [carol, alice, 0.2],
      [bob, carol, 0.4],
      [bob, alice, 0.9],
      [alice, carol, 0.3],
    ] as const;
    for (const [long, short, quantity] of pairs) {
      cross(futures, long, short, quantity);
      expect([...state.entries]).toEqual(costs(state));
      futures.setIndex(Number(futures.engine.sequence) + 30_000);
    }
  });

  it.each([0, 1])(
    'at their limit (side %d) nothing opens, and positions still change hands',
    (side) => {
      const { futures, state } = begin();
      cross(futures, alice, bob, 0.5);
      state.entries[side] = entriesMax[rulesVersion];
      expect(cross(futures, carol, bob, 0.1)).toEqual(['open_interest']);
      expect(cross(futures, carol, alice, 0.1)).toEqual([100]);
      expect(cross(futures, bob, carol, 0.1)).toEqual([100]);
      state.entries[side] = entriesMax[rulesVersion] - toAmount(1n);
      expect(cross(futures, carol, bob, 0.1)).toEqual([100]);
    },
  );

  it('under rules 12 they have no limit', () => {
    const { futures, state } = begin(12);
    state.entries[0] = entriesMax[rulesVersion];
    expect(cross(futures, carol, bob, 0.1)).toEqual([100]);
  });
});
