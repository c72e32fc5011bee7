import { assert } from '../../domain/assert.ts';

/**
 * Items that fall due, the first of them always at hand: a binary heap that records the place of
 * each item, so that adding and removing touch only one path. The order must be total, so that the
 * result does not depend on when items were added.
 */
export class DueQueue<Item> {
  private readonly items: Item[] = [];
  private readonly places = new Map<Item, number>();
  private readonly compare: (first: Item, second: Item) => number;

  constructor(compare: (first: Item, second: Item) => number) {
    this.compare = compare;
  }

  get count(): number {
    return this.items.length;
  }

  /** The item that falls due first. */
  first(): Item | undefined {
    return this.items[0];
  }

  /** Whether the item waits. */
  has(item: Item): boolean {
    return this.places.has(item);
  }

  /** All items, in no particular order. */
  list(): Item[] {
    return [...this.items];
  }

  /** The item must not wait already. */
  add(item: Item): void {
    assert(!this.places.has(item), 'an entry is queued once');
    this.put(item, this.items.length);
    this.rise(this.items.length - 1);
  }

  /** Does nothing if the item is not there. */
  remove(item: Item): void {
    const place = this.places.get(item);
    if (place === undefined) return;
    this.places.delete(item);
    const last = this.items.pop();
    if (last === undefined || last === item) return;
    this.put(last, place);
    this.rise(place);
    this.sink(place);
  }

  private rise(from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (!this.isBefore(place, above)) return;
      this.swap(place, above);
      place = above;
    }
  }

  private sink(from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.items.length) return;
      const right = left + 1;
      const below = right < this.items.length && this.isBefore(right, left) ? right : left;
      if (!this.isBefore(below, place)) return;
      this.swap(below, place);
      place = below;
    }
  }

  private isBefore(first: number, second: number): boolean {
    return this.compare(this.items[first] as Item, this.items[second] as Item) < 0;
  }

  private swap(first: number, second: number): void {
    const item = this.items[first] as Item;
    this.put(this.items[second] as Item, first);
    this.put(item, second);
  }

  private put(item: Item, place: number): void {
    this.items[place] = item;
    this.places.set(item, place);
  }
}
