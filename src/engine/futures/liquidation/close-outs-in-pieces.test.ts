import { expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { EngineEvent } from '../../events.ts';

const longs = 12;

/** The accounts of the events of a step, in order. */
function accountsAt(events: readonly EngineEvent[], step: string): readonly AccountId[] {
  return events.flatMap((event) =>
    event.type === 'liquidationProgressed' && event.step === step ? [event.accountId] : [],
  );
}

function setIndex(futures: FuturesFixture, price: bigint): readonly EngineEvent[] {
  const amount = toAmount(price * 10n ** 8n);
  return futures.apply({ type: 'setIndexPrice', symbol: 'BTCUSDT', price: amount }).events;
}

it('close-outs: at most four are advanced in one command; until all are over their market settles', () => {
  const futures = new FuturesFixture();
  const bob = futures.fund(1, 100_000);
  const ids = Array.from({ length: longs }, (_none, at) => futures.fund(10 + at, 155));
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: longs / 10 });
  for (const id of ids) futures.place(id, 'buy', { price: 30_000, quantity: 0.1 });

  const finished: AccountId[] = [];
  let events = setIndex(futures, 28_000n);
  let commands = 1;
  for (;;) {
    const ended = accountsAt(events, 'finished');
    expect(ended.length).toBeLessThanOrEqual(4);
    finished.push(...ended);
    if (!events.some(({ type }) => type === 'timedWorkDue')) break;
    expect(futures.refusal(futures.order(bob, 'sell', { price: 28_000, quantity: 0.1 }))).toBe(
      'market_settling',
    );
    ({ events } = futures.apply({ type: 'advanceTime' }));
    commands += 1;
  }
  expect(finished).toEqual(ids);
  expect(commands).toBeGreaterThanOrEqual(longs / 4);
  expect(futures.refusal(futures.order(bob, 'sell', { price: 28_000, quantity: 0.1 }))).toBeNull();
});
