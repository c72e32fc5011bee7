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
import { OrderIndex } from '../storage/order-index.ts';
import { accountAt, bookRecordFloats, numberAt, OrderRecords } from '../storage/order-records.ts';
import { AccountOrders } from './account-orders.ts';

// The ledger data of each live order is kept in the same record as its book data. A record is
// opened for every arriving order and kept only if the order rests.

// A record has 128 bytes, so that it never spans more cache lines than necessary. The first 48
// bytes are nearly all that matching and canceling need if no event is made.
const recordFloats = 16;
const recordInts = 32;

// Ints after the book's part.
const marketAt = bookRecordFloats * 2;
const termsAt = 9;
const baseCellAt = 10;
const quoteCellAt = 11;
// Floats; the filled quote amount is a 64-bit integer; then an int.
const priceAt = 6;
const quantityAt = 7;
const filledAt = 8;
const filledQuoteAt = 9;
const createdAt = 10;
const updatedAt = 11;
const clientHashAt = 24;

// Bits of the terms.
const sideMask = 1;
const timeInForceShift = 1;
const timeInForceMask = 3;
const hasClientIdFlag = 8;

/** An arriving order as passed to book and ledger; neither keeps the object. */
export interface ArrivingOrder extends BookOrder {
  orderNumber: number;
  marketId: number;
  /** Position in `spotTimesInForce`. */
  timeInForce: number;
  createdAt: number;
  /** The cells of the account's balances in the market's tokens; -1 if it has none. */
  baseCell: number;
  quoteCell: number;
  clientOrderId: string | null;
  /** See `ClientOrderIds`; 0 without an id. */
  clientHash: number;
}

/**
 * The open spot orders of all markets, by slot, number, and account. Prices are in ticks,
 * quantities in lots, money in 10^-8, times in milliseconds since 1970; a cell is a number of the
 * ledger's.
 */
export class OpenOrders {
  /** The books keep their part of the data in these. */
  readonly records = new OrderRecords(recordFloats);
  private readonly index = new OrderIndex();
  private readonly byAccount = new AccountOrders();
  /** By slot. */
  private readonly clientOrderIds: (string | null)[] = [];
  count = 0;

  /** Opens a record for an arriving order; `keep` or `release` must follow. */
  open(order: ArrivingOrder): number {
    const { records } = this;
    const slot = records.take();
    const { floats, ints } = records;
    const float = slot * recordFloats;
    floats[float + numberAt] = order.orderNumber;
    floats[float + priceAt] = order.price;
    floats[float + quantityAt] = order.quantity;
    floats[float + filledAt] = 0;
    floats[float + createdAt] = order.createdAt;
    floats[float + updatedAt] = order.createdAt;
    records.amounts[float + filledQuoteAt] = 0n;
    const int = slot * recordInts;
    ints[int + accountAt] = order.account;
    ints[int + marketAt] = order.marketId;
    ints[int + baseCellAt] = order.baseCell;
    ints[int + quoteCellAt] = order.quoteCell;
    const { clientOrderId } = order;
    const idFlag = clientOrderId === null ? 0 : hasClientIdFlag;
    ints[int + termsAt] = order.side | (order.timeInForce << timeInForceShift) | idFlag;
    if (slot === this.clientOrderIds.length) this.clientOrderIds.push(clientOrderId);
    else if (clientOrderId !== null) this.clientOrderIds[slot] = clientOrderId;
    return slot;
  }

  /**
   * Keeps a resting order: it can be found, and is the last of its account's orders in its market.
   */
  keep(slot: number): void {
    this.byAccount.append(this.accountOf(slot), this.marketOf(slot), slot);
    this.index.set(this.numberOf(slot), slot);
    this.count += 1;
  }

  /** Removes a finished order from all lookups; its record may be reused after this command. */
  drop(slot: number): void {
    this.byAccount.remove(this.accountOf(slot), this.marketOf(slot), slot);
    this.index.take(this.numberOf(slot));
    this.count -= 1;
    this.release(slot);
  }

  /** Releases a record that was opened and not kept. */
  release(slot: number): void {
    if (this.hasClientOrderId(slot)) this.clientOrderIds[slot] = null;
    this.records.release(slot);
  }

  /** The record of a live order, or -1; accepts any number. */
  find(orderNumber: number): number {
    const slot = this.index.find(orderNumber);
    return slot >= 0 && this.numberOf(slot) === orderNumber ? slot : -1;
  }

  /** The number of live orders that the account has in the market. */
  countOf(accountId: number, marketId: number): number {
    return this.byAccount.count(accountId, marketId);
  }

