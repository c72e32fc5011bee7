import { sortFew } from './sort-few.ts';

interface Touchable {
  isTouched: boolean;
}

const none: readonly never[] = [];

/** The items that the running command has changed; each records whether it is among them. */
export class TouchedItems<Item extends Touchable> {
  private readonly items: Item[] = [];
  private readonly compare: (one: Item, other: Item) => number;

  constructor(compare: (one: Item, other: Item) => number) {
    this.compare = compare;
  }

  /** Adds the item unless it is there already. */
  add(item: Item): void {
    if (item.isTouched) return;
    item.isTouched = true;
    this.items.push(item);
  }

  /** All items so far, sorted; items added later are not included. */
  sort(): readonly Item[] {
    return this.items.length === 0 ? none : sortFew([...this.items], this.compare);
  }

  /** Forgets all items, which can then be added again. */
  clear(): void {
    const { items } = this;
    for (let item = items.pop(); item !== undefined; item = items.pop()) item.isTouched = false;
  }
}
