import { assert } from '../../../domain/assert.ts';
import {
  type FuturesOrderStatus,
  type FuturesOrderType,
  type FuturesTimeInForce,
  futuresOrderStatuses,
  futuresOrderTypes,
  futuresTimesInForce,
  type OrderOrigin,
  orderOrigins,
  type PriceMatch,
  priceMatches,
  type SelfTradeMode,
  selfTradeModes,
  type TriggerPriceKind,
  triggerPriceKinds,
} from '../../../domain/futures-order.ts';
import { type Side, sides } from '../../../domain/spot-order.ts';
import type { PlaceFuturesOrder } from '../../futures-commands.ts';
import type { OrderRecords } from '../../storage/order-records.ts';
import {
  algoFlag,
  closePositionFlag,
  fourBits,
  hasChildrenFlag,
  oneBit,
  originShift,
  priceMatchShift,
  priceProtectedFlag,
  recordInts,
  reduceOnlyFlag,
  restingFlag,
  selfTradeShift,
  statusShift,
  termsAt,
  threeBits,
  timeInForceShift,
  triggerKindShift,
  twoBits,
  typeShift,
} from './order-layout.ts';

/** The part of an order's record that is stored as bits. */
export class StoredTerms {
  readonly slot: number;
  protected readonly records: OrderRecords;

  constructor(records: OrderRecords, slot: number) {
    this.records = records;
    this.slot = slot;
  }

  /** Sets the terms of the command, for an order whose record has just been cleared. */
  readTerms(command: PlaceFuturesOrder): void {
    let terms = command.side === 'buy' ? 0 : oneBit;
    terms |= placeOf(futuresOrderTypes, command.orderType) << typeShift;
    terms |= placeOf(futuresTimesInForce, command.timeInForce) << timeInForceShift;
    terms |= placeOf(triggerPriceKinds, command.triggerPriceKind) << triggerKindShift;
    terms |= placeOf(selfTradeModes, command.selfTradeMode) << selfTradeShift;
    terms |= placeOf(priceMatches, command.priceMatch) << priceMatchShift;
    // Closing a position means reducing it by all that is there when the order triggers.
    if (command.isReduceOnly || command.isClosePosition) terms |= reduceOnlyFlag;
    if (command.isClosePosition) terms |= closePositionFlag;
    if (command.isPriceProtected) terms |= priceProtectedFlag;
    if (command.isAlgo) terms |= algoFlag;
    this.terms = terms;
  }

  get side(): Side {
    return sideIn(this.terms);
  }

  set side(side: Side) {
    this.setBits(0, oneBit, side === 'buy' ? 0 : 1);
  }

  get type(): FuturesOrderType {
    return typeIn(this.terms);
  }

  set type(type: FuturesOrderType) {
    this.setBits(typeShift, threeBits, placeOf(futuresOrderTypes, type));
  }

  get timeInForce(): FuturesTimeInForce {
    return timeInForceIn(this.terms);
  }

  set timeInForce(timeInForce: FuturesTimeInForce) {
    this.setBits(timeInForceShift, threeBits, placeOf(futuresTimesInForce, timeInForce));
  }

  get status(): FuturesOrderStatus {
    return statusIn(this.terms);
  }

  set status(status: FuturesOrderStatus) {
    this.setBits(statusShift, threeBits, placeOf(futuresOrderStatuses, status));
  }

  get triggerPriceKind(): TriggerPriceKind {
    return triggerPriceKindIn(this.terms);
  }

  set triggerPriceKind(kind: TriggerPriceKind) {
    this.setBits(triggerKindShift, oneBit, placeOf(triggerPriceKinds, kind));
  }

  get selfTradeMode(): SelfTradeMode {
    return selfTradeModeIn(this.terms);
  }

  set selfTradeMode(mode: SelfTradeMode) {
    this.setBits(selfTradeShift, twoBits, placeOf(selfTradeModes, mode));
  }

  get priceMatch(): PriceMatch {
    return priceMatchIn(this.terms);
  }

