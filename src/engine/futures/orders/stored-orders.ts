import { AccountOrders } from '../../orders/account-orders.ts';
import type { ClientOrderOwner } from '../../orders/client-order-ids.ts';
import { ClientOrderIds } from '../../orders/client-order-ids.ts';
import { grownFloats, grownInts } from '../../storage/int64.ts';
import { OrderIndex } from '../../storage/order-index.ts';
import { accountAt, numberAt, OrderRecords } from '../../storage/order-records.ts';
import type { LiveOrder } from './live-order.ts';
import {
  clearRecord,
  clientHashAt,
  extraFloats,
  hasClientIdFlag,
  isFreeFlag,
  isLiveFlag,
  marketAt,
  recordFloats,
  recordInts,
  termsAt,
} from './order-layout.ts';
import { StoredOrder } from './stored-order.ts';

// Orders of perpetuals are kept in records shared with the books, as spot orders are, with the same
// lists by account, index of numbers and table of client order ids. A record is opened for every
// arriving order and released after the command, unless the order stays live.

/** All orders of the futures side: live ones and those opened by the running command. */
export class StoredOrders implements ClientOrderOwner {
  readonly records = new OrderRecords(recordFloats);
  /** Fields that only orders with triggers, parents or expiry times have, by slot. */
  extras = new Float64Array(0);
  /** By slot. */
  readonly clientOrderIds: (string | null)[] = [];
  private readonly handles: StoredOrder[] = [];
  private readonly index = new OrderIndex();
  private readonly byAccount = new AccountOrders();
  private readonly clientIds = new ClientOrderIds(this);
  /** The number of live orders by account. */
  private counts = new Int32Array(256);
  /** Slots that the running command has opened, or whose orders it has ended. */
  private loose = new Int32Array(64);
  private looseCount = 0;
  private liveCount = 0;

  /** The number of live orders. */
  get size(): number {
    return this.liveCount;
  }

  /** Creates a market order with every other field at its default; it is live once it is added. */
  open(orderNumber: number, accountId: number, marketId: number, now: number): StoredOrder {
    const { records, handles } = this;
    const slot = records.take();
    if (slot === handles.length) {
      handles.push(new StoredOrder(this, slot));
      this.clientOrderIds.push(null);
    }
    clearRecord(records, slot);
    records.floats[slot * recordFloats + numberAt] = orderNumber;
    records.ints[slot * recordInts + accountAt] = accountId;
    records.ints[slot * recordInts + marketAt] = marketId;
    this.loosen(slot);
    const order = this.at(slot);
    order.startAt(now);
    return order;
  }

  /** Copies the order to another record, to try out a change. */
  copy(order: StoredOrder): StoredOrder {
    const { orderNumber, accountId, marketId, createdAt } = order;
    const copied = this.open(orderNumber, accountId, marketId, createdAt);
    const { floats } = this.records;
    const from = order.slot * recordFloats;
    // The book's part, before the owner's, belongs to the resting record.
    floats.copyWithin(copied.slot * recordFloats + numberAt, from + numberAt, from + recordFloats);
    const { ints } = this.records;
    const terms = copied.slot * recordInts + termsAt;
    ints[terms] = (ints[terms] as number) & ~(isLiveFlag | hasClientIdFlag);
    copied.copyExtras(order);
    return copied;
  }

  at(slot: number): StoredOrder {
    return this.handles[slot] as StoredOrder;
  }

  /** Undefined if there is no such live order. */
  get(orderNumber: number): StoredOrder | undefined {
    const slot = this.find(orderNumber);
    return slot < 0 ? undefined : this.at(slot);
  }

  has(orderNumber: number): boolean {
    return this.find(orderNumber) >= 0;
  }

  /** Whether this very order has been added and not removed since. */
  isLive({ slot }: StoredOrder): boolean {
    return (this.termsOf(slot) & isLiveFlag) !== 0;
  }

  findByClientId(accountId: number, clientOrderId: string): StoredOrder | undefined {
    const slot = this.clientIds.find(
      this.clientIds.hash(accountId, clientOrderId),
      accountId,
      clientOrderId,
    );
    return slot < 0 ? undefined : this.at(slot);
  }

  /** Makes the order live: it can be found, and is the last of its account's orders. */
  add({ slot }: StoredOrder): void {
    const account = this.accountOf(slot);
    this.byAccount.append(account, this.marketOf(slot), slot);
    this.index.set(this.numberOf(slot), slot);
    if (account >= this.counts.length) this.counts = grownInts(this.counts, account + 1);
    (this.counts[account] as number) += 1;
    this.liveCount += 1;
    this.setTerms(slot, this.termsOf(slot) | isLiveFlag);
    const clientOrderId = this.at(slot).clientOrderId;
    if (clientOrderId !== null) {
      this.clientIds.add(slot, this.clientIds.hash(account, clientOrderId));
    }
  }

