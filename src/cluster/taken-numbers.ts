/** The newest numbers of one process that were taken; the oldest ones all count as taken. */
export class TakenNumbers {
  readonly #keptMax: number;
  readonly #numbers = new Set<number>();
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
    this.#forgotten = Math.max(this.#forgotten, oldest);
  }
}
