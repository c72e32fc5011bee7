import {
  type AggregateTrade,
  aggregateWindowEnd,
  beginAggregate,
  growAggregate,
} from '../../../application/market-data/aggregate-trades.ts';
import type { TimedTrade } from '../channels/baseline.ts';
import type { StreamClock } from '../stream-clock.ts';

/** How long a window stays open after its end: its last trades can still be on the way to disk. */
const lateMs = 50;

/** Combines a market's trades into aggregate trades and publishes each once it is complete. */
export class TradeAggregator {
  readonly #clock: StreamClock;
  readonly #publish: (aggregate: AggregateTrade) => void;
  #open: AggregateTrade | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: StreamClock, tell: (aggregate: AggregateTrade) => void) {
    this.#clock = clock;
    this.#publish = tell;
  }

  add({ trade, time }: TimedTrade): void {
    const grown = this.#open === null ? null : growAggregate(this.#open, trade, time);
    if (grown !== null) {
      this.#open = grown;
      return;
    }
    this.flush();
    this.#open = beginAggregate(trade, time);
    const delayMs = aggregateWindowEnd(time) + lateMs - this.#clock.now();
    this.#cancelTimer = this.#clock.after(Math.max(0, delayMs), () => this.flush());
  }

  /** Publishes the open aggregate, if any. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const aggregate = this.#open;
    this.#open = null;
    if (aggregate !== null) this.#publish(aggregate);
  }
}
