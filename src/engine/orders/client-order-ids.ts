// Client order ids are looked up by a hash of account and text in an open-addressing table of order
// slots; a Map of joined strings costs several times as much. If chosen texts make lookups long,
// the table is rebuilt with another seed. The seed affects no result and is not part of the state.

const capacityMin = 1_024;
const placeInts = 2;
const probesMax = 64;
export const firstSeed = 0x9e3779b9;

/** The owner of the orders, which are identified by the slots of their records. */
export interface ClientOrderOwner {
  /** The order’s number. */
  numberOf(slot: number): number;
  /** The number of the order’s account. */
  accountOf(slot: number): number;
  /** Null for an order without one. */
  clientOrderIdOf(slot: number): string | null;
  /** The hash that `setClientHash` has stored. */
  clientHashOf(slot: number): number;
  /** Stores a hash of 32 bits beside the order, so that it is not computed again. */
  setClientHash(slot: number, hash: number): void;
}

/** The client order ids in use: each at most once among an account's live orders. */
export class ClientOrderIds {
  private readonly orders: ClientOrderOwner;
  private capacity = capacityMin;
  /** Order slot + 1 by place, 0 if free, each with the hash of its id. */
  private places = new Int32Array(capacityMin * placeInts);
  private count = 0;
  private addsSinceRebuild = 0;
  /** The current seed of the hashes. */
  seed = firstSeed;

  constructor(orders: ClientOrderOwner) {
    this.orders = orders;
  }

  /** The hash to pass to `has` and `add` for an id, valid until the next `add`. */
  hash(accountId: number, clientOrderId: string): number {
    return hashClientOrderId(accountId, clientOrderId, this.seed);
  }

  /** Whether a live order of the account has this id. */
  has(hash: number, accountId: number, clientOrderId: string): boolean {
    return this.find(hash, accountId, clientOrderId) >= 0;
  }

  /** The slot of the account's live order that has this id, or -1. */
  find(hash: number, accountId: number, clientOrderId: string): number {
    const { places, orders } = this;
    const mask = this.capacity - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const slot = (places[place * placeInts] as number) - 1;
      if (slot < 0) return -1;
      if (
        places[place * placeInts + 1] === hash &&
        orders.accountOf(slot) === accountId &&
        orders.clientOrderIdOf(slot) === clientOrderId
      ) {
        return slot;
      }
    }
  }

  /** Adds a kept order that has a client order id, under the id's hash. */
  add(slot: number, hash: number): void {
    if ((this.count + 1) * 2 > this.capacity) this.rebuild(this.capacity * 2);
    this.orders.setClientHash(slot, hash);
    this.count += 1;
    this.addsSinceRebuild += 1;
    if (this.insert(slot, hash) > probesMax && this.addsSinceRebuild * 8 > this.count) {
      this.seed = (this.seed + firstSeed + this.orders.numberOf(slot)) >>> 0;
      this.rebuild(this.capacity);
    }
  }

  /** Removes the order's id; its record must be unchanged since it was added. */
  remove(slot: number): void {
    const { places } = this;
    const mask = this.capacity - 1;
    let hole = this.orders.clientHashOf(slot) & mask;
    while (places[hole * placeInts] !== slot + 1) hole = (hole + 1) & mask;
    // Entries after the hole move up, unless that would put them before their own place.
    for (let place = (hole + 1) & mask; ; place = (place + 1) & mask) {
      const entry = places[place * placeInts] as number;
      if (entry === 0) break;
      const hash = places[place * placeInts + 1] as number;
      if (((place - hash) & mask) < ((place - hole) & mask)) continue;
      places[hole * placeInts] = entry;
      places[hole * placeInts + 1] = hash;
      hole = place;
    }
    places[hole * placeInts] = 0;
    this.count -= 1;
  }

  /** Puts the slot into the first free place. @returns how many places were tried. */
  private insert(slot: number, hash: number): number {
    const { places } = this;
    const mask = this.capacity - 1;
    let place = hash & mask;
    let probes = 1;
    while (places[place * placeInts] !== 0) {
      place = (place + 1) & mask;
      probes += 1;
    }
    places[place * placeInts] = slot + 1;
    places[place * placeInts + 1] = hash;
    return probes;
  }

  private rebuild(capacity: number): void {
    const { orders } = this;
    const before = this.places;
    this.capacity = capacity;
    this.places = new Int32Array(capacity * placeInts);
    this.addsSinceRebuild = 0;
    for (let at = 0; at < before.length; at += placeInts) {
      const slot = (before[at] as number) - 1;
      if (slot < 0) continue;
      const hash = this.hash(orders.accountOf(slot), orders.clientOrderIdOf(slot) ?? '');
      orders.setClientHash(slot, hash);
      this.insert(slot, hash);
    }
  }
}

/** Mixes account and text, two characters at a time, with factors that depend on the seed. */
export function hashClientOrderId(accountId: number, text: string, seed: number): number {
  const factor = seed | 1;
  let hash = mixIn(text.length, accountId, factor);
  for (let at = 0; at < text.length; at += 2) {
    const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    hash = mixIn(hash, text.charCodeAt(at) | (second << 16), factor);
  }
  return hash ^ (hash >>> 16);
}

function mixIn(hash: number, value: number, factor: number): number {
  const mixed = Math.imul(hash ^ value, factor);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
}
