import { expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// Funding is booked before an account is judged, is closed or trades. Close-outs go before triggers,
// triggers before the income of those whom nothing has touched.

/**
 * At the hour a long of 2 pays 0.745 and has 0.592 more than its maintenance margin. It is closed
 * in part, at a price that fires a stop, and a short elsewhere receives its funding.
 *
 * @returns what happened in the command of the hour, by the names of the accounts.
 */
function strikeHour(rules: Rules): readonly string[] {
  const futures = new FuturesFixture(btcTerms, rules);
  const payer = futures.fund(1, 649);
  const maker = futures.fund(2, 100_000);
  const stopped = futures.fund(3, 1_000);
  const receiver = futures.fund(4, 1_000);
  const names = new Map(
    Object.entries({ payer, maker, stopped, receiver }).map(([n, a]) => [a, n]),
  );
  futures.setIndex(30_000);
  const marketId = futuresMarketId;
  futures.done({ type: 'setLeverage', accountId: payer, marketId, leverage: 125 });
  futures.place(payer, 'buy', { price: 30_000, quantity: 2 });
  futures.place(maker, 'sell', { price: 30_000, quantity: 2 });
  futures.place(receiver, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(stopped, 'buy', { price: 30_000, quantity: 0.1 });
  futures.place(stopped, 'sell', {
    orderType: 'stop_market',
    stopPrice: 29_850,
    quantity: 0.1,
    isReduceOnly: true,
  });
  futures.place(maker, 'buy', { price: 29_800, quantity: 5 });
  futures.setIndex(29_801);
  futures.watch(2_799);
  futures.setIndex(29_801);
  expect(futures.engine.futures.closeOutCount).toBe(0);
  return futures.advance(1_000).flatMap((event) => {
    if (event.type === 'fundingPaid') return [`${names.get(event.accountId)} books`];
    if (event.type === 'liquidationProgressed' && event.step === 'closing') {
      return [`${names.get(event.accountId)} is closed`];
    }
    const isFired = event.type === 'futuresOrderUpdated' && event.cause === 'triggered';
    return isFired ? [`${names.get(event.order.accountId)} fires`] : [];
  });
}

it('funding is booked before an account is closed or trades, and last for all others', () => {
  expect(strikeHour(rulesVersion)).toEqual([
    'payer books',
    'payer is closed',
    'maker books',
    'stopped fires',
    'stopped books',
    'receiver books',
  ]);
});

it('under rules 11 all funding is booked before any account is judged', () => {
  expect(strikeHour(11)).toEqual([
    'payer books',
    'maker books',
    'stopped books',
    'receiver books',
    'payer is closed',
    'stopped fires',
  ]);
});
