import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { type PriceMatch, priceMatches } from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { engineFactory } from '../../engine.ts';

// A tick is 0.1 USDT: 20 bids from 29,999 down and 20 offers from 30,001 up, a dollar apart.

interface Book {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  readonly bob: AccountId;
}

function begin(levels = 20): Book {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 1_000_000), futures.fund(2, 1_000_000)];
  futures.setIndex(30_000);
  for (let level = 1; level <= levels; level += 1) {
    futures.place(bob, 'buy', { price: 30_000 - level, quantity: 0.1 });
    futures.place(bob, 'sell', { price: 30_000 + level, quantity: 0.1 });
  }
  return { futures, alice, bob };
}

/** The order as it was accepted: its limit in USDT. */
function priceOf(book: Book, side: 'buy' | 'sell', priceMatch: PriceMatch): number | null {
  const { futures, alice } = book;
  const order = futures.order(alice, side, { quantity: 0.01, priceMatch, timeInForce: 'fok' });
  for (const event of futures.done(order)) {
    if (event.type !== 'futuresOrderUpdated' || event.cause !== 'placed') continue;
    expect(event.order.priceMatch).toBe(priceMatch);
    return event.order.price === null ? null : event.order.price / 10;
  }
  return null;
}

const expected: readonly [Exclude<PriceMatch, 'none'>, number, number][] = [
  ['opponent', 30_001, 29_999],
  ['opponent_5', 30_005, 29_995],
  ['opponent_10', 30_010, 29_990],
  ['opponent_20', 30_020, 29_980],
  ['queue', 29_999, 30_001],
  ['queue_5', 29_995, 30_005],
  ['queue_10', 29_990, 30_010],
  ['queue_20', 29_980, 30_020],
];

describe('price match', () => {
  it.each(expected)('price match: %s is %d for a buy and %d for a sell', (match, buy, sell) => {
    expect(priceOf(begin(), 'buy', match)).toBe(buy);
    expect(priceOf(begin(), 'sell', match)).toBe(sell);
  });

  it('price match: a level that the book does not have is refused, and nothing is placed', () => {
    const { futures, alice } = begin(4);
    const hash = futures.engine.stateHash();
    for (const priceMatch of priceMatches.filter((each) => each.includes('_'))) {
      const order = futures.order(alice, 'buy', { quantity: 0.1, priceMatch });
      expect(futures.engine.futures.judgeFuturesOrder(order)).toEqual({
        reason: 'no_price_to_match',
      });
    }
    expect(futures.engine.stateHash()).toBe(hash);
    const order = futures.order(alice, 'sell', { quantity: 0.1, priceMatch: 'queue_5' });
    expect(futures.refusal(order)).toBe('no_price_to_match');
    expect(futures.engine.futures.listOpenFuturesOrders(alice, null)).toEqual([]);
  });

  it('price match: from then on the order is a limit order at that price', () => {
    const { futures, alice, bob } = begin();
    const orderNumber = futures.place(alice, 'buy', { quantity: 0.1, priceMatch: 'queue' });
    // Other orders come in front of it; it stays in its place.
    futures.place(bob, 'buy', { price: 30_000, quantity: 0.1 });
    expect(futures.engine.futures.findOpenFuturesOrder(orderNumber)).toMatchObject({
      price: 299_990,
      priceMatch: 'queue',
      type: 'limit',
      status: 'new',
    });
  });

  it('price match: the margin and the notional are those of the price that it got', () => {
    const { futures } = begin();
    const carol = futures.fund(3, 150);
    // 0.1 BTC at 29,999 and twentyfold leverage needs 149.995, at 30,001 a little more than 150.
    expect(
      futures.refusal(futures.order(carol, 'buy', { quantity: 0.1, priceMatch: 'queue' })),
    ).toBe(null);
    const dave = futures.fund(4, 150);
    const order = futures.order(dave, 'buy', { quantity: 0.1, priceMatch: 'opponent' });
    expect(futures.refusal(order)).toBe('insufficient_margin');
    const tiny = { quantity: 0.001, priceMatch: 'queue', timeInForce: 'gtx' } as const;
    expect(futures.refusal(futures.order(dave, 'buy', tiny))).toBe(null);
  });

  it('price match: gtx at the price of the other side would cross and is refused', () => {
    const { futures, alice } = begin();
    const terms = { quantity: 0.1, timeInForce: 'gtx' } as const;
    const taking = futures.order(alice, 'buy', { ...terms, priceMatch: 'opponent' });
    expect(futures.refusal(taking)).toBe('post_only_would_cross');
    const resting = futures.order(alice, 'buy', { ...terms, priceMatch: 'queue' });
    expect(futures.refusal(resting)).toBe(null);
  });

  it('price match: a stop takes its price when it triggers, also after a restart', () => {
    const { futures, alice, bob } = begin();
    const orderNumber = futures.place(alice, 'buy', {
      orderType: 'stop',
      timeInForce: 'gtc',
      stopPrice: 30_500,
      triggerPriceKind: 'mark',
      quantity: 0.1,
      priceMatch: 'queue_5',
    });
    const waiting = futures.engine.futures.findOpenFuturesOrder(orderNumber);
    expect(waiting).toMatchObject({ price: null, priceMatch: 'queue_5', triggeredAt: null });
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    futures.place(bob, 'buy', { price: 30_000, quantity: 0.1 });
    futures.setIndex(31_000);
    futures.advance(1_000);
    const fired = futures.engine.futures.findOpenFuturesOrder(orderNumber);
    expect(fired).toMatchObject({ price: 299_960, priceMatch: 'queue_5', status: 'new' });
    expect(fired?.triggeredAt).not.toBeNull();
  });

  it('price match: a stop that finds no level when it triggers ends, and says why', () => {
    const { futures, alice } = begin(4);
    const orderNumber = futures.place(alice, 'buy', {
      orderType: 'stop',
      timeInForce: 'gtc',
      stopPrice: 30_500,
      triggerPriceKind: 'mark',
      quantity: 0.1,
      priceMatch: 'opponent_5',
    });
    const events = [...futures.setIndex(31_000), ...futures.advance(1_000)];
    const last = events.filter(
      (event) => event.type === 'futuresOrderUpdated' && event.order.orderNumber === orderNumber,
    );
    expect(last.at(-1)).toMatchObject({
      cause: 'rejected',
      end: 'price_match',
      order: { status: 'expired', price: null },
    });
  });
});

