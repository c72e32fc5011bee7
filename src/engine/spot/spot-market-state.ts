import { amountMax } from '../../domain/amount.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { type BookListener, OrderBook } from '../book/order-book.ts';
import { int64 } from '../storage/int64.ts';
import type { OrderRecords } from '../storage/order-records.ts';

/** Over this, a product of doubles may stand for an amount that no column holds. */
const surelyInRangeMax = 9.2e18;

/** Answered for an amount that passes the range of a column. */
export const beyondRange = -1n;

/** A market with its book, and its money constants in the form that arithmetic needs. */
export class SpotMarketState {
  terms: SpotMarket;
  readonly book: OrderBook;
  /** The number of the book's last level change. */
  lastUpdateId = 0;
  readonly makerFeeBps: bigint;
  readonly takerFeeBps: bigint;
  private readonly lotAmount: bigint;
  private readonly tickLotAmount: bigint;
  private readonly lotNumber: number;
  private readonly tickLotNumber: number;

  constructor(terms: SpotMarket, listener: BookListener, records: OrderRecords) {
    this.terms = terms;
    this.book = new OrderBook(listener, records);
    this.makerFeeBps = BigInt(terms.makerFeeBps);
    this.takerFeeBps = BigInt(terms.takerFeeBps);
    this.lotAmount = terms.lotAmount;
    this.tickLotAmount = terms.tickLotAmount;
    this.lotNumber = Number(terms.lotAmount);
    this.tickLotNumber = Number(terms.tickLotAmount);
  }

  /** The base money of a quantity that is known to be held. */
  baseAmount(quantity: number): bigint {
    return BigInt.asIntN(64, int64(quantity) * this.lotAmount);
  }

  /** The quote money of a quantity at a price, where it is known to be held. */
  quoteAmount(price: number, quantity: number): bigint {
    const tickLots = BigInt.asIntN(64, int64(price) * int64(quantity));
    return BigInt.asIntN(64, tickLots * this.tickLotAmount);
  }

  /** The base money of any quantity, or `beyondRange`. */
  baseAmountInRange(quantity: number): bigint {
    if (quantity * this.lotNumber < surelyInRangeMax) return this.baseAmount(quantity);
    return inRange(BigInt(quantity) * this.lotAmount);
  }

  /** The quote money of any quantity at any price, or `beyondRange`. */
  quoteAmountInRange(price: number, quantity: number): bigint {
    if (price * quantity * this.tickLotNumber < surelyInRangeMax) {
      return this.quoteAmount(price, quantity);
    }
    return inRange(BigInt(price) * BigInt(quantity) * this.tickLotAmount);
  }
}

function inRange(amount: bigint): bigint {
  return amount > amountMax ? beyondRange : BigInt.asIntN(64, amount);
}
