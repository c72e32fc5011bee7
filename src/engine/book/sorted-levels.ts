// There are many levels far from the market, but they are rarely touched. They are kept in sorted
// runs of at most `runMax` prices, so that an insertion moves little memory however many there are.

const runMax = 128;
const mergeMax = runMax / 2;

class Run {
  readonly prices = new Float64Array(runMax);
  readonly slots = new Int32Array(runMax);
  count = 0;

  /** The first place whose price is not below the given one. */
  place(price: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.prices[middle] as number) < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(place: number, price: number, slot: number): void {
    this.prices.copyWithin(place + 1, place, this.count);
    this.slots.copyWithin(place + 1, place, this.count);
    this.prices[place] = price;
    this.slots[place] = slot;
    this.count += 1;
  }

  remove(place: number): void {
    this.prices.copyWithin(place, place + 1, this.count);
    this.slots.copyWithin(place, place + 1, this.count);
    this.count -= 1;
  }

  append(other: Run, from: number): void {
    this.prices.set(other.prices.subarray(from, other.count), this.count);
    this.slots.set(other.slots.subarray(from, other.count), this.count);
    this.count += other.count - from;
  }
}

/** Level slots in price order, for any number of prices at any distance from each other. */
export class SortedLevels {
  count = 0;
  private runs: Run[] = [];

  /** The level slot at the price in ticks, or -1. */
  find(price: number): number {
    const run = this.runs[this.runOf(price)];
    if (run === undefined) return -1;
    const place = run.place(price);
    if (place >= run.count || run.prices[place] !== price) return -1;
    return run.slots[place] as number;
  }

  /** The price must not be occupied. */
  insert(price: number, slot: number): void {
    const index = Math.max(0, this.runOf(price));
    const run = this.runs[index] ?? new Run();
    if (this.runs.length === 0) this.runs.push(run);
    run.insert(run.place(price), price, slot);
    if (run.count === runMax) this.split(index);
    this.count += 1;
  }

  /** The price must be occupied. */
  remove(price: number): void {
    const index = this.runOf(price);
    const run = this.runs[index] as Run;
    run.remove(run.place(price));
    this.count -= 1;
    if (run.count === 0) {
      this.runs.splice(index, 1);
      return;
    }
    const next = this.runs[index + 1];
    if (next !== undefined && run.count + next.count <= mergeMax) {
      run.append(next, 0);
      this.runs.splice(index + 1, 1);
    }
  }

  /** The slot of the highest price below the given one, or -1. */
  lower(price: number): number {
    const index = this.runOf(price);
    const run = this.runs[index];
    if (run === undefined) return -1;
    const place = run.place(price);
    if (place > 0) return run.slots[place - 1] as number;
    const before = this.runs[index - 1];
    return before === undefined ? -1 : (before.slots[before.count - 1] as number);
  }

  /** The slot of the lowest price above the given one, or -1. */
  higher(price: number): number {
    const index = Math.max(0, this.runOf(price));
    const run = this.runs[index];
    if (run === undefined) return -1;
    let place = run.place(price);
    if (place < run.count && run.prices[place] === price) place += 1;
    if (place < run.count) return run.slots[place] as number;
    const next = this.runs[index + 1];
    return next === undefined ? -1 : (next.slots[0] as number);
  }

  /** The last run that starts at or below the price; -1 if all start above it. */
  private runOf(price: number): number {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const first = (this.runs[middle] as Run).prices[0] as number;
      if (first <= price) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private split(index: number): void {
    const run = this.runs[index] as Run;
    const upper = new Run();
    upper.append(run, runMax / 2);
    run.count = runMax / 2;
    this.runs.splice(index + 1, 0, upper);
  }
}
