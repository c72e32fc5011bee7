import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import { DueQueue } from '../../storage/due-queue.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { firesRising, isReached, type WatchedPrice } from './is-reached.ts';
import { TrailingStops } from './trailing-stops.ts';

// Orders waiting for a price, stored so that a price costs nothing for those that it does not
// reach. Of those that it reaches, the one whose price comes first on the way fires first, those
// waiting for a rise before those waiting for a fall; at the same price, the oldest.

/** The waiting trigger orders of one market that watch one of its prices. */
class KindTriggers {
  private readonly rising = new DueQueue<LiveOrder>(lowestFirst);
  private readonly falling = new DueQueue<LiveOrder>(highestFirst);
  private readonly trailing = { buy: new TrailingStops('buy'), sell: new TrailingStops('sell') };

  get hasTrailing(): boolean {
    return this.trailing.buy.count > 0 || this.trailing.sell.count > 0;
  }

  get hasOthers(): boolean {
    return this.rising.count > 0 || this.falling.count > 0;
  }

  get isEmpty(): boolean {
    return !this.hasTrailing && !this.hasOthers;
  }

  stops(order: LiveOrder): DueQueue<LiveOrder> {
    return firesRising(order) ? this.rising : this.falling;
  }

  trailingStops({ side }: LiveOrder): TrailingStops {
    return this.trailing[side];
  }

  /** Applies the price to all trailing stops. @returns the first that fires at it. */
  follow(watched: WatchedPrice): LiveOrder | undefined {
    const { buy, sell } = this.trailing;
    buy.follow(watched);
    sell.follow(watched);
    return buy.findDue(watched) ?? sell.findDue(watched);
  }

  findDue(watched: WatchedPrice): LiveOrder | undefined {
    const rising = this.rising.first();
    if (rising !== undefined && isReached(rising, watched)) return rising;
    const falling = this.falling.first();
    return falling !== undefined && isReached(falling, watched) ? falling : undefined;
  }
}

type ReadPrice = (kind: TriggerPriceKind) => WatchedPrice | null;

/** The waiting trigger orders of one market. */
export class Triggers {
  private readonly mark = new KindTriggers();
  private readonly contract = new KindTriggers();

  /** Whether no order waits for any price. */
  get isEmpty(): boolean {
    return this.mark.isEmpty && this.contract.isEmpty;
  }

  /** Adds an order that waits for the price it watches. */
  add(order: LiveOrder): void {
    const triggers = this[order.triggerPriceKind];
    if (order.callback === null) triggers.stops(order).add(order);
    else triggers.trailingStops(order).add(order);
  }

  /** Restores a saved order; `extreme` is that of a trailing stop that was active. */
  restore(order: LiveOrder, extreme: bigint | null): void {
    if (extreme === null) this.add(order);
    else this[order.triggerPriceKind].trailingStops(order).restore(order, extreme);
  }

  /** Does nothing if the order is not there. */
  remove(order: LiveOrder): void {
    const triggers = this[order.triggerPriceKind];
    if (order.callback === null) triggers.stops(order).remove(order);
    else triggers.trailingStops(order).remove(order);
  }

  /** The best price since a trailing stop became active; null for all other orders. */
  extremeOf(order: LiveOrder): bigint | null {
    if (order.callback === null) return null;
    return this[order.triggerPriceKind].trailingStops(order).extremeOf(order);
  }

  /**
   * Applies the current prices. @returns the order that fires first at them: trailing stops before
   * others, and those that watch the mark price before those that watch the last price.
   */
  findDue(read: ReadPrice): LiveOrder | undefined {
    let due: LiveOrder | undefined;
    for (const kind of ['mark', 'contract'] as const) {
      const watched = this[kind].hasTrailing ? read(kind) : null;
      if (watched === null) continue;
      const first = this[kind].follow(watched);
      due ??= first;
    }
    if (due !== undefined) return due;
    for (const kind of ['mark', 'contract'] as const) {
      const watched = this[kind].hasOthers ? read(kind) : null;
      due ??= watched === null ? undefined : this[kind].findDue(watched);
    }
    return due;
  }
}

function lowestFirst(first: LiveOrder, second: LiveOrder): number {
  const byPrice = (first.stopPrice ?? 0) - (second.stopPrice ?? 0);
  return byPrice === 0 ? first.orderNumber - second.orderNumber : byPrice;
}

function highestFirst(first: LiveOrder, second: LiveOrder): number {
  const byPrice = (second.stopPrice ?? 0) - (first.stopPrice ?? 0);
  return byPrice === 0 ? first.orderNumber - second.orderNumber : byPrice;
}