describe('price match of an amendment', () => {
  function amend(
    { futures, alice }: Book,
    orderNumber: OrderNumber,
    terms: { priceMatch: PriceMatch; quantity: number; price?: number },
  ) {
    const { priceMatch, quantity, price } = terms;
    return futures.refusal({
      type: 'amendFuturesOrder',
      accountId: alice,
      orderNumber,
      side: null,
      priceMatch,
      price: price === undefined ? null : ((price * 10) as Ticks),
      quantity: Math.round(quantity * 1_000) as Lots,
      modifyId: null,
    });
  }

  it('amendment: takes the price of the book as a new order would', () => {
    const book = begin();
    const { futures, alice } = book;
    // Alone in front: its own lots do not count as a level.
    const orderNumber = futures.place(alice, 'buy', { price: 30_000, quantity: 0.1 });
    const view = () => futures.engine.futures.findOpenFuturesOrder(orderNumber);
    expect(amend(book, orderNumber, { priceMatch: 'queue', quantity: 0.1 })).toBe(null);
    expect(view()).toMatchObject({ price: 299_990, priceMatch: 'queue' });
    // Among others at that price it counts for nothing: the level stays.
    expect(amend(book, orderNumber, { priceMatch: 'queue', quantity: 0.1 })).toBe(
      'order_not_amendable',
    );
    expect(amend(book, orderNumber, { priceMatch: 'queue_5', quantity: 0.2 })).toBe(null);
    expect(view()).toMatchObject({ price: 299_950, priceMatch: 'queue_5', quantity: 200 });
    // Its own price ends the match.
    expect(amend(book, orderNumber, { priceMatch: 'none', price: 29_000, quantity: 0.2 })).toBe(
      null,
    );
    expect(view()).toMatchObject({ price: 290_000, priceMatch: 'none' });
  });

  it('amendment: without such a level the order stays as it is', () => {
    const book = begin(4);
    const { futures, alice } = book;
    const orderNumber = futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    // The fifth bid is the order itself.
    expect(amend(book, orderNumber, { priceMatch: 'queue_5', quantity: 0.2 })).toBe(
      'no_price_to_match',
    );
    expect(futures.engine.futures.findOpenFuturesOrder(orderNumber)).toMatchObject({
      price: 290_000,
      priceMatch: 'none',
      quantity: 100,
    });
  });
});
