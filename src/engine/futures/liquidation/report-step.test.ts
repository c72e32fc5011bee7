import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { EngineEvent } from '../../events.ts';
import type { Rules } from '../../rules.ts';

/** An account long 0.3 BTC with 500 USDT goes bankrupt, without a fund and without bids. */
function progressOf(rules: Rules) {
  const futures = new FuturesFixture(btcTerms, rules);
  const [poor, other] = [futures.fund(1, 500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(other, 'sell', { price: 30_000, quantity: 0.3 });
  futures.place(poor, 'buy', { quantity: 0.3 });
  const events: EngineEvent[] = [...futures.setIndex(28_000), ...futures.advance(0)];
  return events.flatMap((event) => (event.type === 'liquidationProgressed' ? [event] : []));
}

it.each([11, 12] as const)(
  'by rules %i no step of a close-out reports lots or payments',
  (rules) => {
    const steps = progressOf(rules);
    expect(steps.map(({ step }) => step)).toContain('deleveraged');
    for (const step of steps) expect(Object.keys(step)).not.toContain('lots');
    for (const step of steps) expect(Object.keys(step)).not.toContain('paid');
  },
);

it('by rules 13 each step reports the lots that it closes, and what the fund pays', () => {
  const steps = progressOf(13);
  const closed = steps.filter(({ step }) => step === 'deleveraged');
  expect(closed.map(({ lots, paid }) => [lots, paid])).toEqual([[300, 0n]]);
  for (const step of steps) expect(step).toHaveProperty('paid');
});
