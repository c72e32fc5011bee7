import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import { DueQueue } from '../../storage/due-queue.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { TrailingStops } from './trailing-stops.ts';
import { firesRising, isReached, type WatchedPrice } from './watched-price.ts';

// Orders that wait for a price, so kept that a price costs nothing for those that it does not
// reach. Of those that it does the one whose price comes first on the way fires first, those that
// wait for a rise before those that wait for a fall; at one price the oldest.

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

  stops(order: LiveOrder): DueQueue<LiveOrder> {
    return firesRising(order) ? this.rising : this.falling;
  }

  trailingStops({ side }: LiveOrder): TrailingStops {
    return this.trailing[side];
  }

  /** Lets all trailing stops take the price in. @returns the first that fires at it. */
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

  add(order: LiveOrder): void {
    const triggers = this[order.triggerPriceKind];
    if (order.callback === null) triggers.stops(order).add(order);
    else triggers.trailingStops(order).add(order);
  }

  /** Puts a saved order back; `extreme` is that of a trailing stop that was active. */
  restore(order: LiveOrder, extreme: bigint | null): void {
    if (extreme === null) this.add(order);
    else this[order.triggerPriceKind].trailingStops(order).restore(order, extreme);
  }

  /** Removing what is not there changes nothing. */
  remove(order: LiveOrder): void {
    const triggers = this[order.triggerPriceKind];
    if (order.callback === null) triggers.stops(order).remove(order);
    else triggers.trailingStops(order).remove(order);
  }

  /** The best price since a trailing stop became active; null for all others. */
  extremeOf(order: LiveOrder): bigint | null {
    if (order.callback === null) return null;
    return this[order.triggerPriceKind].trailingStops(order).extremeOf(order);
  }

  /**
   * Takes the present prices in. @returns the order that fires first at them: trailing stops
   * before others, those that watch the mark price before those that watch the last.
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
