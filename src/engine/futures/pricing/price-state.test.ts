import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId } from '../../../domain/identifiers.ts';

// Which price values a position, and what an old or unconfirmed one takes away.

const newMarketId = 1 as FuturesMarketId;
const unit = 10n ** 8n;

function pushNew(futures: FuturesFixture, price: number): void {
  const amount = toAmount(BigInt(price) * unit);
  futures.done({ type: 'setIndexPrice', symbol: 'NEWUSDT', price: amount });
}

function priceStateOf(futures: FuturesFixture): string {
  return futures.engine.futures.getFuturesPrices(0 as FuturesMarketId).priceState;
}

function indexOf(futures: FuturesFixture): string {
  return formatAmount(
    futures.engine.futures.getFuturesPrices(0 as FuturesMarketId).indexPrice ?? toAmount(0n),
  );
}

/** Alice is long 0.9 BTC from 30,000 and one lot of NEWUSDT from 10,000, whose index goes stale. */
function beginWithStaleLot(): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'NEWUSDT' } });
  const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  pushNew(futures, 10_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  const lot = { marketId: newMarketId, price: 10_000, quantity: 0.001 };
  futures.place(bob, 'sell', lot);
  futures.place(alice, 'buy', lot);
  futures.now += 60_001;
  return { futures, alice, bob };
}

describe('the price that values a position', () => {
  it("stale market: a position in it does not prevent its account's liquidation", () => {
    const { futures, alice, bob } = beginWithStaleLot();
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('1486.495');
    futures.setIndex(28_500);
    futures.advance(0);
    expect(formatAmount(futures.wallet(alice).equity)).toBe('136.495');
    expect(formatAmount(futures.wallet(alice).maintenanceMargin)).toBe('102.64');
    expect(futures.position(alice).quantity).toBe(900);
    futures.place(bob, 'buy', { price: 28_460, quantity: 0.9 });
    futures.setIndex(28_460);
    expect(futures.position(alice).quantity).toBe(657);
    // Of the largest position in a fresh market: the lot stays.
    const lot = futures.engine.futures.getPosition(alice, newMarketId);
    expect(lot.quantity).toBe(1);
  });

  it('unpriced market: accepts no order, so no position can exist there', () => {
    const futures = new FuturesFixture();
    const alice = futures.fund(1, 10_000);
    for (const terms of [
      { price: 1, quantity: 10 },
      { quantity: 10 },
      { price: 1, quantity: 10, isReduceOnly: true },
      { orderType: 'stop_market', stopPrice: 1, quantity: 10 } as const,
    ]) {
      expect(futures.refusal(futures.order(alice, 'buy', terms))).toBe('index_price_missing');
    }
  });

  it('unpriced market that follows its book: the first trade is last, index and mark price', () => {
    const futures = new FuturesFixture({ ...btcTerms, indexPriceSource: 'book' });
    const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.place(alice, 'buy', { price: 100, quantity: 1 });
    expect(priceStateOf(futures)).toBe('unpriced');
    futures.place(bob, 'sell', { price: 100, quantity: 1 });
    const prices = futures.engine.futures.getFuturesPrices(0 as FuturesMarketId);
    const shown = [prices.lastPrice, prices.indexPrice, prices.markPrice].map(String);
    expect(shown).toEqual(['10000000000', '10000000000', '10000000000']);
    expect(priceStateOf(futures)).toBe('fresh');
  });

  it('stale market: the mark stays as it was, and trades do not move it', () => {
    const { futures, alice, bob } = beginWithStaleLot();
    futures.advance(1_000);
    const before = futures.position(alice).markPrice;
    futures.place(alice, 'sell', { price: 30_500, quantity: 0.1 });
    futures.place(bob, 'buy', { price: 30_500, quantity: 0.1 });
    futures.advance(5_000);
    expect(futures.position(alice).markPrice).toBe(before);
  });

  it('stale market: orders that open are refused, those that reduce are reduce-only', () => {
    const { futures, alice, bob } = beginWithStaleLot();
    for (const terms of [{ price: 30_000, quantity: 1 }, { quantity: 1 }]) {
      expect(futures.refusal(futures.order(alice, 'buy', terms))).toBe('index_price_stale');
      expect(futures.refusal(futures.order(alice, 'sell', terms))).toBe('index_price_stale');
    }
    const number = futures.place(alice, 'sell', { price: 30_000, quantity: 0.5 });
    expect(futures.engine.futures.findOpenFuturesOrder(number)?.isReduceOnly).toBe(true);
    futures.place(bob, 'buy', { quantity: 0.5 });
    expect(futures.position(alice).quantity).toBe(400);
  });

  it('stale market: resting orders of the side count towards what an order may reduce', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.5 });
    futures.place(alice, 'buy', { quantity: 0.5 });
    futures.place(alice, 'sell', { price: 31_000, quantity: 0.3 });
    futures.now += 60_001;
    const order = futures.order(alice, 'sell', { price: 30_500, quantity: 0.3 });
    expect(futures.refusal(order)).toBe('index_price_stale');
    futures.place(alice, 'sell', { price: 30_500, quantity: 0.2 });
  });

  it('stale market: profit carries no new risk, and initial margin counts twice', () => {
    const { futures, alice } = beginWithStaleLot();
    const before = futures.wallet(alice);
    pushNew(futures, 12_000);
    futures.setIndex(30_000);
    futures.advance(0);
    // 0.001 at 12,000 over 20 is 0.6, and 2 of profit do not leave.
    expect(formatAmount(futures.wallet(alice).withdrawable)).toBe('135.895');
    expect(formatAmount(futures.wallet(alice).available)).toBe('137.895');
    futures.now += 60_001;
    futures.setIndex(30_000);
    futures.advance(0);
    expect(formatAmount(futures.wallet(alice).available)).toBe('135.295');
    expect(formatAmount(futures.wallet(alice).withdrawable)).toBe('135.295');
    expect(before.walletBalance).toBe(futures.wallet(alice).walletBalance);
  });

  it('withdrawals: the profit of one market does not free the loss of another', () => {
    const { futures, alice } = beginWithStaleLot();
    pushNew(futures, 11_000);
    futures.setIndex(29_900);
    futures.advance(0);
    // 1,486.495 less a loss of 90, less 1,345.5 and 0.55 of margin; the profit of 1 stays out.
    expect(formatAmount(futures.wallet(alice).withdrawable)).toBe('50.445');
  });

  it('mark price: never further than 2 % from the index', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 31_400, quantity: 0.001 });
    futures.place(alice, 'buy', { price: 31_400, quantity: 0.001 });
    futures.place(bob, 'buy', { price: 31_200, quantity: 0.001 });
    futures.place(alice, 'sell', { price: 31_500, quantity: 0.001 });
    for (let second = 0; second < 40; second += 1) futures.advance(1_000);
    expect(formatAmount(futures.position(alice).markPrice ?? toAmount(0n))).toBe('30600');
  });
});

