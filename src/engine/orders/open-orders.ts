import { toAmount } from '../../domain/amount.ts';
import type { AccountId, MarketId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import {
  type SpotOrder,
  type SpotOrderStatus,
  sides,
  spotTimesInForce,
} from '../../domain/spot-order.ts';
import type { BookOrder } from '../book/order-book.ts';
import { compact } from '../storage/compact.ts';
import { grownInts } from '../storage/int64.ts';
import { OrderIndex } from '../storage/order-index.ts';

// What the ledger knows of each live order, in records of 96 bytes inside one buffer. A book
// knows the same orders by price and time; the two meet only in order numbers. A record is opened
// for every arriving order and kept only if the order rests.

const recordFloats = 12;
const recordInts = 24;
const capacityMin = 256;

// Floats of a record; the filled quote money is a 64-bit integer in between.
const numberAt = 0;
const priceAt = 1;
const quantityAt = 2;
const filledAt = 3;
const createdAt = 4;
const updatedAt = 5;
const filledQuoteAt = 6;
// Ints of a record.
const accountAt = 14;
const marketAt = 15;
const sideAt = 16;
const timeInForceAt = 17;
const baseCellAt = 18;
const quoteCellAt = 19;
const nextAt = 20;
const previousAt = 21;
const clientHashAt = 22;

/** An arriving order as book and ledger are told of it; neither keeps the object. */
export interface ArrivingOrder extends BookOrder {
  marketId: number;
  /** Position in `spotTimesInForce`. */
  timeInForce: number;
  createdAt: number;
  /** Where the account's balances in the market's tokens lie; -1 where it has none. */
  baseCell: number;
  quoteCell: number;
  clientOrderId: string | null;
  /** See `ClientOrderIds`; 0 without an id. */
  clientHash: number;
}

export class OpenOrders {
  private readonly index = new OrderIndex();
  private floats = new Float64Array(capacityMin * recordFloats);
  private ints = new Int32Array(this.floats.buffer);
  private amounts = new BigInt64Array(this.floats.buffer);
  private readonly clientOrderIds: (string | null)[] = [];
  private top = 0;
  private freeSlot = -1;
  /** First and last slot + 1 by account, in rising order number. */
  private heads = new Int32Array(capacityMin);
  private tails = new Int32Array(capacityMin);
  count = 0;

  /** A record for an arriving order; `keep` or `release` must follow. */
  open(order: ArrivingOrder): number {
    const slot = this.takeSlot();
    const { floats, ints } = this;
    const float = slot * recordFloats;
    floats[float + numberAt] = order.orderNumber;
    floats[float + priceAt] = order.price;
    floats[float + quantityAt] = order.quantity;
    floats[float + filledAt] = 0;
    floats[float + createdAt] = order.createdAt;
    floats[float + updatedAt] = order.createdAt;
    this.amounts[float + filledQuoteAt] = 0n;
    const int = slot * recordInts;
    ints[int + accountAt] = order.account;
    ints[int + marketAt] = order.marketId;
    ints[int + sideAt] = order.side;
    ints[int + timeInForceAt] = order.timeInForce;
    ints[int + baseCellAt] = order.baseCell;
    ints[int + quoteCellAt] = order.quoteCell;
    this.clientOrderIds[slot] = order.clientOrderId;
    return slot;
  }

  /** The order rests: it can be found, and stands last among its account's orders. */
  keep(slot: number): void {
    const int = slot * recordInts;
    const account = this.accountOf(slot);
    if (account >= this.heads.length) {
      this.heads = grownInts(this.heads, account + 1);
      this.tails = grownInts(this.tails, account + 1);
    }
    const tail = (this.tails[account] as number) - 1;
    this.ints[int + nextAt] = -1;
    this.ints[int + previousAt] = tail;
    if (tail >= 0) this.ints[tail * recordInts + nextAt] = slot;
    else this.heads[account] = slot + 1;
    this.tails[account] = slot + 1;
    this.index.set(this.numberOf(slot), slot);
    this.count += 1;
  }

  /** The order is done: nothing finds it, and its record may be used again after this command. */
  drop(slot: number): void {
    const int = slot * recordInts;
    const account = this.accountOf(slot);
    const next = this.ints[int + nextAt] as number;
    const previous = this.ints[int + previousAt] as number;
    if (previous >= 0) this.ints[previous * recordInts + nextAt] = next;
    else this.heads[account] = next + 1;
    if (next >= 0) this.ints[next * recordInts + previousAt] = previous;
    else this.tails[account] = previous + 1;
    this.index.take(this.numberOf(slot));
    this.count -= 1;
    this.release(slot);
  }

  /** Gives back a record that was opened and not kept. */
  release(slot: number): void {
    this.clientOrderIds[slot] = null;
    this.ints[slot * recordInts + nextAt] = this.freeSlot;
    this.freeSlot = slot;
  }

  /** The record of a live order, or -1; any number may be asked for. */
  find(orderNumber: number): number {
    const slot = this.index.find(orderNumber);
    return slot >= 0 && this.numberOf(slot) === orderNumber ? slot : -1;
  }

  /** The account's first order, or -1; `nextOf` goes on from there. */
  firstOf(accountId: number): number {
    return accountId < this.heads.length ? (this.heads[accountId] as number) - 1 : -1;
  }

  nextOf(slot: number): number {
    return this.ints[slot * recordInts + nextAt] as number;
  }

  numberOf(slot: number): number {
    return this.floats[slot * recordFloats + numberAt] as number;
  }

  priceOf(slot: number): number {
    return this.floats[slot * recordFloats + priceAt] as number;
  }

  quantityOf(slot: number): number {
    return this.floats[slot * recordFloats + quantityAt] as number;
  }

  filledOf(slot: number): number {
    return this.floats[slot * recordFloats + filledAt] as number;
  }

  filledQuoteOf(slot: number): bigint {
    return this.amounts[slot * recordFloats + filledQuoteAt] as bigint;
  }

  createdAtOf(slot: number): number {
    return this.floats[slot * recordFloats + createdAt] as number;
  }

  updatedAtOf(slot: number): number {
    return this.floats[slot * recordFloats + updatedAt] as number;
  }

  accountOf(slot: number): number {
    return this.ints[slot * recordInts + accountAt] as number;
  }

  marketOf(slot: number): number {
    return this.ints[slot * recordInts + marketAt] as number;
  }

  sideOf(slot: number): number {
    return this.ints[slot * recordInts + sideAt] as number;
  }

  timeInForceOf(slot: number): number {
    return this.ints[slot * recordInts + timeInForceAt] as number;
  }

  baseCellOf(slot: number): number {
    return this.ints[slot * recordInts + baseCellAt] as number;
  }

  quoteCellOf(slot: number): number {
    return this.ints[slot * recordInts + quoteCellAt] as number;
  }

  clientOrderIdOf(slot: number): string | null {
    return this.clientOrderIds[slot] ?? null;
  }

  clientHashOf(slot: number): number {
    return this.ints[slot * recordInts + clientHashAt] as number;
  }

  setClientHash(slot: number, hash: number): void {
    this.ints[slot * recordInts + clientHashAt] = hash;
  }

  setUpdatedAt(slot: number, timestamp: number): void {
    this.floats[slot * recordFloats + updatedAt] = timestamp;
  }

  /** Adds a trade to what the order has filled. */
  fill(slot: number, quantity: number, quote: bigint, timestamp: number): void {
    const float = slot * recordFloats;
    (this.floats[float + filledAt] as number) += quantity;
    this.floats[float + updatedAt] = timestamp;
    const filled = this.amounts[float + filledQuoteAt] as bigint;
    this.amounts[float + filledQuoteAt] = BigInt.asIntN(64, filled + quote);
  }

  /** The limit order as events and views show it. */
  describe(slot: number, status: SpotOrderStatus): SpotOrder {
    const { floats, ints } = this;
    const float = slot * recordFloats;
    const int = slot * recordInts;
    return {
      orderNumber: compact(floats[float + numberAt] as number) as OrderNumber,
      accountId: ints[int + accountAt] as AccountId,
      marketId: ints[int + marketAt] as MarketId,
      clientOrderId: this.clientOrderIds[slot] ?? null,
      side: sides[ints[int + sideAt] as 0 | 1],
      type: 'limit',
      timeInForce: spotTimesInForce[ints[int + timeInForceAt] as 0 | 1 | 2 | 3],
      price: compact(floats[float + priceAt] as number) as Ticks,
      quantity: compact(floats[float + quantityAt] as number) as Lots,
      quoteQuantity: null,
      filledQuantity: compact(floats[float + filledAt] as number) as Lots,
      filledQuote: toAmount(this.amounts[float + filledQuoteAt] as bigint),
      status,
      createdAt: floats[float + createdAt] as TimestampMs,
      updatedAt: floats[float + updatedAt] as TimestampMs,
    };
  }

  /** A live order with the status that its fills give it. */
  describeLive(slot: number): SpotOrder {
    return this.describe(slot, this.filledOf(slot) > 0 ? 'partially_filled' : 'new');
  }

  private takeSlot(): number {
    const slot = this.freeSlot;
    if (slot >= 0) {
      this.freeSlot = this.ints[slot * recordInts + nextAt] as number;
      return slot;
    }
    if ((this.top + 1) * recordFloats > this.floats.length) {
      const floats = new Float64Array(this.floats.length * 2);
      floats.set(this.floats);
      this.floats = floats;
      this.ints = new Int32Array(floats.buffer);
      this.amounts = new BigInt64Array(floats.buffer);
    }
    this.top += 1;
    return this.top - 1;
  }
}
