import { grownInts } from '../storage/int64.ts';

// Each account's orders hang in a list by their slots. The links of all of them lie close together
// in a column of their own, since taking an order out of its list touches both of its neighbours.

const capacityMin = 256;

/** The live orders of each account, in the order in which they came. */
export class AccountOrders {
  /** Next and previous slot by slot; -1 at the ends. */
  private links = new Int32Array(capacityMin * 2);
  /** First and last slot + 1 by account. */
  private ends = new Int32Array(capacityMin * 2);

  /** The account's first order, or -1. */
  first(accountId: number): number {
    const at = accountId * 2;
    return at < this.ends.length ? (this.ends[at] as number) - 1 : -1;
  }

  next(slot: number): number {
    return this.links[slot * 2] as number;
  }

  /** Puts the order behind the account's others. */
  append(accountId: number, slot: number): void {
    const end = accountId * 2;
    const at = slot * 2;
    if (end >= this.ends.length) this.ends = grownInts(this.ends, end + 2);
    if (at >= this.links.length) this.links = grownInts(this.links, at + 2);
    const { links, ends } = this;
    const last = (ends[end + 1] as number) - 1;
    links[at] = -1;
    links[at + 1] = last;
    if (last >= 0) links[last * 2] = slot;
    else ends[end] = slot + 1;
    ends[end + 1] = slot + 1;
  }

  remove(accountId: number, slot: number): void {
    const { links, ends } = this;
    const next = links[slot * 2] as number;
    const previous = links[slot * 2 + 1] as number;
    if (previous >= 0) links[previous * 2] = next;
    else ends[accountId * 2] = next + 1;
    if (next >= 0) links[next * 2 + 1] = previous;
    else ends[accountId * 2 + 1] = previous + 1;
  }
}
