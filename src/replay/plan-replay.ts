import { assertNever } from '../domain/assert.ts';
import { MirrorBook, type MirrorOrder } from './mirror-book.ts';
import type { FlowMessage, FlowSide } from './order-flow.ts';

// How recorded messages become orders of the exchange. A new order is a limit order. A partial
// cancel, which the exchange does not support, is a cancel and a new order for the rest; a delete
// is a cancel. An execution is an ioc order of the opposite side, for that size at that price.
// Orders that left the recorded levels are never deleted in the recording, so whatever an incoming
// order would cross is canceled before it.

interface ReplayStep {
  /** Seconds after midnight in the recording. */
  readonly seconds: number;
  readonly trader: number;
  readonly orderId: string;
  readonly side: FlowSide;
  /** Cents. */
  readonly price: number;
}

interface PlaceAction extends ReplayStep {
  readonly type: 'place';
  readonly size: number;
}

interface TakeAction extends ReplayStep {
  readonly type: 'take';
  readonly size: number;
}

interface CancelAction extends ReplayStep {
  readonly type: 'cancel';
}

/** Cancels the order and places the rest, reduced by the size. */
export interface ReduceAction extends ReplayStep {
  readonly type: 'reduce';
  readonly size: number;
}

export type ReplayAction = PlaceAction | TakeAction | CancelAction | ReduceAction;

export interface ReplayPlan {
  readonly actions: readonly ReplayAction[];
  /** Each trader's maximum need at any moment: cents of the quote token, base units. */
  readonly needs: readonly TraderNeeds[];
  readonly skipped: SkippedMessages;
}

export interface TraderNeeds {
  quoteCents: number;
  base: number;
}

export interface SkippedMessages {
  /** Hidden executions and crosses. */
  other: number;
  /** Cancels of orders that predate the recording or were canceled as crossed. */
  unknownOrder: number;
}

/** Every fifth trader only takes, so that no trader ever meets its own order. */
const takerEvery = 5;

/** Maps the messages to actions of that many traders, at least two. */
export function planReplay(messages: readonly FlowMessage[], traderCount: number): ReplayPlan {
  const planner = new Planner(traderCount);
  for (const message of messages) planner.add(message);
  const { actions, needs, skipped } = planner;
  return { actions, needs, skipped };
}

class Planner {
  readonly actions: ReplayAction[] = [];
  readonly needs: TraderNeeds[];
  readonly skipped: SkippedMessages = { other: 0, unknownOrder: 0 };
  readonly #book = new MirrorBook();
  readonly #makers: Turns;
  readonly #takers: Turns;
  readonly #used: TraderNeeds[];
  readonly #placed = new Map<string, { trader: number; side: FlowSide; price: number }>();

  constructor(traderCount: number) {
    const traders = Array.from({ length: traderCount }, (_, index) => index);
    const isTaker = (trader: number): boolean => trader % takerEvery === 1;
    this.#takers = new Turns(traders.filter(isTaker));
    this.#makers = new Turns(traders.filter((trader) => !isTaker(trader)));
    this.#used = traders.map(() => ({ quoteCents: 0, base: 0 }));
    this.needs = traders.map(() => ({ quoteCents: 0, base: 0 }));
  }

  add(message: FlowMessage): void {
    switch (message.kind) {
      case 'new':
        return this.#place(message);
      case 'reduce':
        return this.#reduce(message);
      case 'delete':
        return this.#delete(message);
      case 'execute':
        return this.#execute(message);
      case 'other':
        this.skipped.other += 1;
        return;
      default:
        assertNever(message.kind);
    }
  }

  #place({ seconds, orderId, side, price, size }: FlowMessage): void {
    this.#cancelCrossed(seconds, oppositeOf(side), worseBy(side, price));
    const trader = this.#makers.next();
    this.actions.push({ type: 'place', seconds, trader, orderId, side, price, size });
    this.#placed.set(orderId, { trader, side, price });
    this.#book.add({ orderId, side, price, trader, left: size });
    this.#use(trader, side, price, size);
  }

  #reduce(message: FlowMessage): void {
    const { seconds, orderId, size } = message;
    const order = this.#book.find(orderId);
    if (order === undefined || order.left <= size) return this.#delete(message);
    const { side, price, trader } = order;
    this.actions.push({ type: 'reduce', seconds, trader, orderId, side, price, size });
    this.#book.remove(order);
    this.#book.add({ ...order, left: order.left - size });
    this.#use(trader, side, price, -size);
  }

  // A delete is sent even if the plan assumes that the order was filled: the exchange decides.
  #delete({ seconds, orderId }: FlowMessage): void {
    const placed = this.#placed.get(orderId);
    if (placed === undefined) {
      this.skipped.unknownOrder += 1;
      return;
    }
    this.#placed.delete(orderId);
    this.actions.push({ type: 'cancel', seconds, orderId, ...placed });
    const order = this.#book.find(orderId);
    if (order !== undefined) this.#forget(order);
  }

  #execute({ seconds, orderId, side, price, size }: FlowMessage): void {
    this.#cancelCrossed(seconds, side, price);
    const trader = this.#takers.next();
    const taker = { seconds, trader, orderId, side: oppositeOf(side), price, size };
    this.actions.push({ type: 'take', ...taker });
    this.#use(trader, oppositeOf(side), price, size);
    this.#book.take(side, price, size);
  }

  /** Cancels orders at a better price. */
  #cancelCrossed(seconds: number, side: FlowSide, price: number): void {
    for (const order of this.#book.ordersBetterThan(side, price)) {
      const { orderId, trader } = order;
      this.actions.push({ type: 'cancel', seconds, trader, orderId, side, price: order.price });
      this.#placed.delete(orderId);
      this.#forget(order);
    }
  }

  #forget(order: MirrorOrder): void {
    this.#book.remove(order);
    this.#use(order.trader, order.side, order.price, -order.left);
  }

  // Money paid out is never counted as returned, so the need is rather too high than too low.
  #use(trader: number, side: FlowSide, price: number, size: number): void {
    const used = this.#used[trader];
    const need = this.needs[trader];
    if (used === undefined || need === undefined) return;
    if (side === 'buy') used.quoteCents += price * size;
    else used.base += size;
    need.quoteCents = Math.max(need.quoteCents, used.quoteCents);
    need.base = Math.max(need.base, used.base);
  }
}

/** Round-robin over traders. */
class Turns {
  readonly #traders: readonly number[];
  #turn = 0;

  constructor(traders: readonly number[]) {
    this.#traders = traders;
  }

  next(): number {
    this.#turn = (this.#turn + 1) % this.#traders.length;
    return this.#traders[this.#turn] ?? 0;
  }
}

export function oppositeOf(side: FlowSide): FlowSide {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The price one cent beyond the order's own: anything better for the other side crosses. */
function worseBy(side: FlowSide, price: number): number {
  return side === 'buy' ? price + 1 : price - 1;
}
