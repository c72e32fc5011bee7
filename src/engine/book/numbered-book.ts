import { OrderIndex } from '../storage/order-index.ts';
import { accountAt, numberAt, OrderRecords } from '../storage/order-records.ts';
import {
  type BookOrder,
  type BookSide,
  type LevelListener,
  OrderBook,
  type Reach,
  type TradeListener,
} from './order-book.ts';

/** An arriving order of an owner who keeps no order records. */
export interface NumberedOrder extends BookOrder {
  orderNumber: number;
}

/** Callbacks that a numbered book makes while `add`, `cancel` and `reduce` run. */
export interface NumberedBookListener extends LevelListener {
  /** The arriving order traded against a resting one, which has `makerLeft` lots left. */
  onTrade(makerNumber: number, price: number, quantity: number, makerLeft: number): void;
}

/** An order book that keeps its own order records, for owners who identify orders by number. */
export class NumberedBook implements TradeListener {
  private readonly listener: NumberedBookListener;
  private readonly records = new OrderRecords();
  private readonly index = new OrderIndex();
  private readonly book: OrderBook;

  constructor(listener: NumberedBookListener, windowSpan?: number) {
    this.listener = listener;
    this.book = new OrderBook(this, listener, this.records, windowSpan);
  }

  get bestBid(): number {
    return this.book.bestBid;
  }

  get bestAsk(): number {
    return this.book.bestAsk;
  }

  get orderCount(): number {
    return this.book.orderCount;
  }

  totalOf(side: BookSide): number {
    return this.book.totalOf(side);
  }

  /** See `OrderBook.add`. */
  add(order: NumberedOrder, reach?: Reach): number {
    const slot = this.open(order);
    const left = this.book.add(order, slot, reach);
    const mayRest = left > 0 && (order.policy === 'rest' || order.policy === 'rest_only');
    if (mayRest && !this.book.isCrossing(order.side, order.price)) {
      this.index.set(order.orderNumber, slot);
    } else {
      this.records.release(slot);
    }
    return left;
  }

  /** Puts back the unfilled part of a saved order without any callback; it must not cross. */
  restore(order: NumberedOrder, left: number): void {
    const slot = this.open(order);
    this.index.set(order.orderNumber, slot);
    this.book.restore(order, slot, left);
  }

  /** Removes a resting order. @returns its lots, or 0 if no order rests under the number. */
  cancel(orderNumber: number): number {
    const slot = this.index.take(orderNumber);
    if (slot < 0) return 0;
    const quantity = this.book.cancel(slot);
    this.records.release(slot);
    return quantity;
  }

  /** Removes some, but not all, of a resting order's lots. The order keeps its queue position. */
  reduce(orderNumber: number, lots: number): void {
    this.book.reduce(this.index.find(orderNumber), lots);
  }

  /** The number of the side's first order in matching order, or 0. */
  firstOf(side: BookSide): number {
    const slot = this.book.firstOf(side);
    return slot < 0 ? 0 : this.numberOf(slot);
  }

  visitLevels(side: BookSide, visit: (price: number, quantity: number) => boolean): void {
    this.book.visitLevels(side, visit);
  }

  /** Calls `visit` for each order of a side in matching order, until it returns false. */
  visitOrders(
    side: BookSide,
    visit: (orderNumber: number, price: number, quantity: number) => unknown,
  ): void {
    this.book.visitOrders(side, (slot, price, left) => visit(this.numberOf(slot), price, left));
  }

  onTrade(maker: number, price: number, quantity: number, makerLeft: number): void {
    const orderNumber = this.numberOf(maker);
    if (makerLeft === 0) {
      this.index.take(orderNumber);
      this.records.release(maker);
    }
    this.listener.onTrade(orderNumber, price, quantity, makerLeft);
  }

  private open({ orderNumber, account }: NumberedOrder): number {
    const { records } = this;
    const slot = records.take();
    records.ints[slot * records.recordInts + accountAt] = account;
    records.floats[slot * records.recordFloats + numberAt] = orderNumber;
    return slot;
  }

  private numberOf(slot: number): number {
    return this.records.floats[slot * this.records.recordFloats + numberAt] as number;
  }
}
