import { describe, expect, it } from 'vitest';
import { btcTerms, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import { FuturesStateFixture } from '../../../../test/support/futures-state-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import { watchAccount } from './watch-account.ts';

// Distances from the mark by the formula in docs/futures.md, counted in fractions: 7/8 of the slack
// less 4 units for each position, shared by notional, per BTC.

const unit = 10n ** 8n;
const mark = 30_000n * unit;

/** An account long 0.9 BTC at a mark of 30,000; its position in another market is closed. */
function begin() {
  const fixture = new FuturesStateFixture();
  const otherMarket = 1 as FuturesMarketId;
  fixture.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'ETHUSDT' } });
  const [long, other] = [fixture.fund(1, 10_000), fixture.fund(2, 10_000)];
  fixture.setIndex(30_000);
  fixture.done({ type: 'setIndexPrice', symbol: 'ETHUSDT', price: toAmount(3_000n * unit) });
  const trade = (side: 'buy' | 'sell'): void => {
    const there = { price: 3_000, quantity: 0.1, marketId: otherMarket };
    fixture.place(other, side === 'buy' ? 'sell' : 'buy', there);
    fixture.place(long, side, there);
  };
  trade('buy');
  trade('sell');
  fixture.place(other, 'sell', { price: 30_000, quantity: 0.9 });
  fixture.place(long, 'buy', { price: 30_000, quantity: 0.9 });
  const { state } = fixture;
  const account = state.openAccount(long);
  expect(account.positions.map((position) => position?.quantity)).toEqual([900, 0]);
  return {
    fixture,
    /** How far below and above the mark the account is examined again. */
    distances: (loss: bigint, gain: bigint | null): readonly (number | null)[] => {
      watchAccount(state, account, { loss, gain });
      const { longs, shorts, longShift, shortShift } = state.getMarket(futuresMarketId).watches;
      const below = longs.keyOf(long) - longShift + Number(mark);
      const above = shorts.keyOf(long) - shortShift - Number(mark);
      return [below, above].map((each) => (Number.isFinite(each) ? each : null));
    },
  };
}

describe('watchAccount', () => {
  it('recheck prices: 7/8 of the slack less 4 units, over the quantity', () => {
    // (7,000 - 4) / 0.9 and (14,000 - 4) / 0.9, rounded towards the mark.
    expect(begin().distances(8_000n, 16_000n)).toEqual([7_773, 15_551]);
  });

  it('recheck prices: none above the mark where no gain matters', () => {
    const { distances } = begin();
    distances(8_000n, 16_000n);
    expect(distances(8_000n, null)).toEqual([7_773, null]);
  });

  it('recheck prices: the mark itself where no slack is left', () => {
    const { distances } = begin();
    expect(distances(4n, 4n)).toEqual([0, 0]);
    expect(distances(-8_000n, -8_000n)).toEqual([0, 0]);
  });
});
