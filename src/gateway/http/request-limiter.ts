import { AddressBans } from './address-bans.ts';
import { WindowCounts, type WindowTotals } from './window-counts.ts';

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
// What one message to the other processes holds.
const messageCountsMax = 5_000;

/** The limits whose counts the processes share. */
type SharedLimit =
  | 'weights'
  | 'keyWeights'
  | 'ordersTenSeconds'
  | 'ordersMinute'
  | 'signIns'
  | 'signings'
  | 'streams';

/** What one process has counted and the others do not know. */
export interface SharedCountsMessage {
  readonly counts: Readonly<Partial<Record<SharedLimit, WindowTotals>>>;
  /** Banned addresses, each with the end of its ban in milliseconds since 1970. */
  readonly bans: readonly (readonly [address: string, until: number])[];
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

/**
 * What callers have used of their limits; one instance per process. Where there are several, each
 * counts what the others tell it as well.
 */
export class RequestLimiter {
  readonly #limits: Readonly<Record<SharedLimit, WindowCounts>>;
  readonly #bans: AddressBans;
  readonly #now: () => number;

  constructor(limits: RequestLimits, now: () => number) {
    this.#limits = {
      weights: new WindowCounts(minuteMs, limits.requestWeightPerMinute),
      keyWeights: new WindowCounts(minuteMs, limits.requestWeightPerMinute),
      ordersTenSeconds: new WindowCounts(tenSecondsMs, limits.ordersPerTenSeconds),
      ordersMinute: new WindowCounts(minuteMs, limits.ordersPerMinute),
      signIns: new WindowCounts(minuteMs, limits.signInsPerMinute),
      signings: new WindowCounts(minuteMs, limits.signingsPerMinute),
      streams: new WindowCounts(minuteMs, limits.requestWeightPerMinute * streamsPerWeight),
    };
    this.#bans = new AddressBans(limits.requestWeightPerMinute);
    this.#now = now;
  }

  /** From now on what this process counts is reported to others. */
  share(): void {
    for (const counts of Object.values(this.#limits)) counts.share();
    this.#bans.share();
  }

  /** What has changed since the last call; null if nothing has. */
  takeChanged(): SharedCountsMessage | null {
    const counts: Partial<Record<SharedLimit, WindowTotals>> = {};
    let room = messageCountsMax;
    for (const limit of Object.keys(this.#limits) as SharedLimit[]) {
      const totals = this.#limits[limit].takeChanged(room);
      if (totals === null) continue;
      counts[limit] = totals;
      room -= totals.totals.length;
    }
    const bans = this.#bans.takeNew();
    return room === messageCountsMax && bans.length === 0 ? null : { counts, bans };
  }

  /** Adds what another process has reported. */
  note(process: string, { counts, bans }: SharedCountsMessage): void {
    const nowMs = this.#now();
    for (const [limit, own] of Object.entries(this.#limits)) {
      const totals = counts[limit as SharedLimit];
      if (totals !== undefined) own.note(process, totals, nowMs);
    }
    for (const [address, until] of bans) this.#bans.note(address, until, nowMs);
  }

  useWeight(clientAddress: string, weight: number): Use {
    const nowMs = this.#now();
    const client = limitedAddress(clientAddress);
    const bannedSeconds = this.#bans.retryAfterSeconds(client, nowMs);
    const use = this.#use(this.#limits.weights, client, weight);
    if (bannedSeconds !== null) {
      return { used: use.used, retryAfterSeconds: bannedSeconds, isBanned: true };
    }
    if (use.retryAfterSeconds !== null && weight > 0) this.#bans.refuse(client, nowMs);
    return use;
  }

  useKeyWeight(apiKey: string, weight: number): Use {
    return this.#use(this.#limits.keyWeights, apiKey, weight);
  }

  useSignIn(clientAddress: string): Use {
    return this.#use(this.#limits.signIns, limitedAddress(clientAddress), 1);
  }

  /**
   * Counts messages on stream connections and the streams that they name, on all connections of the
   * address together; false if it has used up its minute.
   */
  useStreams(clientAddress: string, amount: number): boolean {
    const use = this.#use(this.#limits.streams, limitedAddress(clientAddress), amount);
    return use.retryAfterSeconds === null;
  }

  useSigning(account: string): Use {
    return this.#use(this.#limits.signings, account, 1);
  }

  useOrders(account: string, units: OrderUnits = oneOrder): OrderUse {
    const nowMs = this.#now();
    const inTenSeconds = this.#limits.ordersTenSeconds.add(account, units.inTenSeconds, nowMs);
    const inMinute = this.#limits.ordersMinute.add(account, units.inMinute, nowMs);
    let over: OrderUse['over'] = null;
    if (this.#limits.ordersMinute.isOver(inMinute)) {
      const limit = `${this.#limits.ordersMinute.max} orders per minute`;
      over = { limit, retryAfterSeconds: this.#limits.ordersMinute.retryAfterSeconds(nowMs) };
    } else if (this.#limits.ordersTenSeconds.isOver(inTenSeconds)) {
      const limit = `${this.#limits.ordersTenSeconds.max} orders per 10 seconds`;
      over = { limit, retryAfterSeconds: this.#limits.ordersTenSeconds.retryAfterSeconds(nowMs) };
    }
    return { inTenSeconds, inMinute, over };
  }

  /** The limits and their usage, as Binance's WebSocket API returns them. */
  rateLimits(usedWeight: number, orders: OrderUnits | null): readonly UsedLimit[] {
    const weight = usedLimit('REQUEST_WEIGHT', 'MINUTE', 1, this.#limits.weights.max, usedWeight);
    if (orders === null) return [weight];
    const { inTenSeconds, inMinute } = orders;
    return [
      usedLimit('ORDERS', 'SECOND', 10, this.#limits.ordersTenSeconds.max, inTenSeconds),
      usedLimit('ORDERS', 'MINUTE', 1, this.#limits.ordersMinute.max, inMinute),
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
      this.#limits.weights.hasRoom(client, weight, nowMs) &&
      this.#limits.keyWeights.hasRoom(apiKey, weight, nowMs) &&
      this.#limits.ordersTenSeconds.hasRoom(account, 1, nowMs) &&
      this.#limits.ordersMinute.hasRoom(account, 1, nowMs);
    if (!hasRoom) return null;
    this.#limits.keyWeights.add(apiKey, weight, nowMs);
    return {
      usedWeight: this.#limits.weights.add(client, weight, nowMs),
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
