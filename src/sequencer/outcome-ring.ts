import { assert } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';

/** The newest outcomes, bounded by their number and by the number of their events. */
export class OutcomeRing {
  readonly #slots: (AppliedCommand | undefined)[];
  readonly #eventsMax: number;
  #events = 0;
  #oldest = 1;
  #newest: number;

  /** `after` is the sequence before the first outcome that will be pushed. */
  constructor(outcomesMax: number, eventsMax: number, after: Sequence) {
    this.#slots = new Array<AppliedCommand | undefined>(outcomesMax).fill(undefined);
    this.#eventsMax = eventsMax;
    this.#newest = after;
    this.#oldest = after + 1;
  }

  push(applied: AppliedCommand): void {
    assert(applied.sequence === this.#newest + 1, 'an outcome is out of order');
    if (applied.sequence - this.#oldest >= this.#slots.length) this.#dropOldest();
    this.#slots[applied.sequence % this.#slots.length] = applied;
    this.#newest = applied.sequence;
    this.#events += applied.events.length;
    while (this.#events > this.#eventsMax && this.#oldest < this.#newest) this.#dropOldest();
  }

  /** Drops the outcomes up to the position. */
  forget(upTo: Sequence): void {
    while (this.#oldest <= upTo && this.#oldest <= this.#newest) this.#dropOldest();
  }

  /** The number of outcomes held. */
  get count(): number {
    return this.#newest - this.#oldest + 1;
  }

  /** Whether the outcome right after the position is held, or would be the next one pushed. */
  covers(after: number): boolean {
    return after + 1 >= this.#oldest;
  }

  slice(after: number, limitMax: number): AppliedCommand[] {
    const found: AppliedCommand[] = [];
    const end = Math.min(this.#newest, after + limitMax);
    for (let sequence = after + 1; sequence <= end; sequence += 1) {
      found.push(this.#slots[sequence % this.#slots.length]!);
    }
    return found;
  }

  #dropOldest(): void {
    const at = this.#oldest % this.#slots.length;
    this.#events -= this.#slots[at]!.events.length;
    this.#slots[at] = undefined;
    this.#oldest += 1;
  }
}
