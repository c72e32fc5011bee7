import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@openbourse/client';
import { withRetries } from '../client/exchange-client.ts';
import type { Trader } from '../client/trader.ts';
import { assert, assertNever } from '../domain/assert.ts';
import { type Decimal, formatDecimal, formatScaled, parseDecimal } from '../domain/decimal.ts';
import { type BookSpan, doInterfere, spansOf } from './book-spans.ts';
import type { ReduceAction, ReplayAction } from './plan-replay.ts';

export interface ReplayRun {
  readonly symbol: string;
  readonly traders: readonly Trader[];
  readonly actions: readonly ReplayAction[];
  readonly concurrency: number;
  /** Recorded seconds per second; null: as fast as the service responds. */
  readonly speed: number | null;
  readonly onAction: () => void;
}

export interface ReplayCounts {
  placed: number;
  canceled: number;
  taken: number;
  /** Fills reported in the replies to incoming orders. */
  fills: number;
  /** Refused orders, and cancels that came too late, by code. */
  readonly rejects: Map<string, number>;
}

interface LiveOrder {
  readonly id: string;
  readonly trader: Trader;
}

interface PendingAction {
  readonly spans: readonly BookSpan[];
  readonly done: Promise<void>;
}

/**
 * Sends the actions, several concurrently, but an action that touches the same part of the book as
 * an earlier one only after it. The result is the same as if they were sent one by one: a cancel
 * follows its order, and a queue fills in order.
 */
export async function runReplay(run: ReplayRun): Promise<ReplayCounts> {
  const replayer = new Replayer(run);
  const pending = new Set<PendingAction>();
  const startedAt = performance.now();
  const firstSeconds = run.actions[0]?.seconds ?? 0;
  for (const action of run.actions) {
    if (run.speed !== null) {
      const dueMs = ((action.seconds - firstSeconds) * 1000) / run.speed;
      const waitMs = dueMs - (performance.now() - startedAt);
      if (waitMs > 1) await pause(waitMs);
    }
    while (pending.size >= run.concurrency) await Promise.race(workOf(pending));
    const spans = spansOf(action);
    const before = [...pending].filter((other) => doInterfere(spans, other.spans));
    const done = Promise.all(workOf(before))
      .then(() => replayer.send(action))
      .then(() => {
        pending.delete(self);
        run.onAction();
      });
    const self: PendingAction = { spans, done };
    pending.add(self);
  }
  await Promise.all(workOf(pending));
  return replayer.counts;
}

function workOf(actions: Iterable<PendingAction>): Promise<void>[] {
  return [...actions].map((action) => action.done);
}

class Replayer {
  readonly counts: ReplayCounts = {
    placed: 0,
    canceled: 0,
    taken: 0,
    fills: 0,
    rejects: new Map(),
  };
  readonly #run: ReplayRun;
  readonly #live = new Map<string, LiveOrder>();
  #sent = 0;

  constructor(run: ReplayRun) {
    this.#run = run;
  }

  async send(action: ReplayAction): Promise<void> {
    switch (action.type) {
      case 'place':
        return this.#place(action, String(action.size), 'gtc');
      case 'take':
        return this.#place(action, String(action.size), 'ioc');
      case 'cancel':
        await this.#cancel(action);
        return;
      case 'reduce':
        return this.#reduce(action);
      default:
        assertNever(action);
    }
  }

  async #place(action: ReplayAction, quantity: string, tif: 'gtc' | 'ioc'): Promise<void> {
    const trader = this.#trader(action);
    this.#sent += 1;
    const body = {
      symbol: this.#run.symbol,
      side: action.side,
      type: 'limit',
      tif,
      price: formatScaled(BigInt(action.price), 2),
      quantity,
      // Two equal orders within one millisecond would be taken for a repeated one.
      client_order_id: `replay-${this.#sent}`,
    };
    const order = await this.#orNull(() =>
      trader.client.call('POST /api/v1/spot/orders', { body }),
    );
    if (order === null) return;
    this.counts.fills += order.fills.length;
    if (tif === 'ioc') {
      this.counts.taken += 1;
    } else {
      this.counts.placed += 1;
      this.#live.set(action.orderId, { id: order.order_id, trader });
    }
  }

  /** What was left of the order; null if there was nothing to cancel. */
  async #cancel({ orderId }: ReplayAction): Promise<Decimal | null> {
    const live = this.#live.get(orderId);
    // A refused order is already counted as such.
    if (live === undefined) return null;
    this.#live.delete(orderId);
    const params = { id: live.id };
    const order = await this.#orNull(() =>
      live.trader.client.call('DELETE /api/v1/spot/orders/:id', { params }),
    );
    if (order === null) return null;
    this.counts.canceled += 1;
    const quantity = parseDecimal(order.quantity ?? '');
    const filled = parseDecimal(order.filled_quantity);
    assert(quantity !== null && filled !== null, 'an order names its quantities');
    return (quantity - filled) as Decimal;
  }

  async #reduce(action: ReduceAction): Promise<void> {
    const left = await this.#cancel(action);
    const size = parseDecimal(String(action.size));
    if (left === null || size === null || left <= size) return;
    await this.#place(action, formatDecimal((left - size) as Decimal), 'gtc');
  }

  /** The response; null if the service refuses the request, which is counted by its code. */
  async #orNull<T>(call: () => Promise<T>): Promise<T | null> {
    try {
      return await withRetries(call);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.counts.rejects.set(error.code, (this.counts.rejects.get(error.code) ?? 0) + 1);
      return null;
    }
  }

  #trader({ trader: index }: ReplayAction): Trader {
    const trader = this.#run.traders[index];
    assert(trader !== undefined, 'the plan names traders that were registered');
    return trader;
  }
}
