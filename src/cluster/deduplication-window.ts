import type { Refusal } from './request-link.ts';

type Decided = Exclude<Refusal, 'absent'>;

/**
 * The numbers of the newest requests that were received from one process, and why some of them were
 * refused; all older numbers count as received.
 */
export class DeduplicationWindow {
  readonly #keptMax: number;
  readonly #numbers = new Set<number>();
  readonly #refusals = new Map<number, Decided>();
  /**
   * The same numbers in the order in which they were received; once full, each replaces the oldest.
   * A set alone would have to step over all deleted entries to find its oldest one.
   */
  readonly #order: number[] = [];
  #oldestAt = 0;
  #forgotten = 0;

  constructor(keptMax: number) {
    this.#keptMax = keptMax;
  }

  has(number: number): boolean {
    return number <= this.#forgotten || this.#numbers.has(number);
  }

  /** Null: it was accepted, or it is no longer known. */
  refusalOf(number: number): Decided | null {
    return this.#refusals.get(number) ?? null;
  }

  refuse(number: number, refusal: Decided): void {
    if (this.#numbers.has(number)) this.#refusals.set(number, refusal);
  }

  add(number: number): void {
    this.#numbers.add(number);
    if (this.#order.length < this.#keptMax) {
      this.#order.push(number);
      return;
    }
    const oldest = this.#order[this.#oldestAt]!;
    this.#order[this.#oldestAt] = number;
    this.#oldestAt = (this.#oldestAt + 1) % this.#keptMax;
    this.#numbers.delete(oldest);
    this.#refusals.delete(oldest);
    this.#forgotten = Math.max(this.#forgotten, oldest);
  }
}
