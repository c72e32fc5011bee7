import type { BookSide } from '../../book/order-book.ts';
import { grownFloats, grownInts } from '../../storage/int64.ts';

/** With more levels than this, places are looked up in a map instead of by a linear search. */
const soughtMax = 16;

/** The levels of one book that a command has changed, in the order of their first change. */
export class TouchedLevels {
  count = 0;
  private sides = new Int32Array(soughtMax);
  private prices = new Float64Array(soughtMax);
  private quantities = new Float64Array(soughtMax);
  /** By side and price; empty while there are few levels. */
  private readonly places = [new Map<number, number>(), new Map<number, number>()] as const;

  /** Records the lots that now rest at the level. */
  set(side: BookSide, price: number, quantity: number): void {
    const place = this.find(side, price);
    if (place >= 0) this.quantities[place] = quantity;
    else this.append(side, price, quantity);
  }

  /** The side of the level at a place, counted from 0 in the order of first change. */
  sideAt(place: number): BookSide {
    return this.sides[place] as BookSide;
  }

  /** The price in ticks of the level at a place. */
  priceAt(place: number): number {
    return this.prices[place] as number;
  }

  /** The lots that rest at the level; 0 if none do any more. */
  quantityAt(place: number): number {
    return this.quantities[place] as number;
  }

  /** Forgets all levels. */
  clear(): void {
    if (this.count > soughtMax) for (const places of this.places) places.clear();
    this.count = 0;
  }

  private find(side: BookSide, price: number): number {
    if (this.count > soughtMax) return this.places[side].get(price) ?? -1;
    let place = this.count - 1;
    while (place >= 0 && !(this.prices[place] === price && this.sides[place] === side)) place -= 1;
    return place;
  }

  private append(side: BookSide, price: number, quantity: number): void {
    const place = this.count;
    if (place === this.prices.length) {
      this.sides = grownInts(this.sides, place + 1);
      this.prices = grownFloats(this.prices, place + 1);
      this.quantities = grownFloats(this.quantities, place + 1);
    }
    this.sides[place] = side;
    this.prices[place] = price;
    this.quantities[place] = quantity;
    this.count = place + 1;
    if (this.count <= soughtMax) return;
    // The first level beyond the limit also adds the places of all before it.
    const from = this.count === soughtMax + 1 ? 0 : place;
    for (let at = from; at <= place; at += 1)
      this.places[this.sideAt(at)].set(this.priceAt(at), at);
  }
}
