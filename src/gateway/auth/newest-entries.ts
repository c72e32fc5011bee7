interface Entry<V> {
  readonly key: string;
  readonly value: V;
}

/** A map of the entries that were set last: a further one takes the place of the oldest. */
export class NewestEntries<V> {
  readonly #keptMax: number;
  readonly #entries = new Map<string, Entry<V>>();
  /**
   * The same in the order in which they were set; once full, each takes the oldest one's place. A
   * map alone would have to step over all that it has lost to find its oldest. What was deleted
   * keeps its place until then, so a few entries less may be kept.
   */
  readonly #order: Entry<V>[] = [];
  #oldestAt = 0;

  constructor(keptMax: number) {
    this.#keptMax = keptMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets the entry as the newest, also if there was one with this key. */
  set(key: string, value: V): void {
    const entry = { key, value };
    this.#entries.set(key, entry);
    if (this.#order.length < this.#keptMax) {
      this.#order.push(entry);
      return;
    }
    const oldest = this.#order[this.#oldestAt]!;
    this.#order[this.#oldestAt] = entry;
    this.#oldestAt = (this.#oldestAt + 1) % this.#keptMax;
    // The key may have been set again since.
    if (this.#entries.get(oldest.key) === oldest) this.#entries.delete(oldest.key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
