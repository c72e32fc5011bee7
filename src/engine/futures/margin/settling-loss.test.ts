import { expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// In a settling market profit carries no new risk, and a loss counts at the worse of valuation
// price and settled price: what the loss has become smaller by is still to be paid by someone.

/** A long of 1 BTC from 50,000, settled at 40,000, when the mark rises to 45,000. */
function rise(rules: Rules): { readonly futures: FuturesFixture; readonly long: AccountId } {
  const futures = new FuturesFixture(btcTerms, rules);
  const long = futures.fund(1, 20_010);
  const maker = futures.fund(2, 1_000_000);
  const shorts = Array.from({ length: 30 }, (_, at) => futures.fund(at + 3, 250));
  futures.setIndex(50_000);
  futures.place(long, 'buy', { price: 50_000, quantity: 1 });
  futures.place(maker, 'sell', { price: 50_000, quantity: 1 });
  futures.setIndex(40_000);
  expect(futures.engine.futures.isFuturesMarketSettling(futuresMarketId)).toBe(false);
  for (const short of shorts) {
    futures.place(maker, 'buy', { price: 40_000, quantity: 0.1 });
    futures.place(short, 'sell', { price: 40_000, quantity: 0.1 });
  }
  futures.setIndex(45_000);
  expect(futures.engine.futures.isFuturesMarketSettling(futuresMarketId)).toBe(true);
  return { futures, long };
}

function availableOf(futures: FuturesFixture, accountId: AccountId): string {
  return formatAmount(futures.wallet(accountId).available);
}

it('counts a loss at the settled price while that is worse', () => {
  const { futures, long } = rise(rulesVersion);
  // 20,000 less 10,000 less the initial margin of 2,250.
  expect(availableOf(futures, long)).toBe('7750');
  expect(formatAmount(futures.wallet(long).equity)).toBe('15000');
  futures.advance(0);
  expect(futures.engine.futures.isFuturesMarketSettling(futuresMarketId)).toBe(false);
  const { available, equity, positionMargin } = futures.wallet(long);
  expect(available).toBe(equity - positionMargin);
});

it('counts it at the mark under rules 11', () => {
  const { futures, long } = rise(11);
  expect(availableOf(futures, long)).toBe('12750');
});
