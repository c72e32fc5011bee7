import { toAmount } from '../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import { btcTerms, FuturesFixture, futuresMarketId } from '../support/futures-fixture.ts';
import { type Example, hourMs, same, unit, walletOf } from './example.ts';

const second = 1 as FuturesMarketId;

/** BTC and a second market, of which prices are pushed. */
function twoMarkets(): { futures: FuturesFixture; push: (price: number) => void } {
  const futures = new FuturesFixture();
  const symbol = 'ETHUSDT';
  futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol } });
  const push = (price: number): void => {
    futures.done({ type: 'setIndexPrice', symbol, price: toAmount(BigInt(price) * unit) });
  };
  return { futures, push };
}

/** Settled at 40,000 and now at 45,000: the loss of a long from 50,000 is still one of 10,000. */
function countTheWorseLoss(): void {
  const futures = new FuturesFixture();
  const [long, maker] = [futures.fund(1, 20_010), futures.fund(2, 1_000_000)];
  const shorts = Array.from({ length: 30 }, (_, at) => futures.fund(at + 3, 250));
  futures.setIndex(50_000);
  futures.place(long, 'buy', { price: 50_000, quantity: 1 });
  futures.place(maker, 'sell', { price: 50_000, quantity: 1 });
  futures.setIndex(40_000);
  for (const short of shorts) {
    futures.place(maker, 'buy', { price: 40_000, quantity: 0.1 });
    futures.place(short, 'sell', { price: 40_000, quantity: 0.1 });
  }
  futures.setIndex(45_000);
  same('what is available', futures.wallet(long).available, 7_750n * unit);
}

/** A loss in one market is paid by the profit in another that is being settled. */
function payByTheSettled(): void {
  const { futures, push } = twoMarkets();
  const [alice, bob] = [futures.fund(1, 1_017), futures.fund(2, 100_000)];
  futures.setIndex(20_000);
  push(3_000);
  futures.place(bob, 'sell', { price: 20_000, quantity: 0.1 });
  futures.place(alice, 'buy', { quantity: 0.1 });
  futures.done({ type: 'setLeverage', accountId: alice, marketId: second, leverage: 125 });
  futures.place(bob, 'sell', { marketId: second, price: 3_000, quantity: 10 });
  futures.place(alice, 'buy', { marketId: second, quantity: 10 });
  for (let passed = 0; passed < 660; passed += 1) {
    if (passed % 30 === 0) {
      futures.setIndex(25_000);
      push(3_000);
    }
    futures.advance(1_000);
  }
  futures.setIndex(30_000);
  push(2_855);
  futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'delisted' });
  futures.advance(0);
  same('the wallet in the end', walletOf(futures, alice), '50.24');
  same('bad debt', futures.engine.futures.badDebt, 0n);
}

/** A trade in one market books the hour of all markets first. */
function bookAllMarkets(): void {
  const { futures, push } = twoMarkets();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_801_000;
  const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  push(3_000);
  for (const [marketId, price] of [
    [0 as FuturesMarketId, 30_000],
    [second, 3_000],
  ] as const) {
    futures.place(bob, 'sell', { marketId, price, quantity: 0.1 });
    futures.place(alice, 'buy', { marketId, price, quantity: 0.1 });
  }
  futures.place(bob, 'buy', { price: 30_000, quantity: 0.1 });
  for (let halfMinute = 0; halfMinute < 60; halfMinute += 1) {
    futures.watch(30);
    push(3_000);
  }
  futures.now += 1_000;
  const events = futures.done(futures.order(alice, 'sell', { price: 30_000, quantity: 0.1 }));
  const paid = events.flatMap((event) =>
    event.type === 'fundingPaid' && event.accountId === alice ? [event.marketId] : [],
  );
  same('the markets whose funding is booked', paid.join(), '0,1');
}

/** Quotes around 30,600 for half a minute, and a trade there: the mark is a step over the index. */
function stepAway(): void {
  const futures = new FuturesFixture();
  const [bidder, seller] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(bidder, 'buy', { price: 30_500, quantity: 0.001 });
  futures.place(seller, 'sell', { price: 30_700, quantity: 0.001 });
  futures.watch(31);
  futures.place(seller, 'sell', { price: 30_600, quantity: 0.001 });
  futures.place(bidder, 'buy', { price: 30_600, quantity: 0.001 });
  futures.advance(1_000);
  const { markPrice } = futures.engine.futures.getFuturesPrices(futuresMarketId);
  same('the mark', markPrice, 30_030n * unit);
}

export const settlingExamples: readonly Example[] = [
  { name: 'a loss at the settled price', run: countTheWorseLoss },
  { name: 'a loss is paid by a settled position', run: payByTheSettled },
  { name: 'a trade books the hour of all markets', run: bookAllMarkets },
  { name: 'the mark leaves the index in steps', run: stepAway },
];
