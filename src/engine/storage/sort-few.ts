const fewMax = 8;

/** Sorts in place; for a few items it avoids the memory that a full sort allocates. */
export function sortFew<Item>(items: Item[], compare: (one: Item, other: Item) => number): Item[] {
  if (items.length > fewMax) return items.sort(compare);
  for (let index = 1; index < items.length; index += 1) {
    const item = items[index] as Item;
    let at = index;
    while (at > 0 && compare(items[at - 1] as Item, item) > 0) {
      items[at] = items[at - 1] as Item;
      at -= 1;
    }
    items[at] = item;
  }
  return items;
}