  set priceMatch(match: PriceMatch) {
    this.setBits(priceMatchShift, fourBits, placeOf(priceMatches, match));
  }

  get origin(): OrderOrigin {
    return originIn(this.terms);
  }

  set origin(origin: OrderOrigin) {
    this.setBits(originShift, twoBits, placeOf(orderOrigins, origin));
  }

  get isReduceOnly(): boolean {
    return this.flag(reduceOnlyFlag);
  }

  set isReduceOnly(isSet: boolean) {
    this.setFlag(reduceOnlyFlag, isSet);
  }

  get isClosePosition(): boolean {
    return this.flag(closePositionFlag);
  }

  set isClosePosition(isSet: boolean) {
    this.setFlag(closePositionFlag, isSet);
  }

  get isPriceProtected(): boolean {
    return this.flag(priceProtectedFlag);
  }

  set isPriceProtected(isSet: boolean) {
    this.setFlag(priceProtectedFlag, isSet);
  }

  get isAlgo(): boolean {
    return this.flag(algoFlag);
  }

  set isAlgo(isSet: boolean) {
    this.setFlag(algoFlag, isSet);
  }

  get isResting(): boolean {
    return this.flag(restingFlag);
  }

  set isResting(isSet: boolean) {
    this.setFlag(restingFlag, isSet);
  }

  get hasChildren(): boolean {
    return this.flag(hasChildrenFlag);
  }

  set hasChildren(isSet: boolean) {
    this.setFlag(hasChildrenFlag, isSet);
  }

  private get terms(): number {
    return this.records.ints[this.slot * recordInts + termsAt] as number;
  }

  private set terms(terms: number) {
    this.records.ints[this.slot * recordInts + termsAt] = terms;
  }

  private setBits(shift: number, mask: number, value: number): void {
    this.terms = (this.terms & ~(mask << shift)) | (value << shift);
  }

  protected flag(flag: number): boolean {
    return (this.terms & flag) !== 0;
  }

  protected setFlag(flag: number, isSet: boolean): void {
    this.terms = isSet ? this.terms | flag : this.terms & ~flag;
  }
}

/** Like `indexOf`, without its call: nearly every value is among the first. */
function placeOf<Value>(values: readonly Value[], value: Value): number {
  let place = 0;
  while (place < values.length && values[place] !== value) place += 1;
  assert(place < values.length, 'the terms of an order are among the defined ones');
  return place;
}

/** The side of an order, from the bits of its terms. */
export function sideIn(terms: number): Side {
  return sides[(terms & oneBit) as 0 | 1];
}

/** The order's type, from the same bits. */
export function typeIn(terms: number): FuturesOrderType {
  return futuresOrderTypes[(terms >> typeShift) & threeBits] as FuturesOrderType;
}

/** How long it stays, from the same bits. */
export function timeInForceIn(terms: number): FuturesTimeInForce {
  return futuresTimesInForce[(terms >> timeInForceShift) & threeBits] as FuturesTimeInForce;
}

/** Its status, from the same bits. */
export function statusIn(terms: number): FuturesOrderStatus {
  return futuresOrderStatuses[(terms >> statusShift) & threeBits] as FuturesOrderStatus;
}

/** The price that its trigger watches, from the same bits. */
export function triggerPriceKindIn(terms: number): TriggerPriceKind {
  return triggerPriceKinds[(terms >> triggerKindShift) & oneBit] as TriggerPriceKind;
}

/** What happens if it meets an order of its own account, from the same bits. */
export function selfTradeModeIn(terms: number): SelfTradeMode {
  return selfTradeModes[(terms >> selfTradeShift) & twoBits] as SelfTradeMode;
}

/** The price in the book that it takes for its own, from the same bits. */
export function priceMatchIn(terms: number): PriceMatch {
  return priceMatches[(terms >> priceMatchShift) & fourBits] as PriceMatch;
}

/** Who has placed it, from the same bits. */
export function originIn(terms: number): OrderOrigin {
  return orderOrigins[(terms >> originShift) & twoBits] as OrderOrigin;
}
