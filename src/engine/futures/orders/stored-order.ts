import { type Amount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { CallbackBps, FuturesOrder } from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { compact } from '../../storage/compact.ts';
import { accountAt, numberAt, type OrderRecords } from '../../storage/order-records.ts';
import {
  activationPriceAt,
  algoFlag,
  callbackAt,
  closePositionFlag,
  coveredAt,
  createdAt,
  extraFloats,
  filledAt,
  filledQuoteAt,
  goodTillAt,
  hasClientIdFlag,
  hasExtrasFlag,
  marketAt,
  parentAt,
  positionNumberAt,
  priceAt,
  priceProtectedFlag,
  quantityAt,
  recordFloats,
  recordInts,
  reduceOnlyFlag,
  stopPriceAt,
  termsAt,
  triggeredAt,
  updatedAt,
} from './order-layout.ts';
import type { OrderState } from './order-state.ts';
import {
  originIn,
  priceMatchIn,
  StoredTerms,
  selfTradeModeIn,
  sideIn,
  statusIn,
  timeInForceIn,
  triggerPriceKindIn,
  typeIn,
} from './stored-terms.ts';

/** The records of all orders, and what only some orders have. */
interface OrderStore {
  readonly records: OrderRecords;
  /** Fields that only orders with triggers, parents or expiry times have, by slot. */
  readonly extras: Float64Array;
  /** By slot. */
  readonly clientOrderIds: (string | null)[];
  clientOrderIdOf(slot: number): string | null;
  /** Makes room for the slot's extra fields, and clears them. */
  openExtras(slot: number): void;
}

/** An order read from its record; one object per record, reused for each order stored there. */
export class StoredOrder extends StoredTerms implements OrderState {
  private readonly stored: OrderStore;

  constructor(stored: OrderStore, slot: number) {
    super(stored.records, slot);
    this.stored = stored;
  }

  startAt(now: number): void {
    this.setFloat(createdAt, now);
    this.setFloat(updatedAt, now);
  }

  copyExtras(order: StoredOrder): void {
    if (!order.flag(hasExtrasFlag)) return;
    const { stored } = this;
    stored.openExtras(this.slot);
    const from = order.slot * extraFloats;
    stored.extras.copyWithin(this.slot * extraFloats, from, from + extraFloats);
  }

  get orderNumber(): OrderNumber {
    return this.float(numberAt) as OrderNumber;
  }

  get accountId(): AccountId {
    return this.records.ints[this.slot * recordInts + accountAt] as AccountId;
  }

  get marketId(): FuturesMarketId {
    return this.records.ints[this.slot * recordInts + marketAt] as FuturesMarketId;
  }

  get clientOrderId(): string | null {
    return this.flag(hasClientIdFlag) ? this.stored.clientOrderIdOf(this.slot) : null;
  }

  set clientOrderId(id: string | null) {
    this.setFlag(hasClientIdFlag, id !== null);
    if (id !== null) this.stored.clientOrderIds[this.slot] = id;
  }

  get price(): Ticks | null {
    return orNull(this.float(priceAt)) as Ticks | null;
  }

  set price(price: Ticks | null) {
    this.setFloat(priceAt, price ?? Number.NaN);
  }

  get quantity(): Lots {
    return this.float(quantityAt) as Lots;
  }

  set quantity(lots: Lots) {
    this.setFloat(quantityAt, lots);
  }

  get filledQuantity(): Lots {
    return this.float(filledAt) as Lots;
  }

  set filledQuantity(lots: Lots) {
    this.setFloat(filledAt, lots);
  }

  get filledQuote(): Amount {
    return toAmount(this.records.amounts[this.slot * recordFloats + filledQuoteAt] as bigint);
  }

  set filledQuote(amount: Amount) {
    this.records.amounts[this.slot * recordFloats + filledQuoteAt] = amount;
  }

  get createdAt(): TimestampMs {
    return this.float(createdAt) as TimestampMs;
  }

  set createdAt(moment: TimestampMs) {
    this.setFloat(createdAt, moment);
  }

  get updatedAt(): TimestampMs {
    return this.float(updatedAt) as TimestampMs;
  }

  set updatedAt(moment: TimestampMs) {
    this.setFloat(updatedAt, moment);
  }

  get stopPrice(): Ticks | null {
    return this.extra(stopPriceAt) as Ticks | null;
  }

  set stopPrice(price: Ticks | null) {
    this.setExtra(stopPriceAt, price);
  }

  get activationPrice(): Ticks | null {
    return this.extra(activationPriceAt) as Ticks | null;
  }

  set activationPrice(price: Ticks | null) {
    this.setExtra(activationPriceAt, price);
  }

  get callback(): CallbackBps | null {
    return this.extra(callbackAt) as CallbackBps | null;
  }

  set callback(callback: CallbackBps | null) {
    this.setExtra(callbackAt, callback);
  }

  get goodTill(): TimestampMs | null {
    return this.extra(goodTillAt) as TimestampMs | null;
  }

  set goodTill(moment: TimestampMs | null) {
    this.setExtra(goodTillAt, moment);
  }

  get parentOrderNumber(): OrderNumber | null {
    return this.extra(parentAt) as OrderNumber | null;
  }

  set parentOrderNumber(orderNumber: OrderNumber | null) {
    this.setExtra(parentAt, orderNumber);
  }

  get positionNumber(): number | null {
    return this.extra(positionNumberAt);
  }

  set positionNumber(number: number | null) {
    this.setExtra(positionNumberAt, number);
  }

  get coveredQuantity(): Lots {
    return (this.extra(coveredAt) ?? 0) as Lots;
  }

  set coveredQuantity(lots: Lots) {
    this.setExtra(coveredAt, lots === 0 ? null : lots);
  }

  get triggeredAt(): TimestampMs | null {
    return this.extra(triggeredAt) as TimestampMs | null;
  }

  set triggeredAt(moment: TimestampMs | null) {
    this.setExtra(triggeredAt, moment);
  }

  /** A copy for events and views. */
  describe(): FuturesOrder {
    const { floats, ints, amounts } = this.records;
    const float = this.slot * recordFloats;
    const int = this.slot * recordInts;
    const terms = ints[int + termsAt] as number;
    const price = floats[float + priceAt] as number;
    const filled = floats[float + filledAt] as number;
    const hasExtras = (terms & hasExtrasFlag) !== 0;
    return {
      orderNumber: compact(floats[float + numberAt] as number) as OrderNumber,
      accountId: ints[int + accountAt] as AccountId,
      marketId: ints[int + marketAt] as FuturesMarketId,
      clientOrderId: (terms & hasClientIdFlag) === 0 ? null : this.clientOrderId,
      side: sideIn(terms),
      type: typeIn(terms),
      timeInForce: timeInForceIn(terms),
      price: Number.isNaN(price) ? null : (compact(price) as Ticks),
      priceMatch: priceMatchIn(terms),
      quantity: compact(floats[float + quantityAt] as number) as Lots,
      filledQuantity: compact(filled) as Lots,
      filledQuote: filled === 0 ? zeroAmount : toAmount(amounts[float + filledQuoteAt] as bigint),
      status: statusIn(terms),
      stopPrice: hasExtras ? this.stopPrice : null,
      triggerPriceKind: triggerPriceKindIn(terms),
      activationPrice: hasExtras ? this.activationPrice : null,
      callback: hasExtras ? this.callback : null,
      isReduceOnly: (terms & reduceOnlyFlag) !== 0,
      isClosePosition: (terms & closePositionFlag) !== 0,
      isPriceProtected: (terms & priceProtectedFlag) !== 0,
      selfTradeMode: selfTradeModeIn(terms),
      goodTill: hasExtras ? this.goodTill : null,
      parentOrderNumber: hasExtras ? this.parentOrderNumber : null,
      isAlgo: (terms & algoFlag) !== 0,
      origin: originIn(terms),
      triggeredAt: hasExtras ? this.triggeredAt : null,
      createdAt: floats[float + createdAt] as TimestampMs,
      updatedAt: floats[float + updatedAt] as TimestampMs,
    };
  }

  private float(at: number): number {
    return this.records.floats[this.slot * recordFloats + at] as number;
  }

  private setFloat(at: number, value: number): void {
    this.records.floats[this.slot * recordFloats + at] = value;
  }

  private extra(at: number): number | null {
    if (!this.flag(hasExtrasFlag)) return null;
    return orNull(this.stored.extras[this.slot * extraFloats + at] as number);
  }

  private setExtra(at: number, value: number | null): void {
    if (!this.flag(hasExtrasFlag)) {
      if (value === null) return;
      this.stored.openExtras(this.slot);
      this.setFlag(hasExtrasFlag, true);
    }
    this.stored.extras[this.slot * extraFloats + at] = value ?? Number.NaN;
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : compact(value);
}
