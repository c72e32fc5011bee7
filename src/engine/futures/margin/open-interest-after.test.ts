import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// All longs of the market together may be worth 40,000 USDT: 2 BTC at 20,000.

const cap = toAmount(40_000n * 10n ** 8n);
const terms = { ...btcTerms, maxNotional: cap, maxOpenInterest: cap };
const price = 20_000;

/** At 15 times a position may be as large as the market allows. */
function open(futures: FuturesFixture, number: number, usdt: number, leverage = 15): AccountId {
  const accountId = futures.fund(number, usdt);
  const marketId = futuresMarketId;
  futures.done({ type: 'setLeverage', accountId, marketId, leverage });
  return accountId;
}

/** Two accounts that hold that many BTC against each other. */
function hold(futures: FuturesFixture, quantity: number): readonly [AccountId, AccountId] {
  futures.setIndex(price);
  const [long, short] = [open(futures, 8, 100_000), open(futures, 9, 100_000)];
  futures.place(short, 'sell', { price, quantity });
  futures.place(long, 'buy', { price, quantity });
  return [long, short];
}

function endsOf(futures: FuturesFixture, ...order: Parameters<FuturesFixture['order']>) {
  return futures.done(futures.order(...order)).flatMap((event) => {
    const isOwn = event.type === 'futuresOrderUpdated' && event.order.accountId === order[0];
    return isOwn ? [event.end ?? event.cause] : [];
  });
}

describe('margin by the open interest after a trade', () => {
  it('takes over a position at the rate of the open interest, which stays', () => {
    const futures = new FuturesFixture(terms);
    const [, short] = hold(futures, 1.5);
    const next = open(futures, 1, 100_000, 125);
    futures.place(next, 'sell', { price, quantity: 0.1 });
    futures.place(short, 'buy', { price, quantity: 0.1 });
    expect(futures.engine.futures.getOpenInterest(futuresMarketId)).toBe(1_500);
    // 50.4 % of 2,000; at 1.6 BTC it would be 60.32 %.
    expect(formatAmount(futures.position(next).initialMargin)).toBe('1008');
  });

  it('judges a fill-or-kill order with the open interest that its own trades add', () => {
    const futures = new FuturesFixture(terms);
    hold(futures, 1);
    const [taker, first, second] = [
      open(futures, 1, 100_000),
      open(futures, 2, 100_000),
      open(futures, 3, 5_000),
    ];
    // Each could trade alone, to 1.4 BTC; the second cannot carry the rate at 1.8.
    futures.place(first, 'sell', { price, quantity: 0.4 });
    futures.place(second, 'sell', { price, quantity: 0.4 });
    const fok = { price, quantity: 0.8, timeInForce: 'fok' } as const;
    expect(endsOf(futures, taker, 'buy', fok)).toEqual(['placed', 'time_in_force']);
    expect(futures.position(taker).quantity).toBe(0);
  });
});

describe('first trade of a market that follows its book', () => {
  const ownBook = { ...terms, indexPriceSource: 'book' } as const;

  it('needs the margin of the open interest that it makes', () => {
    const futures = new FuturesFixture(ownBook);
    const poor = open(futures, 1, 3_000);
    // 1.5 BTC need 53.3 % of 30,000, 1 BTC a fifteenth of 20,000.
    const bid = futures.order(poor, 'buy', { price, quantity: 1.5 });
    expect(futures.refusal(bid)).toBe('insufficient_margin');
    futures.place(poor, 'buy', { price, quantity: 1 });
  });

  it('judges a seller at the price of the trade, not at its limit', () => {
    const sell = (rules: Rules) => {
      const futures = new FuturesFixture(ownBook, rules);
      const [bidder, seller] = [open(futures, 1, 3_000), open(futures, 2, 20)];
      futures.place(bidder, 'buy', { price, quantity: 1 });
      const ends = endsOf(futures, seller, 'sell', { price: 100, quantity: 1 });
      return [ends.at(-1), futures.position(seller).quantity];
    };
    expect(sell(rulesVersion)).toEqual(['margin', 0]);
    expect(sell(11)).toEqual(['traded', -1_000]);
  });

  it('counts what a buyer pays above it as a loss', () => {
    const buy = (rules: Rules) => {
      const futures = new FuturesFixture(ownBook, rules);
      const [seller, buyer] = [open(futures, 1, 3_000), open(futures, 2, 200)];
      futures.place(seller, 'sell', { price, quantity: 0.001 });
      futures.place(seller, 'sell', { price: 21_900, quantity: 0.1 });
      const fok = { price: 21_900, quantity: 0.101, timeInForce: 'fok' } as const;
      return futures.refusal(futures.order(buyer, 'buy', fok));
    };
    expect(buy(rulesVersion)).toBe('insufficient_margin');
    expect(buy(11)).toBeNull();
  });
});
