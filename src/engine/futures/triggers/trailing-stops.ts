import { assert } from '../../../domain/assert.ts';
import { bpsPerWhole } from '../../../domain/fee.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import type { WatchedPrice } from './is-reached.ts';
import {
  concat,
  extremeOf,
  firstTrigger,
  insert,
  lastExtreme,
  leftmost,
  remove,
  rootOf,
  StopNode,
  type StopTree,
  split,
  spread,
} from './stop-tree.ts';

// A trailing stop keeps the best price since it became active, its extreme: the highest for a sell,
// the lowest for a buy. It fires when the price has come back from there by the callback rate. A
// stop that became active earlier has an extreme at least as good. So the active stops are sorted
// by it, and a better price changes the last of them, all to the same value. A price that affects
// many of them is therefore one split and one change of a tree, whatever their number.

/** The trailing stops of one side of a market that watch one price. */
export class TrailingStops {
  private readonly isSell: boolean;
  private readonly nodes = new Map<number, StopNode>();
  /** By the price from which they are active. */
  private waiting: StopTree = null;
  /** From the best extreme to the worst. */
  private active: StopTree = null;

  constructor(side: LiveOrder['side']) {
    this.isSell = side === 'sell';
  }

  get count(): number {
    return this.nodes.size;
  }

  /** The length of the longest path that a change of one of them takes. */
  get height(): number {
    return Math.max(this.waiting?.height ?? 0, this.active?.height ?? 0);
  }

  /** Adds a trailing stop, which follows from the next price that reaches its activation price. */
  add(order: LiveOrder): void {
    const node = this.register(order);
    const isBefore = ({ activation }: StopNode): boolean => activation <= node.activation;
    this.waiting = insert(this.waiting, node, isBefore);
  }

  /** Restores one that was active with the extreme. */
  restore(order: LiveOrder, extreme: bigint): void {
    const node = this.register(order);
    node.extreme = this.signed(extreme);
    this.active = insert(this.active, node, (other) => other.extreme >= node.extreme);
  }

  /** Does nothing if the order is not there. */
  remove({ orderNumber }: Pick<LiveOrder, 'orderNumber'>): void {
    const node = this.nodes.get(orderNumber);
    if (node === undefined) return;
    this.nodes.delete(orderNumber);
    const isActive = rootOf(node) === this.active;
    const rest = remove(node);
    if (isActive) this.active = rest;
    else this.waiting = rest;
  }

  /** The best price since the order became active; null until then. */
  extremeOf({ orderNumber }: Pick<LiveOrder, 'orderNumber'>): bigint | null {
    const node = this.nodes.get(orderNumber);
    if (node === undefined || rootOf(node) !== this.active) return null;
    return this.signed(extremeOf(node));
  }

  /**
   * Applies a price: a better one becomes the extreme of all stops that it improves, and activates
   * others.
   */
  follow({ price, ticksBelow, ticksAbove }: WatchedPrice): void {
    const best = this.signed(price);
    if (this.active !== null && lastExtreme(this.active) < best) {
      const { before, after } = split(this.active, ({ extreme }) => extreme >= best);
      spread(after, best);
      this.active = concat(before, after);
    }
    const reached = this.isSell ? ticksBelow : -ticksAbove;
    if (this.waiting !== null && leftmost(this.waiting).activation <= reached) {
      const { before, after } = split(this.waiting, ({ activation }) => activation <= reached);
      spread(before, best);
      this.active = concat(this.active, before);
      this.waiting = after;
    }
  }

  /** Of those that fire at the price, the one with the first trigger price, then the oldest. */
  findDue({ price }: WatchedPrice): LiveOrder | undefined {
    if (this.active === null) return undefined;
    const isDue = this.signed(price) * bpsPerWhole <= firstTrigger(this.active);
    return isDue ? this.active.first.order : undefined;
  }

  private register(order: LiveOrder): StopNode {
    assert(!this.nodes.has(order.orderNumber), 'an order waits for its price once');
    const node = new StopNode(order);
    this.nodes.set(order.orderNumber, node);
    return node;
  }

  private signed(price: bigint): bigint {
    return this.isSell ? price : -price;
  }
}
