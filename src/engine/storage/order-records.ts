// Order data are kept in records of equal length inside one buffer, so that an order is found with
// as few memory accesses as possible: waiting for memory is most of an order's cost. The first 32
// bytes belong to the book; the owner of the orders can keep its own data after them. A record is
// addressed by its slot, which does not change until it is released.

const capacityMin = 256;

/** The part of each record that a book needs, in floats. */
export const bookRecordFloats = 4;

// Ints of a record's first bytes; the floats come after them.
export const nextAt = 0;
export const previousAt = 1;
export const levelAt = 2;
/** The account of the order; written by the owner. */
export const accountAt = 3;
/** The lots that rest. */
export const leftAt = 2;
/** The order's number; written by the owner. */
export const numberAt = 3;

/** Records of equal length in one growing buffer, taken and released by slot. */
export class OrderRecords {
  /** The length of a record. */
  readonly recordFloats: number;
  readonly recordInts: number;
  /** Three views of one buffer; `take` can replace them. */
  floats: Float64Array<ArrayBuffer>;
  ints: Int32Array<ArrayBuffer>;
  amounts: BigInt64Array<ArrayBuffer>;
  private top = 0;
  private freeSlot = -1;

  constructor(recordFloats = bookRecordFloats) {
    this.recordFloats = recordFloats;
    this.recordInts = recordFloats * 2;
    this.floats = new Float64Array(capacityMin * recordFloats);
    this.ints = new Int32Array(this.floats.buffer);
    this.amounts = new BigInt64Array(this.floats.buffer);
  }

  /** Takes a record, which still has the contents of its last use. @returns its slot. */
  take(): number {
    const slot = this.freeSlot;
    if (slot >= 0) {
      this.freeSlot = this.ints[slot * this.recordInts + nextAt] as number;
      return slot;
    }
    if ((this.top + 1) * this.recordFloats > this.floats.length) this.grow();
    this.top += 1;
    return this.top - 1;
  }

  /** Releases the record; all but its first bytes stay as they are until `take`. */
  release(slot: number): void {
    this.ints[slot * this.recordInts + nextAt] = this.freeSlot;
    this.freeSlot = slot;
  }

  private grow(): void {
    const floats = new Float64Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    this.ints = new Int32Array(floats.buffer);
    this.amounts = new BigInt64Array(floats.buffer);
  }
}
