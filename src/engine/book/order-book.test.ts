import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberedBook, type NumberedBookListener, type NumberedOrder } from './numbered-book.ts';
import {
  type BookPolicy,
  type BookSide,
  buySide,
  noAsk,
  noBid,
  refusedAsSelfTrade,
  refusedAsTaker,
  sellSide,
} from './order-book.ts';
import { windowSpanMin } from './price-levels.ts';

const everyOrder = { met: 1_000_000, seen: 1_000_000 };

type News = readonly ['trade' | 'level', ...number[]];

class Listener implements NumberedBookListener {
  news: News[] = [];

  onTrade(maker: number, price: number, quantity: number, makerLeft: number): void {
    this.news.push(['trade', maker, price, quantity, makerLeft]);
  }

  onLevelChanged(side: BookSide, price: number, quantity: number): void {
    this.news.push(['level', side, price, quantity]);
  }

  /** Trades first: when levels are reported between them is up to the book. */
  take(): News[] {
    const news = tradesFirst(this.news);
    this.news = [];
    return news;
  }
}

function tradesFirst(news: readonly News[]): News[] {
  const trades = news.filter(([kind]) => kind === 'trade');
  return [...trades, ...news.filter(([kind]) => kind === 'level')];
}

/** The same rules on one sorted array per side. */
class PlainBook {
  readonly news: News[] = [];
  readonly sides: [NumberedOrder[], NumberedOrder[]] = [[], []];

  add(order: NumberedOrder, { met: most, seen } = everyOrder): number {
    const makers = this.sides[1 - order.side] ?? [];
    const crossed = makers.filter(({ price }) =>
      order.side === buySide ? price <= order.price : price >= order.price,
    );
    if (order.policy === 'rest_only' && crossed.length > 0) return refusedAsTaker;
    let left = order.quantity;
    const isOwn = ({ account }: NumberedOrder) => account === order.account;
    const own = crossed.findIndex((maker, at) => at >= seen && isOwn(maker));
    const reach = Math.min(
      order.policy === 'all_or_nothing' ? seen : most,
      own < 0 ? crossed.length : own,
    );
    const met = crossed.slice(0, reach).filter((maker) => {
      const isMet = left > 0;
      left -= Math.min(left, maker.quantity);
      return isMet;
    });
    if (met.some(isOwn)) return refusedAsSelfTrade;
    if (order.policy === 'all_or_nothing' && left > 0) return order.quantity;
    left = this.trade(met, order.quantity);
    this.sides[1 - order.side] = makers.filter(({ quantity }) => quantity > 0);
    this.reportLevels(1 - order.side, met);
    const isCut = crossed.some(({ quantity }) => quantity > 0);
    if (left > 0 && !isCut && (order.policy === 'rest' || order.policy === 'rest_only')) {
      this.rest({ ...order, quantity: left });
    }
    return left;
  }

  cancel(orderNumber: number): number {
    for (const side of [buySide, sellSide]) {
      const orders = this.sides[side] ?? [];
      const order = orders.find((each) => each.orderNumber === orderNumber);
      if (order === undefined) continue;
      orders.splice(orders.indexOf(order), 1);
      this.reportLevels(side, [order]);
      return order.quantity;
    }
    return 0;
  }

  levels(side: number): [number, number][] {
    const sums = new Map<number, number>();
    for (const { price, quantity } of this.sides[side] ?? []) {
      sums.set(price, (sums.get(price) ?? 0) + quantity);
    }
    return [...sums];
  }

  private trade(makers: readonly NumberedOrder[], quantity: number): number {
    let left = quantity;
    for (const maker of makers) {
      const lots = Math.min(left, maker.quantity);
      left -= lots;
      maker.quantity -= lots;
      this.news.push(['trade', maker.orderNumber, maker.price, lots, maker.quantity]);
    }
    return left;
  }

  private rest(order: NumberedOrder): void {
    const orders = this.sides[order.side];
    orders.push(order);
    orders.sort((left, right) =>
      left.price === right.price
        ? left.orderNumber - right.orderNumber
        : order.side === buySide
          ? right.price - left.price
          : left.price - right.price,
    );
    this.reportLevels(order.side, [order]);
  }

  private reportLevels(side: number, touched: readonly NumberedOrder[]): void {
    const sums = new Map(this.levels(side));
    for (const price of new Set(touched.map((order) => order.price))) {
      this.news.push(['level', side, price, sums.get(price) ?? 0]);
    }
  }
}

function levelsOf(book: NumberedBook, side: BookSide): [number, number][] {
  const levels: [number, number][] = [];
  book.visitLevels(side, (price, quantity) => {
    levels.push([price, quantity]);
    return true;
  });
  return levels;
}

function order(parts: Partial<NumberedOrder> & { orderNumber: number }): NumberedOrder {
  return { account: 1, side: buySide, price: 100, quantity: 10, policy: 'rest', ...parts };
}

function pick<T>(items: readonly T[], at: number): T {
  return items[at % items.length] as T;
}

const policies: readonly BookPolicy[] = ['rest', 'rest', 'drop', 'all_or_nothing', 'rest_only'];
const span = windowSpanMin;

