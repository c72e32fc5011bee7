/** The number of connections of each owner (a client address, an account), up to a limit. */
export class ConnectionCounts {
  readonly #counts = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more, unless the owner already has its maximum. */
  take(owner: string): boolean {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(owner, count + 1);
    return true;
  }

  giveBack(owner: string): void {
    const count = (this.#counts.get(owner) ?? 0) - 1;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
