import { PriceWindow } from './price-window.ts';
import { SortedLevels } from './sorted-levels.ts';

// Nearly all activity is near the best prices. The window finds those levels by position; all
// others are kept in a sorted list. When activity has been outside the window for a while, the
// window moves there, but only after as many steps outside it as there are levels to move. This
// keeps the cost of moves bounded when prices jump back and forth.

const straysMin = 64;
const recordFloats = 4;
const recordInts = 8;

/** The smallest window; spans are multiples of it. */
export const windowSpanMin = 1_024;

/**
 * The occupied prices of a book, both sides in one order, and the records of the levels. A level is
 * addressed by its slot, which does not change until the level is removed.
 */
export class PriceLevels {
  // A record has 32 bytes: head and tail order slots, then total lots and price.
  private ints: Int32Array;
  private floats: Float64Array;
  private top = 0;
  private freeSlot = -1;
  private readonly window: PriceWindow;
  private readonly outside = new SortedLevels();
  private base = 0;
  private strays = 0;

  constructor(windowSpan: number) {
    this.window = new PriceWindow(windowSpan);
    this.floats = new Float64Array(recordFloats * 256);
    this.ints = new Int32Array(this.floats.buffer);
  }

  get windowSpan(): number {
    return this.window.span;
  }

  get count(): number {
    return this.window.count + this.outside.count;
  }

  /** The slot of the order that trades first; -1 if there is none. */
  head(slot: number): number {
    return this.ints[slot * recordInts] as number;
  }

  /** Sets the order that trades first. */
  setHead(slot: number, order: number): void {
    this.ints[slot * recordInts] = order;
  }

  /** The slot of the order that trades last; -1 if there is none. */
  tail(slot: number): number {
    return this.ints[slot * recordInts + 1] as number;
  }

  /** Sets the order that trades last. */
  setTail(slot: number, order: number): void {
    this.ints[slot * recordInts + 1] = order;
  }

  /** The lots that rest at the level. */
  total(slot: number): number {
    return this.floats[slot * recordFloats + 1] as number;
  }

  /** Sets the lots that rest at the level. */
  setTotal(slot: number, lots: number): void {
    this.floats[slot * recordFloats + 1] = lots;
  }

  /** The level’s price in ticks. */
  price(slot: number): number {
    return this.floats[slot * recordFloats + 2] as number;
  }

  /** The level at the price, or -1. */
  find(price: number): number {
    const position = price - this.base;
    if (position >= 0 && position < this.window.span) return this.window.get(position);
    return this.outside.find(price);
  }

  /** Adds a level without orders at an unoccupied price. @returns its slot. */
  add(price: number): number {
    const slot = this.takeSlot();
    const int = slot * recordInts;
    this.ints[int] = -1;
    this.ints[int + 1] = -1;
    this.floats[slot * recordFloats + 1] = 0;
    this.floats[slot * recordFloats + 2] = price;
    if (this.count === 0) this.base = this.baseAround(price);
    this.enter(price, slot);
    return slot;
  }

  /** Frees the slot; the level must have no orders. */
  remove(slot: number): void {
    const price = this.price(slot);
    const position = price - this.base;
    if (position >= 0 && position < this.window.span) {
      this.window.clear(position);
    } else {
      this.outside.remove(price);
      this.strays += 1;
    }
    this.ints[slot * recordInts] = this.freeSlot;
    this.freeSlot = slot;
  }

  /** The level at the highest occupied price below the given one, or -1. */
  lower(price: number): number {
    const { base } = this;
    const end = base + this.window.span;
    if (price > end) {
      const above = this.outside.lower(price);
      if (above >= 0 && this.price(above) >= end) return above;
    }
    if (price > base) {
      const position = this.window.lower(price > end ? this.window.span : price - base);
      if (position >= 0) return this.window.get(position);
    }
    return this.outside.count === 0 ? -1 : this.outside.lower(price > base ? base : price);
  }

  /** The level at the lowest occupied price above the given one, or -1. */
  higher(price: number): number {
    const { base } = this;
    const last = base + this.window.span - 1;
    if (price < base) {
      const below = this.outside.higher(price);
      if (below >= 0 && this.price(below) < base) return below;
    }
    if (price < last) {
      const position = this.window.higher(price < base ? -1 : price - base);
      if (position >= 0) return this.window.get(position);
    }
    return this.outside.count === 0 ? -1 : this.outside.higher(price < last ? last : price);
  }

  /** Whether enough has happened outside the window that it should move. */
  get isStraying(): boolean {
    return this.strays > straysMin + this.window.count;
  }

  /** Moves the window so that the price is in its middle. */
  moveWindow(price: number): void {
    this.strays = 0;
    const base = this.baseAround(price);
    const { span } = this.window;
    if (Math.abs(base - this.base) < span / 4) return;
    const moved: number[] = [];
    for (let at = this.window.higher(-1); at >= 0; at = this.window.higher(at)) {
      moved.push(this.window.get(at));
      this.window.clear(at);
    }
    for (let slot = this.outside.higher(base - 1); slot >= 0; ) {
      const found = this.price(slot);
      if (found >= base + span) break;
      moved.push(slot);
      this.outside.remove(found);
      slot = this.outside.higher(found);
    }
    this.base = base;
    for (const slot of moved) this.enter(this.price(slot), slot);
    this.strays = 0;
  }

  private enter(price: number, slot: number): void {
    const position = price - this.base;
    if (position >= 0 && position < this.window.span) {
      this.window.set(position, slot);
    } else {
      this.outside.insert(price, slot);
      this.strays += 1;
    }
  }

  private baseAround(price: number): number {
    const { span } = this.window;
    const base = price - span / 2;
    return Math.max(0, Math.min(base, Number.MAX_SAFE_INTEGER - span));
  }

  private takeSlot(): number {
    const slot = this.freeSlot;
    if (slot >= 0) {
      this.freeSlot = this.ints[slot * recordInts] as number;
      return slot;
    }
    if ((this.top + 1) * recordFloats > this.floats.length) {
      const floats = new Float64Array(this.floats.length * 2);
      floats.set(this.floats);
      this.floats = floats;
      this.ints = new Int32Array(floats.buffer);
    }
    this.top += 1;
    return this.top - 1;
  }
}
