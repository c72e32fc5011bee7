import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId } from '../../domain/identifiers.ts';

// Two markets: A moves, and B shows who is affected.

const unit = 10n ** 8n;
const [a, b] = [1, 2] as [FuturesMarketId, FuturesMarketId];

class TwoMarkets extends FuturesFixture {
  constructor() {
    super();
    for (const symbol of ['AUSDT', 'BUSDT']) {
      this.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol } });
    }
  }

  push(symbol: 'AUSDT' | 'BUSDT', price: number): void {
    this.done({ type: 'setIndexPrice', symbol, price: toAmount(BigInt(price) * unit) });
  }

  /** `long` buys from `short`, which pays the taker fee. */
  cross(
    marketId: FuturesMarketId,
    {
      long,
      short,
      price,
      quantity,
    }: {
      readonly long: AccountId;
      readonly short: AccountId;
      readonly price: number;
      readonly quantity: number;
    },
  ): void {
    this.place(long, 'buy', { marketId, price, quantity });
    this.place(short, 'sell', { marketId, price, quantity });
  }

  lotsOf(accountId: AccountId, marketId: FuturesMarketId): number {
    return this.engine.futures.getPosition(accountId, marketId).quantity;
  }

  walletOf(accountId: AccountId): string {
    return formatAmount(this.wallet(accountId).walletBalance);
  }
}

/**
 * The account in ninth place has lost 1,000,000 in A to the winner, who has 150,000 of its own;
 * eight bankrupt ones are closed before it. The winner's second account offers 4,000 of B at
 * 1,100, 10 % over the mark.
 */
function begin(loserHas: number) {
  const futures = new TwoMarkets();
  const small = Array.from({ length: 8 }, (_, at) => futures.fund(at + 1, 250));
  const loser = futures.fund(9, loserHas);
  const [winner, second] = [futures.fund(10, 150_000), futures.fund(11, 300_000)];
  const house = futures.fund(12, 1_000_000);
  futures.push('AUSDT', 40_000);
  futures.push('BUSDT', 1_000);
  for (const long of small) futures.cross(a, { long, short: house, price: 40_000, quantity: 0.1 });
  futures.done({ type: 'setLeverage', accountId: winner, marketId: a, leverage: 50 });
  futures.cross(a, { long: loser, short: winner, price: 40_000, quantity: 100 });
  futures.push('AUSDT', 30_000);
  futures.place(second, 'sell', { marketId: b, price: 1_100, quantity: 3_636 });
  const buy = futures.order(winner, 'buy', { marketId: b, price: 1_100, quantity: 3_636 });
  return { futures, loser, winner, second, buy };
}

describe('worked examples over two markets', () => {
  it('settling: 1,000,000 won of the ninth close-out carry no 4,000,000 in another market', () => {
    const { futures, loser, winner, second, buy } = begin(250_000);
    expect(futures.lotsOf(loser, a)).toBe(100_000);
    expect(futures.engine.futures.isFuturesMarketSettling(a)).toBe(true);
    expect(futures.engine.futures.isFuturesMarketSettling(b)).toBe(false);
    // Four of the eight are closed, 0.4 BTC of them against the winner.
    expect(formatAmount(futures.wallet(winner).unrealizedProfit)).toBe('996000');
    expect(futures.refusal(buy)).toBe('insufficient_margin');
    futures.advance(0);
    // What the loser had is all that the winner gets: 250,000 less the fees of opening.
    expect(futures.lotsOf(loser, a)).toBe(0);
    expect(futures.walletOf(loser)).toBe('0');
    expect(futures.walletOf(winner)).toBe('397200');
    expect(futures.walletOf(second)).toBe('300000');
  });

  it('settling: the same profit carries the order if its payer is solvent', () => {
    const { futures, winner, second, buy } = begin(2_000_000);
    futures.advance(0);
    expect(futures.refusal(buy)).toBeNull();
    expect(futures.lotsOf(second, b)).toBe(-3_636_000);
    expect(futures.lotsOf(winner, b)).toBe(3_636_000);
  });

  it('bankruptcy price: B, which has just fallen, pays at 625; A, which slid for days, at 30,000', () => {
    const futures = new TwoMarkets();
    const long = futures.fund(1, 250_160);
    const [inA, inB] = [futures.fund(2, 100_000), futures.fund(3, 100_000)];
    futures.push('AUSDT', 40_000);
    futures.push('BUSDT', 1_000);
    // Makers pay 2 bps of 400,000 twice: 250,000 are left.
    futures.cross(a, { long, short: inA, price: 40_000, quantity: 10 });
    futures.cross(b, { long, short: inB, price: 1_000, quantity: 400 });
    expect(futures.walletOf(long)).toBe('250000');
    for (let price = 39_000; price >= 30_000; price -= 1_000) {
      futures.push('AUSDT', price);
      futures.advance(1_000);
    }
    expect(formatAmount(futures.wallet(long).equity)).toBe('150000');
    const before = futures.wallet(inB).walletBalance;
    futures.push('BUSDT', 500);
    futures.advance(0);
    expect([futures.lotsOf(long, a), futures.lotsOf(long, b)]).toEqual([0, 0]);
    expect(futures.walletOf(long)).toBe('0');
    const won = futures.wallet(inB).walletBalance - before;
    expect(formatAmount(toAmount(won))).toBe(String(400 * (1_000 - 625)));
    // 100,000 less the taker's fee of 200, and 10 x (40,000 - 30,000).
    expect(futures.walletOf(inA)).toBe('199800');
  });
});
