import type { StreamClock } from '../../src/gateway/ws/stream-clock.ts';

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/**
 * Time that changes only when the test moves it. The event loop's turns are real, unless the test
 * ends them itself.
 */
export class ManualClock implements StreamClock {
  #elapsed = 0;
  readonly startedAt: number;
  readonly #timers = new Set<Timer>();
  #afterTurn: (() => void)[] | null = null;

  constructor(startedAt = 1_700_000_000_000) {
    this.startedAt = startedAt;
  }

  now(): number {
    return this.startedAt + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueAt: this.#elapsed + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  afterTurn(callback: () => void): void {
    if (this.#afterTurn === null) setImmediate(callback);
    else this.#afterTurn.push(callback);
  }

  /** From now on a turn is over when the test says so. */
  holdTurns(): void {
    this.#afterTurn ??= [];
  }

  endTurn(): void {
    const callbacks = this.#afterTurn?.splice(0) ?? [];
    for (const callback of callbacks) callback();
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  /** Moves time on, calling each timer at its own time. */
  advance(durationMs: number): void {
    const end = this.#elapsed + durationMs;
    for (;;) {
      const next = [...this.#timers]
        .filter(({ dueAt }) => dueAt <= end)
        .sort((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#elapsed = Math.max(this.#elapsed, next.dueAt);
      next.callback();
    }
    this.#elapsed = end;
  }
}
