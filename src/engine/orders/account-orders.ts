import { grownInts } from '../storage/int64.ts';

// An account's orders in a market are linked in a list by their slots. All links are kept in one
// compact column, since removing an order from its list touches both of its neighbors.

const capacityMin = 256;
const endInts = 3;
const countAt = 2;

/** The live orders of each account in each market, in the order in which they were added. */
export class AccountOrders {
  /** Next and previous slot by slot; -1 at the ends. */
  private links = new Int32Array(capacityMin * 2);
  /** By market, then by account: first and last slot + 1, and the number of orders. */
  private readonly ends: Int32Array<ArrayBuffer>[] = [];

  /** One more than the highest market number that can have orders. */
  get marketCount(): number {
    return this.ends.length;
  }

  /** The account's first order in the market, or -1. */
  first(accountId: number, marketId: number): number {
    const ends = this.ends[marketId];
    const at = accountId * endInts;
    return ends === undefined || at >= ends.length ? -1 : (ends[at] as number) - 1;
  }

  /** The order after it in its account and market, or -1. */
  next(slot: number): number {
    return this.links[slot * 2] as number;
  }

  /** How many orders the account has in the market. */
  count(accountId: number, marketId: number): number {
    const ends = this.ends[marketId];
    const at = accountId * endInts;
    return ends === undefined || at >= ends.length ? 0 : (ends[at + countAt] as number);
  }

  /** Appends the order to the account's orders in the market. */
  append(accountId: number, marketId: number, slot: number): void {
    const end = accountId * endInts;
    const at = slot * 2;
    const ends = this.endsFor(marketId, end + endInts);
    if (at >= this.links.length) this.links = grownInts(this.links, at + 2);
    const { links } = this;
    const last = (ends[end + 1] as number) - 1;
    links[at] = -1;
    links[at + 1] = last;
    if (last >= 0) links[last * 2] = slot;
    else ends[end] = slot + 1;
    ends[end + 1] = slot + 1;
    (ends[end + countAt] as number) += 1;
  }

  /** Removes an order that `append` has added. */
  remove(accountId: number, marketId: number, slot: number): void {
    const { links } = this;
    const ends = this.ends[marketId] as Int32Array<ArrayBuffer>;
    const end = accountId * endInts;
    const next = links[slot * 2] as number;
    const previous = links[slot * 2 + 1] as number;
    if (previous >= 0) links[previous * 2] = next;
    else ends[end] = next + 1;
    if (next >= 0) links[next * 2 + 1] = previous;
    else ends[end + 1] = previous + 1;
    (ends[end + countAt] as number) -= 1;
  }

  private endsFor(marketId: number, length: number): Int32Array<ArrayBuffer> {
    while (this.ends.length <= marketId) this.ends.push(new Int32Array(capacityMin * endInts));
    let ends = this.ends[marketId] as Int32Array<ArrayBuffer>;
    if (length > ends.length) {
      ends = grownInts(ends, length);
      this.ends[marketId] = ends;
    }
    return ends;
  }
}
