import type { FlowSide } from './order-flow.ts';

export interface MirrorOrder {
  /** The recorded id, which identifies the order through all its replacements. */
  readonly orderId: string;
  readonly side: FlowSide;
  readonly price: number;
  readonly trader: number;
  left: number;
}

/** A plain price-time book: what should rest in the market after each action of the plan. */
export class MirrorBook {
  readonly #orders = new Map<string, MirrorOrder>();
  readonly #levels = {
    buy: new Map<number, MirrorOrder[]>(),
    sell: new Map<number, MirrorOrder[]>(),
  };

  find(orderId: string): MirrorOrder | undefined {
    return this.#orders.get(orderId);
  }

  add(order: MirrorOrder): void {
    this.#orders.set(order.orderId, order);
    const levels = this.#levels[order.side];
    const queue = levels.get(order.price);
    if (queue === undefined) levels.set(order.price, [order]);
    else queue.push(order);
  }

  remove(order: MirrorOrder): void {
    this.#orders.delete(order.orderId);
    const levels = this.#levels[order.side];
    const queue = (levels.get(order.price) ?? []).filter((other) => other !== order);
    if (queue.length === 0) levels.delete(order.price);
    else levels.set(order.price, queue);
  }

  /** The orders of a side at a better price than this one, in no particular order. */
  ordersBetterThan(side: FlowSide, price: number): MirrorOrder[] {
    const better: MirrorOrder[] = [];
    for (const [level, queue] of this.#levels[side]) {
      if (side === 'buy' ? level > price : level < price) better.push(...queue);
    }
    return better;
  }

  /** Fills the orders at one price in order of arrival; returns the filled size of each. */
  take(side: FlowSide, price: number, size: number): { order: MirrorOrder; size: number }[] {
    const fills: { order: MirrorOrder; size: number }[] = [];
    let left = size;
    for (const order of [...(this.#levels[side].get(price) ?? [])]) {
      if (left === 0) break;
      const filled = Math.min(left, order.left);
      left -= filled;
      order.left -= filled;
      fills.push({ order, size: filled });
      if (order.left === 0) this.remove(order);
    }
    return fills;
  }
}
