import { expect, it } from 'vitest';
import { FuturesStateFixture } from '../../../../test/support/futures-state-fixture.ts';
import { canGiveUp, lotsWithinMargin } from './auto-deleverage.ts';
import type { Candidate } from './candidate.ts';

it('a candidate can give up any lots exactly if its margin allows at least one', () => {
  const fixture = new FuturesStateFixture();
  const [long, short] = [fixture.fund(1, 100_000), fixture.fund(2, 3_000)];
  fixture.setIndex(30_000);
  fixture.place(long, 'buy', { price: 30_000, quantity: 1 });
  fixture.place(short, 'sell', { price: 30_000, quantity: 1 });
  const { state } = fixture;
  const account = state.openAccount(short);
  const candidate: Candidate = { account, position: account.positions[0]!, score: 0n };
  const lotsAt = (price: number): number => {
    const market = state.getMarket(0);
    const lots = lotsWithinMargin(state, market, candidate, price * 10);
    expect(canGiveUp(state, market, candidate, price * 10)).toBe(lots > 0);
    return lots;
  };
  // Each lot given up above the mark costs part of what is above the maintenance margin of 120 for
  // the rest: with 2,985 left and none after fees, all can be given up to 32,985.
  const lots = Array.from({ length: 60 }, (_, at) => lotsAt(32_000 + at * 100));
  expect(lots[0]).toBe(1_000);
  expect(lots.at(-1)).toBeLessThan(1_000);
  expect(lots.at(-1)).toBeGreaterThan(0);
  expect(lots).toEqual([...lots].sort((left, right) => right - left));
  expect(lotsAt(30_000 * 200)).toBe(0);
});
