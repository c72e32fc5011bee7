import type { OpenOrders } from './open-orders.ts';

// Client order ids are looked up by a hash of account and text in an open-addressing table of
// order slots; a Map of joined strings costs several times that. Where chosen texts make a lookup
// long, the table is rebuilt under another seed. The seed shows in no result and in no state.

const capacityMin = 1_024;
const probesMax = 64;
export const firstSeed = 0x9e3779b9;

/** The client order ids in use: each at most once among an account's live orders. */
export class ClientOrderIds {
  private readonly orders: OpenOrders;
  /** Order slot + 1 by place; 0 where free. */
  private places = new Int32Array(capacityMin);
  private count = 0;
  private addsSinceRebuild = 0;
  /** What the hashes are mixed with at present. */
  seed = firstSeed;

  constructor(orders: OpenOrders) {
    this.orders = orders;
  }

  /** The hash under which `has` and `add` know an id, until the next `add`. */
  hash(accountId: number, clientOrderId: string): number {
    return hashClientOrderId(accountId, clientOrderId, this.seed);
  }

  /** Whether a live order of the account has this id. */
  has(hash: number, accountId: number, clientOrderId: string): boolean {
    const { places, orders } = this;
    const mask = places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const slot = (places[place] as number) - 1;
      if (slot < 0) return false;
      if (
        orders.clientHashOf(slot) === hash &&
        orders.accountOf(slot) === accountId &&
        orders.clientOrderIdOf(slot) === clientOrderId
      ) {
        return true;
      }
    }
  }

  /** Takes in a kept order that has a client order id, under the id's hash. */
  add(slot: number, hash: number): void {
    if ((this.count + 1) * 2 > this.places.length) this.rebuild(this.places.length * 2);
    this.orders.setClientHash(slot, hash);
    this.count += 1;
    this.addsSinceRebuild += 1;
    if (this.insert(slot) > probesMax && this.addsSinceRebuild * 8 > this.count) {
      this.seed = (this.seed + firstSeed + this.orders.numberOf(slot)) >>> 0;
      this.rebuild(this.places.length);
    }
  }

  /** Forgets the order's id; the record must still be as it was added. */
  remove(slot: number): void {
    const { places } = this;
    const mask = places.length - 1;
    let hole = this.orders.clientHashOf(slot) & mask;
    while (places[hole] !== slot + 1) hole = (hole + 1) & mask;
    // Entries behind the hole move up unless that would put them before their own place.
    for (let place = (hole + 1) & mask; places[place] !== 0; place = (place + 1) & mask) {
      const home = this.orders.clientHashOf((places[place] as number) - 1) & mask;
      if (((place - home) & mask) < ((place - hole) & mask)) continue;
      places[hole] = places[place] as number;
      hole = place;
    }
    places[hole] = 0;
    this.count -= 1;
  }

  /** Puts the slot into the first free place and says how many places were tried. */
  private insert(slot: number): number {
    const mask = this.places.length - 1;
    let place = this.orders.clientHashOf(slot) & mask;
    let probes = 1;
    while (this.places[place] !== 0) {
      place = (place + 1) & mask;
      probes += 1;
    }
    this.places[place] = slot + 1;
    return probes;
  }

  private rebuild(capacity: number): void {
    const { orders } = this;
    const before = this.places;
    this.places = new Int32Array(capacity);
    this.addsSinceRebuild = 0;
    for (const entry of before) {
      if (entry === 0) continue;
      const slot = entry - 1;
      const clientOrderId = orders.clientOrderIdOf(slot) ?? '';
      orders.setClientHash(
        slot,
        hashClientOrderId(orders.accountOf(slot), clientOrderId, this.seed),
      );
      this.insert(slot);
    }
  }
}

/** Mixes account and text, two letters at a time, by factors that depend on the seed. */
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
