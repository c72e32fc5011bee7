import { amountMax } from '../../domain/amount.ts';
import { rateFromBps } from '../../domain/fee.ts';
import type { Rate } from '../../domain/futures-market.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { type LevelListener, OrderBook, type TradeListener } from '../book/order-book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { int64, smallMax } from '../storage/int64.ts';
import type { OrderRecords } from '../storage/order-records.ts';

/** Returned for an amount that exceeds the range of a column; every other amount is above it. */
export const beyondRange = -1n;

// Most amounts are far below 2^53, and below it a product of whole numbers is exact as a double. If
// the result is below it, so is every intermediate product, since each factor is at least 1.

/** A market with its book, and its money constants in the form that arithmetic needs. */
export class SpotMarketState {
  terms: SpotMarket;
  readonly book: OrderBook;
  /** The number of the book's last level change. */
  lastUpdateId = 0;
  /** The id of its newest trade; 0 before the first. */
  lastTradeId = 0;
  readonly makerFeeRate: Rate;
  readonly takerFeeRate: Rate;
  /** The cells for the fees of buyers and of sellers. */
  readonly baseFeeCell: number;
  readonly quoteFeeCell: number;
  private readonly lotAmount: bigint;
  private readonly tickLotAmount: bigint;
  private readonly lotNumber: number;
  private readonly tickLotNumber: number;

  constructor(
    terms: SpotMarket,
    listener: TradeListener & LevelListener,
    records: OrderRecords,
    ledger: Ledger,
  ) {
    this.terms = terms;
    this.book = new OrderBook(listener, listener, records);
    this.makerFeeRate = rateFromBps(terms.makerFeeBps);
    this.takerFeeRate = rateFromBps(terms.takerFeeBps);
    this.baseFeeCell = ledger.feeRevenue(terms.baseTokenId);
    this.quoteFeeCell = ledger.feeRevenue(terms.quoteTokenId);
    this.lotAmount = terms.lotAmount;
    this.tickLotAmount = terms.tickLotAmount;
    this.lotNumber = Number(terms.lotAmount);
    this.tickLotNumber = Number(terms.tickLotAmount);
  }

  /** The base amount of any quantity, or `beyondRange`. */
  baseAmount(quantity: number): bigint {
    const product = quantity * this.lotNumber;
    if (product < smallMax) return int64(product);
    return BigInt.asIntN(64, inRange(BigInt(quantity) * this.lotAmount));
  }

  /** The quote amount of any quantity at any price, or `beyondRange`. */
  quoteAmount(price: number, quantity: number): bigint {
    const product = price * quantity * this.tickLotNumber;
    if (product < smallMax) return int64(product);
    return BigInt.asIntN(64, inRange(BigInt(price) * BigInt(quantity) * this.tickLotAmount));
  }
}

function inRange(amount: bigint): bigint {
  return amount > amountMax ? beyondRange : amount;
}