describe('the jump guard', () => {
  const guarded = { ...btcTerms, indexJumpBps: 1_000 };

  it('jump guard: a push further than 10 % away is held until a second one, 1 s later, confirms it', () => {
    const futures = new FuturesFixture(guarded);
    futures.setIndex(30_000);
    expect(futures.setIndex(20_000).map(({ type }) => type)).toContain('indexPriceHeld');
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['held', '30000']);
    futures.now += 500;
    futures.setIndex(20_050);
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['held', '30000']);
    futures.now += 500;
    futures.setIndex(20_050);
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['fresh', '20050']);
  });

  it('jump guard: a single mistaken price never becomes the index', () => {
    const futures = new FuturesFixture(guarded);
    futures.setIndex(30_000);
    futures.setIndex(300_000);
    expect(indexOf(futures)).toBe('30000');
    futures.setIndex(30_010);
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['fresh', '30010']);
  });

  it('jump guard: the first push after a stale index is compared with it in the same way', () => {
    const futures = new FuturesFixture(guarded);
    futures.setIndex(30_000);
    futures.now += 120_000;
    futures.setIndex(20_000);
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['stale', '30000']);
    futures.now += 1_000;
    futures.setIndex(20_000);
    expect([priceStateOf(futures), indexOf(futures)]).toEqual(['fresh', '20000']);
  });

  it('jump guard: while a price is held only reducing orders are accepted', () => {
    const futures = new FuturesFixture(guarded);
    const alice = futures.fund(1, 10_000);
    futures.setIndex(30_000);
    futures.setIndex(20_000);
    const order = futures.order(alice, 'buy', { price: 30_000, quantity: 0.1 });
    expect(futures.refusal(order)).toBe('index_price_stale');
  });
});
