import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import { clearedAmount } from '../../../domain/insurance.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

const unit = 10n ** 8n;

/**
 * A fund of 3,400 and a wallet of 14,850, long 10 from 30,000, at a mark of 28,400 with bids for 4.
 *
 * @returns what is reported of the fund: balance and change, what it holds, the close-out, and what
 * the account received; last the sum of what the account received.
 */
function bankrupt(rules: Rules): readonly (readonly unknown[])[] {
  const futures = new FuturesFixture(btcTerms, rules);
  const [bob, carol] = [futures.fund(1, 1_000_000), futures.fund(2, 1_000_000)];
  const poor = futures.fund(3, 15_000);
  futures.setIndex(30_000);
  futures.done({
    type: 'moveHouseFunds',
    amount: toAmount(3_400n * unit),
    source: 'treasury',
    reason: null,
    reference: null,
  });
  futures.place(bob, 'sell', { price: 30_000, quantity: 10 });
  futures.place(poor, 'buy', { price: 30_000, quantity: 10 });
  futures.place(carol, 'buy', { price: 28_400, quantity: 4 });
  const events = [...futures.setIndex(28_400), ...futures.advance(0)];
  let received = 0n;
  const told = events.flatMap((event) => {
    if (event.type !== 'insuranceFundChanged') return [];
    expect(event.accountId).toBe(poor);
    received += clearedAmount(event);
    const { balance, change, held, number, paid } = event;
    const amounts = [balance, change, held, paid].map((each) =>
      each === undefined ? null : formatAmount(each),
    );
    return [[...amounts, number ?? null]];
  });
  return [...told, [formatAmount(toAmount(received))]];
}

it('reports what is reserved, what is paid of it, and for which close-out', () => {
  expect(bankrupt(rulesVersion)).toEqual([
    ['2550', '-850', '850', '0', 1],
    ['2550', '0', '390', '460', 1],
    ['2550', '0', '0', '390', 1],
    ['850'],
  ]);
});

it('reports only the free part under rules 11', () => {
  expect(bankrupt(11)).toEqual([['2550', '-850', null, null, null], ['850']]);
});
