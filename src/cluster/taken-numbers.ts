import type { Refusal } from './request-link.ts';

type Decided = Exclude<Refusal, 'absent'>;

/**
 * The newest numbers of one process that were taken, and how those that were refused were; the
 * oldest ones all count as taken.
 */
export class TakenNumbers {
  readonly #keptMax: number;
  readonly #numbers = new Set<number>();
  readonly #refusals = new Map<number, Decided>();
  /**
   * The same in the order in which they were taken; once full, each takes the oldest one's place.
   * A set alone would have to step over all that it has lost to find its oldest.
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

  /** Null: it was accepted, or nothing is known of it any more. */
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
