import { futuresOrderTypes, futuresTimesInForce } from '../../../domain/futures-order.ts';
import { bookRecordFloats, type OrderRecords } from '../../storage/order-records.ts';

// A record has 128 bytes. Absent numbers are NaN.
export const recordFloats = 16;
export const recordInts = 32;

// Ints after the book's part, then floats; the filled quote amount is a 64-bit integer.
export const marketAt = bookRecordFloats * 2;
export const termsAt = 9;
export const clientHashAt = 10;
export const priceAt = 6;
export const quantityAt = 7;
export const filledAt = 8;
export const filledQuoteAt = 9;
export const createdAt = 10;
export const updatedAt = 11;

/** Floats that only some orders have. */
export const extraFloats = 8;
export const stopPriceAt = 0;
export const activationPriceAt = 1;
export const callbackAt = 2;
export const goodTillAt = 3;
export const parentAt = 4;
export const triggeredAt = 5;
export const positionNumberAt = 6;
export const coveredAt = 7;

// Bits of the terms.
export const typeShift = 1;
export const timeInForceShift = 4;
export const statusShift = 7;
export const triggerKindShift = 10;
export const selfTradeShift = 11;
export const priceMatchShift = 13;
export const originShift = 17;
export const oneBit = 1;
export const twoBits = 3;
export const threeBits = 7;
export const fourBits = 15;
export const reduceOnlyFlag = 1 << 19;
export const closePositionFlag = 1 << 20;
export const priceProtectedFlag = 1 << 21;
export const algoFlag = 1 << 22;
export const restingFlag = 1 << 23;
export const hasChildrenFlag = 1 << 24;
export const hasExtrasFlag = 1 << 25;
export const hasClientIdFlag = 1 << 26;
/** The order is live. */
export const isLiveFlag = 1 << 27;
/** The record holds no order. */
export const isFreeFlag = 1 << 28;

const blankTerms =
  (futuresOrderTypes.indexOf('market') << typeShift) |
  (futuresTimesInForce.indexOf('ioc') << timeInForceShift);

/** Sets the owner's part to defaults, except for number, account, market and times. */
export function clearRecord({ floats, ints, amounts }: OrderRecords, slot: number): void {
  const float = slot * recordFloats;
  ints[slot * recordInts + termsAt] = blankTerms;
  floats[float + priceAt] = Number.NaN;
  floats[float + quantityAt] = 0;
  floats[float + filledAt] = 0;
  amounts[float + filledQuoteAt] = 0n;
}
