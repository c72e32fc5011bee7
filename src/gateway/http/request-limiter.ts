import { AddressBans } from './address-bans.ts';

// Limits as on Binance: weights per address and per API key in each minute, orders per account in
// ten seconds and in a minute, and a few calls whose cost exceeds their weight.

export interface RequestLimits {
  readonly requestWeightPerMinute: number;
  readonly ordersPerTenSeconds: number;
  readonly ordersPerMinute: number;
  /** Nonces, sign-ins and failed admin keys per address. */
  readonly signInsPerMinute: number;
  /** Signatures of the service per account. */
  readonly signingsPerMinute: number;
}

const minuteMs = 60_000;
/** Stream messages, and streams named in them, that an address has per unit of weight. */
const streamsPerWeight = 10;
const tenSecondsMs = 10_000;
// Above this number of callers in one window the rest share one count, to keep memory bounded.
const callersMax = 200_000;

/** Counts by caller in fixed windows; a new window discards the previous one as a whole. */
class WindowCounts {
  readonly max: number;
  readonly #lengthMs: number;
  #window = -1;
  #counts = new Map<string, { used: number }>();

  constructor(lengthMs: number, max: number) {
    this.#lengthMs = lengthMs;
    this.max = max;
  }

  /** What the caller has used in this window, including this amount. */
  add(caller: string, amount: number, nowMs: number): number {
    const window = Math.floor(nowMs / this.#lengthMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const known = this.#counts.get(caller);
    if (known !== undefined) return (known.used += amount);
    const isFull = this.#counts.size >= callersMax;
    if (isFull && caller !== '') return this.add('', amount, nowMs);
    this.#counts.set(caller, { used: amount });
    return amount;
  }

  /** True if this amount is still within the limit; counts nothing. */
  hasRoom(caller: string, amount: number, nowMs: number): boolean {
    if (Math.floor(nowMs / this.#lengthMs) !== this.#window) return amount <= this.max;
    return (this.#counts.get(caller)?.used ?? 0) + amount <= this.max;
  }

  isOver(used: number): boolean {
    return used > this.max;
  }

  /** Whole seconds until the window ends, at least 1. */
  retryAfterSeconds(nowMs: number): number {
    return Math.max(1, Math.ceil((this.#lengthMs - (nowMs % this.#lengthMs)) / 1000));
  }
}

export interface Use {
  readonly used: number;
  /** Null: within the limit. */
  readonly retryAfterSeconds: number | null;
  /** The address continued sending for too long although it was refused. */
  readonly isBanned: boolean;
}

/** What a call counts towards the two limits on an account's orders. */
export interface OrderUnits {
  readonly inTenSeconds: number;
  readonly inMinute: number;
}

const oneOrder: OrderUnits = { inTenSeconds: 1, inMinute: 1 };

export interface OrderUse extends OrderUnits {
  /** The limit that was reached, as text, and the time until it is lifted; null: none. */
  readonly over: { readonly limit: string; readonly retryAfterSeconds: number } | null;
}

/** A limit in Binance's form, and how much of it is used. */
export interface UsedLimit {
  readonly rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS';
  readonly interval: string;
  readonly intervalNum: number;
  readonly limit: number;
  readonly count: number;
}

/** What callers have used of their limits; one instance per process. */
export class RequestLimiter {
  readonly #weights: WindowCounts;
  readonly #keyWeights: WindowCounts;
  readonly #ordersTenSeconds: WindowCounts;
  readonly #ordersMinute: WindowCounts;
  readonly #signIns: WindowCounts;
  readonly #signings: WindowCounts;
  readonly #streams: WindowCounts;
  readonly #bans: AddressBans;
  readonly #now: () => number;

  constructor(limits: RequestLimits, now: () => number) {
    this.#weights = new WindowCounts(minuteMs, limits.requestWeightPerMinute);
    this.#keyWeights = new WindowCounts(minuteMs, limits.requestWeightPerMinute);
    this.#ordersTenSeconds = new WindowCounts(tenSecondsMs, limits.ordersPerTenSeconds);
    this.#ordersMinute = new WindowCounts(minuteMs, limits.ordersPerMinute);
    this.#signIns = new WindowCounts(minuteMs, limits.signInsPerMinute);
    this.#signings = new WindowCounts(minuteMs, limits.signingsPerMinute);
    this.#streams = new WindowCounts(minuteMs, limits.requestWeightPerMinute * streamsPerWeight);
    this.#bans = new AddressBans(limits.requestWeightPerMinute);
    this.#now = now;
  }

  useWeight(clientAddress: string, weight: number): Use {
    const nowMs = this.#now();
    const client = limitedAddress(clientAddress);
    const bannedSeconds = this.#bans.retryAfterSeconds(client, nowMs);
    const use = this.#use(this.#weights, client, weight);
    if (bannedSeconds !== null) {
      return { used: use.used, retryAfterSeconds: bannedSeconds, isBanned: true };
    }
    if (use.retryAfterSeconds !== null && weight > 0) this.#bans.refuse(client, nowMs);
    return use;
  }

  useKeyWeight(apiKey: string, weight: number): Use {
    return this.#use(this.#keyWeights, apiKey, weight);
  }

  useSignIn(clientAddress: string): Use {
    return this.#use(this.#signIns, limitedAddress(clientAddress), 1);
  }

  /**
   * Counts messages on stream connections and the streams that they name, on all connections of the
   * address together; false if it has used up its minute.
   */
  useStreams(clientAddress: string, amount: number): boolean {
    const use = this.#use(this.#streams, limitedAddress(clientAddress), amount);
    return use.retryAfterSeconds === null;
  }

  useSigning(account: string): Use {
    return this.#use(this.#signings, account, 1);
  }

  useOrders(account: string, units: OrderUnits = oneOrder): OrderUse {
    const nowMs = this.#now();
    const inTenSeconds = this.#ordersTenSeconds.add(account, units.inTenSeconds, nowMs);
    const inMinute = this.#ordersMinute.add(account, units.inMinute, nowMs);
    let over: OrderUse['over'] = null;
    if (this.#ordersMinute.isOver(inMinute)) {
      const limit = `${this.#ordersMinute.max} orders per minute`;
      over = { limit, retryAfterSeconds: this.#ordersMinute.retryAfterSeconds(nowMs) };
    } else if (this.#ordersTenSeconds.isOver(inTenSeconds)) {
      const limit = `${this.#ordersTenSeconds.max} orders per 10 seconds`;
      over = { limit, retryAfterSeconds: this.#ordersTenSeconds.retryAfterSeconds(nowMs) };
    }
    return { inTenSeconds, inMinute, over };
  }

  /** The limits and their usage, as Binance's WebSocket API returns them. */
  rateLimits(usedWeight: number, orders: OrderUnits | null): readonly UsedLimit[] {
    const weight = usedLimit('REQUEST_WEIGHT', 'MINUTE', 1, this.#weights.max, usedWeight);
    if (orders === null) return [weight];
    const { inTenSeconds, inMinute } = orders;
    return [
      usedLimit('ORDERS', 'SECOND', 10, this.#ordersTenSeconds.max, inTenSeconds),
      usedLimit('ORDERS', 'MINUTE', 1, this.#ordersMinute.max, inMinute),
      weight,
    ];
  }

  /**
   * Counts one order with everything it counts towards; null, and nothing counted, if over a limit.
   */
  useForOrder(
    clientAddress: string,
    apiKey: string,
    account: string,
    weight: number,
  ): { readonly usedWeight: number; readonly orders: OrderUse } | null {
    const nowMs = this.#now();
    const client = limitedAddress(clientAddress);
    const hasRoom =
      this.#bans.retryAfterSeconds(client, nowMs) === null &&
      this.#weights.hasRoom(client, weight, nowMs) &&
      this.#keyWeights.hasRoom(apiKey, weight, nowMs) &&
      this.#ordersTenSeconds.hasRoom(account, 1, nowMs) &&
      this.#ordersMinute.hasRoom(account, 1, nowMs);
    if (!hasRoom) return null;
    this.#keyWeights.add(apiKey, weight, nowMs);
    return {
      usedWeight: this.#weights.add(client, weight, nowMs),
      orders: this.useOrders(account),
    };
  }

  #use(counts: WindowCounts, caller: string, amount: number): Use {
    const nowMs = this.#now();
    const used = counts.add(caller, amount, nowMs);
    return {
      used,
      retryAfterSeconds: counts.isOver(used) ? counts.retryAfterSeconds(nowMs) : null,
      isBanned: false,
    };
  }
}

function usedLimit(
  rateLimitType: UsedLimit['rateLimitType'],
  interval: string,
  intervalNum: number,
  limit: number,
  count: number,
): UsedLimit {
  return { rateLimitType, interval, intervalNum, limit, count };
}

// An IPv6 subscriber has a whole /64 of addresses and counts as one caller.
export function limitedAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::', 2);
  const start = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? 8 - start.length - end.length : 0;
  const groups = [...start, ...Array.from({ length: gap }, () => '0'), ...end];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
