// What is known of the orders lies in records of equal length inside one buffer, so that an order
// is found in as few places of memory as can be: waiting for memory is most of an order's cost.
// The first 32 bytes are the book's; whoever owns the orders may keep what else it knows behind
// them. A record is addressed by its slot, which stays its own until it is released.

const capacityMin = 256;

/** The bytes that a book needs of each record, as floats. */
export const bookRecordFloats = 4;

// Ints of a record's first bytes; the floats stand behind them.
export const nextAt = 0;
export const previousAt = 1;
export const levelAt = 2;
/** Whose order it is; the owner's to write. */
export const accountAt = 3;
/** The lots that rest. */
export const leftAt = 2;
/** The order's number; the owner's to write. */
export const numberAt = 3;

export class OrderRecords {
  /** The length of a record. */
  readonly recordFloats: number;
  readonly recordInts: number;
  /** Three views of one buffer; others after `take`. */
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

  /** A record with whatever stood in it before. */
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

  /** Nobody needs the record any more; all but its first bytes stays as it is until `take`. */
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
