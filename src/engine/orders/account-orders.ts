import { grownInts } from '../storage/int64.ts';
import {
  nextOfOwnerAt as nextAt,
  type OrderRecords,
  previousOfOwnerAt as previousAt,
  recordLinks,
} from '../storage/order-records.ts';

const capacityMin = 256;

/** The live orders of each account, in the order in which they came. */
export class AccountOrders {
  private readonly records: OrderRecords;
  /** First and last slot + 1 by account. */
  private ends = new Int32Array(capacityMin * 2);

  constructor(records: OrderRecords) {
    this.records = records;
  }

  /** The account's first order, or -1. */
  first(accountId: number): number {
    const at = accountId * 2;
    return at < this.ends.length ? (this.ends[at] as number) - 1 : -1;
  }

  next(slot: number): number {
    return this.records.links[slot * recordLinks + nextAt] as number;
  }

  /** Puts the order behind the account's others. */
  append(accountId: number, slot: number): void {
    const end = accountId * 2;
    if (end >= this.ends.length) this.ends = grownInts(this.ends, end + 2);
    const { ends } = this;
    const { links } = this.records;
    const at = slot * recordLinks;
    const last = (ends[end + 1] as number) - 1;
    links[at + nextAt] = -1;
    links[at + previousAt] = last;
    if (last >= 0) links[last * recordLinks + nextAt] = slot;
    else ends[end] = slot + 1;
    ends[end + 1] = slot + 1;
  }

  remove(accountId: number, slot: number): void {
    const { ends } = this;
    const { links } = this.records;
    const at = slot * recordLinks;
    const next = links[at + nextAt] as number;
    const previous = links[at + previousAt] as number;
    if (previous >= 0) links[previous * recordLinks + nextAt] = next;
    else ends[accountId * 2] = next + 1;
    if (next >= 0) links[next * recordLinks + previousAt] = previous;
    else ends[accountId * 2 + 1] = previous + 1;
  }
}
