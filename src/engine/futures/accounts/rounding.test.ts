import fc from 'fast-check';
import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';

// One owner with three accounts and no fees to pay, so that only rounding stands between many tiny
// trades and a gain. Nobody else trades, so whatever the accounts hold beyond what was paid in
// would be made of nothing.

const unit = 10n ** 8n;
const paidIn = 3n * 5_000n * unit;
const hourMs = 3_600_000;

const step = fc.record({
  buyer: fc.nat(2),
  seller: fc.nat(2),
  lots: fc.integer({ min: 1, max: 40 }),
  /** The price of the trade over the mark, in ticks. */
  off: fc.integer({ min: -900, max: 900 }),
  /** By which the index moves, in units: marks are rarely whole ticks. */
  move: fc.integer({ min: -20_000_000_000, max: 20_000_000_000 }),
  /** Whether an hour strikes before the trade. */
  isHour: fc.boolean(),
});

function equityOf(futures: FuturesFixture, accounts: readonly AccountId[]): bigint {
  return accounts.reduce((sum, each) => sum + futures.wallet(each).equity, 0n);
}

it('rounding: tiny trades, marks between ticks and funding make no money for their owner', () => {
  let trades = 0;
  let hours = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const futures = new FuturesFixture({ ...btcTerms, makerFeeBps: 0, takerFeeBps: 0 });
      const accounts = [1, 2, 3].map((number) => futures.fund(number, 5_000));
      let index = 30_000n * unit;
      for (const { buyer, seller, lots, off, move, isHour } of steps) {
        index += BigInt(move);
        futures.done({ type: 'setIndexPrice', symbol: 'BTCUSDT', price: toAmount(index) });
        if (isHour) {
          futures.watch(1_800);
          futures.advance(hourMs - (futures.now % hourMs));
          futures.done({ type: 'setIndexPrice', symbol: 'BTCUSDT', price: toAmount(index) });
          hours += 1;
        }
        const price = Number(index / (unit / 10n) + BigInt(off)) / 10;
        const terms = { price, quantity: lots / 1_000 };
        const [buy, sell] = [accounts[buyer], accounts[seller]] as AccountId[];
        futures.apply(futures.order(sell as AccountId, 'sell', terms));
        const traded = futures.apply(
          futures.order(buy as AccountId, 'buy', { ...terms, timeInForce: 'ioc' }),
        );
        trades += traded.events.filter(({ type }) => type === 'futuresTradeExecuted').length;
        expect(equityOf(futures, accounts) <= paidIn).toBe(true);
        for (const accountId of accounts) {
          futures.done({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
        }
      }
      expect(paidIn - equityOf(futures, accounts) < unit / 1_000n).toBe(true);
      expect(futures.engine.findBroken()).toEqual([]);
    }),
    { numRuns: 12 },
  );
  expect(trades).toBeGreaterThan(100);
  expect(hours).toBeGreaterThan(10);
});