/** Prices around the window's edges, inside it, and as far away as numbers go. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: span / 2 - 4, max: span / 2 + 4 }),
  fc.integer({ min: span - 4, max: span + 4 }),
  fc.integer({ min: 1, max: 4 * span }),
  fc.integer({ min: 1, max: 12 }).map((step) => step * 10 ** 9),
  fc.constantFrom(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - span, 2 ** 31, 2 ** 32),
);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('add'), price, fc.nat(), fc.nat({ max: 30 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('cancel'), price, fc.nat(), fc.nat()) },
);

describe('OrderBook', () => {
  it('OrderBook: an arriving order takes the best price first and the oldest order there', () => {
    const listener = new Listener();
    const book = new NumberedBook(listener);
    book.add(order({ orderNumber: 1, side: sellSide, price: 102 }));
    book.add(order({ orderNumber: 2, side: sellSide, price: 101 }));
    book.add(order({ orderNumber: 3, side: sellSide, price: 101 }));
    listener.take();
    expect(book.add(order({ orderNumber: 4, account: 2, price: 102, quantity: 25 }))).toBe(0);
    expect(listener.take()).toEqual([
      ['trade', 2, 101, 10, 0],
      ['trade', 3, 101, 10, 0],
      ['trade', 1, 102, 5, 5],
      ['level', sellSide, 101, 0],
      ['level', sellSide, 102, 5],
    ]);
    expect([book.bestBid, book.bestAsk, book.orderCount]).toEqual([noBid, 102, 1]);
  });

  it('OrderBook: the unfilled part rests, and a cancel removes it once', () => {
    const listener = new Listener();
    const book = new NumberedBook(listener);
    book.add(order({ orderNumber: 1 }));
    book.add(order({ orderNumber: 2, quantity: 7 }));
    expect(book.cancel(1)).toBe(10);
    expect(book.cancel(1)).toBe(0);
    expect(listener.take()).toEqual([
      ['level', buySide, 100, 10],
      ['level', buySide, 100, 17],
      ['level', buySide, 100, 7],
    ]);
    expect(book.totalOf(buySide)).toBe(7);
    expect(book.cancel(2)).toBe(7);
    expect([book.bestBid, book.bestAsk]).toEqual([noBid, noAsk]);
  });

  it('OrderBook: a refused order leaves no trace', () => {
    const listener = new Listener();
    const book = new NumberedBook(listener);
    book.add(order({ orderNumber: 1, side: sellSide, account: 1, quantity: 1 }));
    book.add(order({ orderNumber: 2, side: sellSide, account: 2, quantity: 9 }));
    listener.take();
    const taker = { orderNumber: 3, account: 2 };
    expect(book.add(order({ ...taker, policy: 'rest_only' }))).toBe(refusedAsTaker);
    expect(book.add(order({ ...taker, quantity: 2 }))).toBe(refusedAsSelfTrade);
    expect(book.add(order({ ...taker, quantity: 11, policy: 'all_or_nothing' }))).toBe(
      refusedAsSelfTrade,
    );
    expect(
      book.add(order({ orderNumber: 3, quantity: 11, account: 3, policy: 'all_or_nothing' })),
    ).toBe(11);
    expect(listener.take()).toEqual([]);
    expect(book.add(order({ ...taker, quantity: 1 }))).toBe(0);
  });

  it('OrderBook: behaves like sorted arrays, at any price and across the window', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
        const listener = new Listener();
        const book = new NumberedBook(listener, windowSpanMin);
        const plain = new PlainBook();
        steps.forEach(([kind, at, draw, lots], index) => {
          const orderNumber = index + 1;
          if (kind === 'cancel') {
            const target = 1 + (draw % orderNumber);
            expect(book.cancel(target)).toBe(plain.cancel(target));
          } else {
            const arriving = order({
              orderNumber,
              account: draw % 7,
              side: draw % 2 === 0 ? buySide : sellSide,
              price: at,
              quantity: lots + 1,
              policy: pick(policies, draw >> 3),
            });
            const seen = 1 + (lots % 3);
            const reach = draw % 2 === 0 ? everyOrder : { seen, met: seen + (lots % 2) };
            expect(book.add({ ...arriving }, reach)).toBe(plain.add(arriving, reach));
          }
          expect(listener.take()).toEqual(plain.news.splice(0));
        });
        for (const side of [buySide, sellSide] as const) {
          expect(levelsOf(book, side)).toEqual(plain.levels(side));
          const sum = plain.levels(side).reduce((total, [, quantity]) => total + quantity, 0);
          expect(book.totalOf(side)).toBe(sum);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('OrderBook: follows a market that moves far beyond its window', () => {
    const listener = new Listener();
    const book = new NumberedBook(listener, windowSpanMin);
    const plain = new PlainBook();
    let middle = 500_000;
    for (let index = 1; index <= 6_000; index += 1) {
      middle += (index * 7919) % 61;
      const side = index % 2 === 0 ? buySide : sellSide;
      const distance = 1 + ((index * 104_729) % 40);
      const arriving = order({
        orderNumber: index,
        account: index % 3,
        side,
        price: side === buySide ? middle - distance : middle + distance,
        quantity: 1 + (index % 9),
      });
      expect(book.add({ ...arriving })).toBe(plain.add(arriving));
      if (index > 60) expect(book.cancel(index - 60)).toBe(plain.cancel(index - 60));
      expect(listener.take()).toEqual(plain.news.splice(0));
    }
    expect(levelsOf(book, buySide)).toEqual(plain.levels(buySide));
    expect(levelsOf(book, sellSide)).toEqual(plain.levels(sellSide));
  });
});
