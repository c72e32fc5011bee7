import { grownFloats, grownInts } from '../../storage/int64.ts';

/** A watch that is due, or one in a snapshot. */
export interface Watch {
  readonly accountId: number;
  readonly key: number;
}

const lengthFirst = 16;

/**
 * At most one watch per account, the lowest key first: a binary heap in columns, which also records
 * the place of each account.
 */
export class WatchHeap {
  private length = 0;
  private keys = new Float64Array(lengthFirst);
  private accountIds = new Int32Array(lengthFirst);
  /** By account: its place plus 1, or 0 if it has none. */
  private places = new Int32Array(lengthFirst);

  get count(): number {
    return this.length;
  }

  /** The lowest key; infinity if there is none. */
  get firstKey(): number {
    return this.length === 0 ? Number.POSITIVE_INFINITY : (this.keys[0] as number);
  }

  /** Sets the account's watch, replacing an existing one. */
  set(accountId: number, key: number): void {
    if (accountId >= this.places.length) this.places = grownInts(this.places, accountId + 1);
    let place = (this.places[accountId] as number) - 1;
    if (place < 0) {
      place = this.length;
      this.length += 1;
      if (this.length > this.keys.length) {
        this.keys = grownFloats(this.keys, this.length);
        this.accountIds = grownInts(this.accountIds, this.length);
      }
    }
    this.settle(place, accountId, key);
  }

  /** Does nothing if the account has no watch. */
  remove(accountId: number): void {
    const place = accountId < this.places.length ? (this.places[accountId] as number) - 1 : -1;
    if (place < 0) return;
    this.places[accountId] = 0;
    this.length -= 1;
    const { length } = this;
    if (place < length) {
      this.settle(place, this.accountIds[length] as number, this.keys[length] as number);
    }
  }

  /** Removes the first watch. @returns its account, or 0 if there is none. */
  takeFirst(): number {
    if (this.length === 0) return 0;
    const accountId = this.accountIds[0] as number;
    this.remove(accountId);
    return accountId;
  }

  /** The key of the account's watch; infinity if it has none. */
  keyOf(accountId: number): number {
    const place = accountId < this.places.length ? (this.places[accountId] as number) - 1 : -1;
    return place < 0 ? Number.POSITIVE_INFINITY : (this.keys[place] as number);
  }

  /** By account. */
  list(): readonly Watch[] {
    const watches: Watch[] = [];
    for (let place = 0; place < this.length; place += 1) {
      const accountId = this.accountIds[place] as number;
      watches.push({ accountId, key: this.keys[place] as number });
    }
    return watches.sort((left, right) => left.accountId - right.accountId);
  }

  /** Moves the watch to its right place, starting at the given one. */
  private settle(from: number, accountId: number, key: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if ((this.keys[above] as number) <= key) break;
      this.move(above, place);
      place = above;
    }
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.length) break;
      const right = left + 1;
      const isRight =
        right < this.length && (this.keys[right] as number) < (this.keys[left] as number);
      const below = isRight ? right : left;
      if ((this.keys[below] as number) >= key) break;
      this.move(below, place);
      place = below;
    }
    this.keys[place] = key;
    this.accountIds[place] = accountId;
    this.places[accountId] = place + 1;
  }

  private move(from: number, to: number): void {
    const accountId = this.accountIds[from] as number;
    this.keys[to] = this.keys[from] as number;
    this.accountIds[to] = accountId;
    this.places[accountId] = to + 1;
  }
}