  /** One more than the highest market number that can have orders. */
  get marketCount(): number {
    return this.byAccount.marketCount;
  }

  /** The account's first order in the market, or -1; `nextOf` continues from there. */
  firstOf(accountId: number, marketId: number): number {
    return this.byAccount.first(accountId, marketId);
  }

  nextOf(slot: number): number {
    return this.byAccount.next(slot);
  }

  numberOf(slot: number): number {
    return this.records.floats[slot * recordFloats + numberAt] as number;
  }

  priceOf(slot: number): number {
    return this.records.floats[slot * recordFloats + priceAt] as number;
  }

  quantityOf(slot: number): number {
    return this.records.floats[slot * recordFloats + quantityAt] as number;
  }

  filledOf(slot: number): number {
    return this.records.floats[slot * recordFloats + filledAt] as number;
  }

  filledQuoteOf(slot: number): bigint {
    return this.records.amounts[slot * recordFloats + filledQuoteAt] as bigint;
  }

  createdAtOf(slot: number): number {
    return this.records.floats[slot * recordFloats + createdAt] as number;
  }

  updatedAtOf(slot: number): number {
    return this.records.floats[slot * recordFloats + updatedAt] as number;
  }

  accountOf(slot: number): number {
    return this.records.ints[slot * recordInts + accountAt] as number;
  }

  marketOf(slot: number): number {
    return this.records.ints[slot * recordInts + marketAt] as number;
  }

  sideOf(slot: number): 0 | 1 {
    return (this.termsOf(slot) & sideMask) as 0 | 1;
  }

  timeInForceOf(slot: number): 0 | 1 | 2 | 3 {
    return ((this.termsOf(slot) >> timeInForceShift) & timeInForceMask) as 0 | 1 | 2 | 3;
  }

  baseCellOf(slot: number): number {
    return this.records.ints[slot * recordInts + baseCellAt] as number;
  }

  quoteCellOf(slot: number): number {
    return this.records.ints[slot * recordInts + quoteCellAt] as number;
  }

  hasClientOrderId(slot: number): boolean {
    return (this.termsOf(slot) & hasClientIdFlag) !== 0;
  }

  clientOrderIdOf(slot: number): string | null {
    return this.hasClientOrderId(slot) ? (this.clientOrderIds[slot] as string) : null;
  }

  clientHashOf(slot: number): number {
    return this.records.ints[slot * recordInts + clientHashAt] as number;
  }

  setClientHash(slot: number, hash: number): void {
    this.records.ints[slot * recordInts + clientHashAt] = hash;
  }

  setUpdatedAt(slot: number, timestamp: number): void {
    this.records.floats[slot * recordFloats + updatedAt] = timestamp;
  }

  /** Adds a trade to the order's filled quantity and quote amount. */
  fill(slot: number, quantity: number, quote: bigint, timestamp: number): void {
    const { floats, amounts } = this.records;
    const float = slot * recordFloats;
    (floats[float + filledAt] as number) += quantity;
    floats[float + updatedAt] = timestamp;
    const filled = amounts[float + filledQuoteAt] as bigint;
    amounts[float + filledQuoteAt] = BigInt.asIntN(64, filled + quote);
  }

  /** The limit order as events and views represent it. */
  describe(slot: number, status: SpotOrderStatus): SpotOrder {
    const { floats, ints, amounts } = this.records;
    const float = slot * recordFloats;
    const int = slot * recordInts;
    return {
      orderNumber: compact(floats[float + numberAt] as number) as OrderNumber,
      accountId: ints[int + accountAt] as AccountId,
      marketId: ints[int + marketAt] as MarketId,
      clientOrderId: this.clientOrderIdOf(slot),
      side: sides[this.sideOf(slot)],
      type: 'limit',
      timeInForce: spotTimesInForce[this.timeInForceOf(slot)],
      price: compact(floats[float + priceAt] as number) as Ticks,
      quantity: compact(floats[float + quantityAt] as number) as Lots,
      quoteQuantity: null,
      filledQuantity: compact(floats[float + filledAt] as number) as Lots,
      filledQuote: toAmount(amounts[float + filledQuoteAt] as bigint),
      status,
      createdAt: floats[float + createdAt] as TimestampMs,
      updatedAt: floats[float + updatedAt] as TimestampMs,
    };
  }

  /** A live order, with the status that follows from its fills. */
  describeLive(slot: number): SpotOrder {
    return this.describe(slot, this.filledOf(slot) > 0 ? 'partially_filled' : 'new');
  }

  private termsOf(slot: number): number {
    return this.records.ints[slot * recordInts + termsAt] as number;
  }
}
