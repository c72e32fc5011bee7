import type { LiveOrder } from '../orders/live-order.ts';

// Orders that wait for a price, sorted by it, so that the due ones are found without a look at
// the others. Those of one price fire in the order of their numbers.

class SortedOrders {
  /** By stop price; the end from which they fire has the lowest number of each price. */
  private readonly items: LiveOrder[] = [];
  private readonly isRising: boolean;

  constructor(isRising: boolean) {
    this.isRising = isRising;
  }

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
      if (this.compare(this.items[middle] as LiveOrder, order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compare(first: LiveOrder, second: LiveOrder): number {
    const byPrice = (first.stopPrice ?? 0) - (second.stopPrice ?? 0);
    if (byPrice !== 0) return byPrice;
    const byNumber = first.orderNumber - second.orderNumber;
    return this.isRising ? byNumber : -byNumber;
  }
}

/** The waiting trigger orders of one market. */
export class Triggers {
  /** Fire at their price or above, or at it or below; by the price that they watch. */
  private readonly rising = bothKinds(true);
  private readonly falling = bothKinds(false);
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

function bothKinds(isRising: boolean): Record<'contract' | 'mark', SortedOrders> {
  return { contract: new SortedOrders(isRising), mark: new SortedOrders(isRising) };
}
