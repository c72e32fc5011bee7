import { toAmount } from '../../src/domain/amount.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { btcTerms, FuturesFixture, futuresMarketId } from '../support/futures-fixture.ts';
import { type Example, same, unit } from './example.ts';

/** All longs of the market together may be worth 40,000 USDT: 2 BTC at 20,000. */
function crowd(leverages: readonly number[]): { futures: FuturesFixture; ids: AccountId[] } {
  const cap = toAmount(40_000n * unit);
  const futures = new FuturesFixture({ ...btcTerms, maxNotional: cap, maxOpenInterest: cap });
  futures.setIndex(20_000);
  const ids = leverages.map((leverage, at) => {
    const accountId = futures.fund(at + 1, leverage === 1 ? 100_000 : 1_010);
    futures.done({ type: 'setLeverage', accountId, marketId: futuresMarketId, leverage });
    return accountId;
  });
  return { futures, ids };
}

function trade(futures: FuturesFixture, quantity: number, [short, long]: AccountId[]): void {
  futures.place(short as AccountId, 'sell', { price: 20_000, quantity });
  futures.place(long as AccountId, 'buy', { price: 20_000, quantity });
}

/** 0.8 % at half of the largest open interest, 50.4 % at three quarters, kept by the position. */
function raiseMargin(): void {
  const { futures, ids } = crowd([1, 1, 125, 125]);
  trade(futures, 1.4, ids.slice(0, 2));
  trade(futures, 0.1, ids.slice(2));
  const [, , , long = 0 as AccountId] = ids;
  same('margin at three quarters', futures.position(long).initialMargin, 1_008n * unit);
  trade(futures, 1.4, ids.slice(0, 2).reverse());
  same('margin that stays', futures.position(long).initialMargin, 1_008n * unit);
}

/** A bid of calmer times cannot carry 0.1 BTC at 100 %. */
function refuseFill(): void {
  const { futures, ids } = crowd([1, 1, 125, 1]);
  const [, , bidder = 0 as AccountId, seller = 0 as AccountId] = ids;
  trade(futures, 0.9, ids.slice(0, 2));
  const bid = futures.place(bidder, 'buy', { price: 20_000, quantity: 0.1 });
  const [short = 0 as AccountId, long = 0 as AccountId] = ids;
  futures.place(short, 'sell', { price: 20_010, quantity: 1 });
  futures.place(long, 'buy', { price: 20_010, quantity: 1 });
  futures.place(seller, 'sell', { price: 20_000, quantity: 0.1 });
  same('the bid', futures.engine.futures.findOpenFuturesOrder(bid), null);
  same('what it has bought', futures.position(bidder).quantity, 0);
}

export const marginExamples: readonly Example[] = [
  { name: 'margin rises with open interest and stays', run: raiseMargin },
  { name: 'a fill needs the margin of its open interest', run: refuseFill },
];
