import type { LiveOrder } from '../orders/live-order.ts';

// Orders that wait for a price, sorted by it, so that the due ones are found without a look at
// the others. Those of one price fire in the order of their numbers.

class SortedOrders {
  /** By stop price, then by number. */
  private readonly items: LiveOrder[] = [];

  get count(): number {
    return this.items.length;
  }

  first(): LiveOrder | undefined {
    return this.items[0];
  }

  last(): LiveOrder | undefined {
    return this.items[this.items.length - 1];
  }

  add(order: LiveOrder): void {
    this.items.splice(this.placeOf(order), 0, order);
  }

  remove(order: LiveOrder): void {
    const at = this.placeOf(order);
    if (this.items[at] === order) this.items.splice(at, 1);
  }

  private placeOf(order: LiveOrder): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.items[middle] as LiveOrder, order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The waiting trigger orders of one market. */
export class Triggers {
  /** Fire at their price or above, or at it or below; by the price that they watch. */
  private readonly rising = { contract: new SortedOrders(), mark: new SortedOrders() };
  private readonly falling = { contract: new SortedOrders(), mark: new SortedOrders() };
  /** Trailing stops, by number. */
  readonly trailing = new Map<number, LiveOrder>();

  get count(): number {
    const sorted = [...Object.values(this.rising), ...Object.values(this.falling)];
    return sorted.reduce((sum, { count }) => sum + count, this.trailing.size);
  }

  add(order: LiveOrder): void {
    if (order.callback === null) this.sorted(order).add(order);
    else this.trailing.set(order.orderNumber, order);
  }

  remove(order: LiveOrder): void {
    if (order.callback === null) this.sorted(order).remove(order);
    else this.trailing.delete(order.orderNumber);
  }

  /** A waiting order that fires at the price, in ticks of `kind`; undefined where none does. */
  findDue(
    kind: 'contract' | 'mark',
    isReached: (order: LiveOrder) => boolean,
  ): LiveOrder | undefined {
    const rising = this.rising[kind].first();
    if (rising !== undefined && isReached(rising)) return rising;
    const falling = this.falling[kind].last();
    return falling !== undefined && isReached(falling) ? falling : undefined;
  }

  private sorted(order: LiveOrder): SortedOrders {
    return (firesRising(order) ? this.rising : this.falling)[order.triggerPriceKind];
  }
}

/** Stops follow the market, take-profits meet it. */
export function firesRising({ type, side }: Pick<LiveOrder, 'type' | 'side'>): boolean {
  const isStop = type === 'stop' || type === 'stop_market';
  return isStop === (side === 'buy');
}

function compare(a: LiveOrder, b: LiveOrder): number {
  const byPrice = (a.stopPrice ?? 0) - (b.stopPrice ?? 0);
  return byPrice === 0 ? a.orderNumber - b.orderNumber : byPrice;
}