  /** Removes the order from all lookups. @returns whether it was live. */
  remove({ slot }: StoredOrder): boolean {
    const terms = this.termsOf(slot);
    if ((terms & isLiveFlag) === 0) return false;
    const account = this.accountOf(slot);
    if ((terms & hasClientIdFlag) !== 0) this.clientIds.remove(slot);
    this.byAccount.remove(account, this.marketOf(slot), slot);
    this.index.take(this.numberOf(slot));
    (this.counts[account] as number) -= 1;
    this.liveCount -= 1;
    this.setTerms(slot, terms & ~isLiveFlag);
    this.loosen(slot);
    return true;
  }

  /** Releases the records of orders that are not live; no references to them may be kept. */
  recycle(): void {
    for (let at = 0; at < this.looseCount; at += 1) {
      const slot = this.loose[at] as number;
      const terms = this.termsOf(slot);
      // A record that was opened and ended in one command is in the list twice.
      if ((terms & (isLiveFlag | isFreeFlag)) !== 0) continue;
      if ((terms & hasClientIdFlag) !== 0) this.clientOrderIds[slot] = null;
      this.setTerms(slot, isFreeFlag);
      this.records.release(slot);
    }
    this.looseCount = 0;
  }

  /** The number of live orders that the account has in the market. */
  countIn(accountId: number, marketId: number): number {
    return this.byAccount.count(accountId, marketId);
  }

  countOf(accountId: number): number {
    return this.counts[accountId] ?? 0;
  }

  /** The account's live orders in the market, by number. */
  listIn(accountId: number, marketId: number): StoredOrder[] {
    const found: StoredOrder[] = [];
    let slot = this.byAccount.first(accountId, marketId);
    for (; slot >= 0; slot = this.byAccount.next(slot)) found.push(this.at(slot));
    return found;
  }

  /** The account's live orders in all markets, by number. */
  listOf(accountId: number): StoredOrder[] {
    const found: StoredOrder[] = [];
    if (this.countOf(accountId) === 0) return found;
    for (let market = 0; market < this.byAccount.marketCount; market += 1) {
      found.push(...this.listIn(accountId, market));
    }
    return found.sort(byNumber);
  }

  /** All live orders by number. */
  values(): StoredOrder[] {
    return this.handles.filter((order) => this.isLive(order)).sort(byNumber);
  }

  numberOf(slot: number): number {
    return this.records.floats[slot * recordFloats + numberAt] as number;
  }

  accountOf(slot: number): number {
    return this.records.ints[slot * recordInts + accountAt] as number;
  }

  marketOf(slot: number): number {
    return this.records.ints[slot * recordInts + marketAt] as number;
  }

  clientOrderIdOf(slot: number): string | null {
    return this.clientOrderIds[slot] as string | null;
  }

  clientHashOf(slot: number): number {
    return this.records.ints[slot * recordInts + clientHashAt] as number;
  }

  setClientHash(slot: number, hash: number): void {
    this.records.ints[slot * recordInts + clientHashAt] = hash;
  }

  /** Makes room for the fields that only some orders have, for the order at the slot. */
  openExtras(slot: number): void {
    const end = (slot + 1) * extraFloats;
    if (end > this.extras.length) this.extras = grownFloats(this.extras, end);
    this.extras.fill(Number.NaN, end - extraFloats, end);
  }

  private loosen(slot: number): void {
    if (this.looseCount === this.loose.length) {
      this.loose = grownInts(this.loose, this.looseCount + 1);
    }
    this.loose[this.looseCount] = slot;
    this.looseCount += 1;
  }

  private find(orderNumber: number): number {
    const slot = this.index.find(orderNumber);
    return slot >= 0 && this.numberOf(slot) === orderNumber ? slot : -1;
  }

  private termsOf(slot: number): number {
    return this.records.ints[slot * recordInts + termsAt] as number;
  }

  private setTerms(slot: number, terms: number): void {
    this.records.ints[slot * recordInts + termsAt] = terms;
  }
}

/** The live orders of one account. */
export class OrdersOfAccount {
  private readonly stored: StoredOrders;
  private readonly accountId: number;

  constructor(stored: StoredOrders, accountId: number) {
    this.stored = stored;
    this.accountId = accountId;
  }

  get size(): number {
    return this.stored.countOf(this.accountId);
  }

  /** By number. */
  values(): LiveOrder[] {
    return this.stored.listOf(this.accountId);
  }
}

function byNumber(first: LiveOrder, second: LiveOrder): number {
  return first.orderNumber - second.orderNumber;
}
