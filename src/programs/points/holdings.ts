import { type Amount, zeroAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { type DayNumber, dayMs, dayOf } from './epochs.ts';

// Value of open positions over time, at mark price. Each market has an index, the integral of its
// mark price over milliseconds. A position earns its quantity times the growth of the index while
// it was open. So a price move costs nothing per position: a position is only visited when it
// changes or when a full hour is settled.

/** A market's mark price, and the sum of it over all milliseconds up to `at`. */
export interface MarkIndex {
  readonly markPrice: Amount;
  readonly sum: bigint;
  readonly at: TimestampMs;
}

/** An open position, counted up to the index value `indexSum`. */
export interface Holding {
  readonly accountId: AccountId;
  readonly marketId: number;
  /** Absolute quantity in the base asset. */
  readonly quantity: Decimal;
  readonly indexSum: bigint;
}

/** Value that an account held on one day. */
export interface HeldValue {
  readonly accountId: AccountId;
  readonly day: DayNumber;
  /** In the unit of DayFacts; exact, so the result does not depend on when it is counted. */
  readonly valueHeld: bigint;
}

/** Counts the value that positions hold over time. Moments are passed in and must not decrease. */
export class Holdings {
  readonly #marks = new Map<number, MarkIndex>();
  readonly #holdings = new Map<string, Holding>();
  readonly #changed = new Set<string>();
  readonly #earned: HeldValue[] = [];

  constructor(marks: Iterable<readonly [number, MarkIndex]>, holdings: Iterable<Holding>) {
    for (const [marketId, mark] of marks) this.#marks.set(marketId, mark);
    for (const holding of holdings) this.#holdings.set(keyOf(holding), holding);
  }

  /** Sets a market's mark price from `at` on, in USDT for one whole base asset. */
  setMark(marketId: number, markPrice: Amount, at: TimestampMs): void {
    this.#marks.set(marketId, { markPrice, sum: this.#sumAt(marketId, at), at });
  }

  /** Sets the position from `at` on; zero closes it. */
  setQuantity(
    { accountId, marketId }: Pick<Holding, 'accountId' | 'marketId'>,
    quantity: Decimal,
    at: TimestampMs,
  ): void {
    const key = keyOf({ accountId, marketId });
    this.#settle(key, at);
    this.#changed.add(key);
    if (quantity === 0n) this.#holdings.delete(key);
    else {
      const indexSum = this.#sumAt(marketId, at);
      this.#holdings.set(key, { accountId, marketId, quantity, indexSum });
    }
  }

  /**
   * Counts every loaded position up to the moment. A caller that has loaded all of them calls this
   * at the end of each hour, and before it lets time pass a UTC midnight.
   */
  settleAll(at: TimestampMs): void {
    for (const key of this.#holdings.keys()) {
      this.#settle(key, at);
      this.#changed.add(key);
    }
  }

  /** The mark price and index of every market, by market id. */
  get marks(): ReadonlyMap<number, MarkIndex> {
    return this.#marks;
  }

  /** The values counted since construction. */
  get earned(): readonly HeldValue[] {
    return this.#earned;
  }

  /** The positions to write, and the keys of the closed positions. */
  get changes(): { readonly open: readonly Holding[]; readonly closed: readonly HoldingKey[] } {
    const open: Holding[] = [];
    const closed: HoldingKey[] = [];
    for (const key of this.#changed) {
      const holding = this.#holdings.get(key);
      if (holding === undefined) closed.push(keyFrom(key));
      else open.push(holding);
    }
    return { open, closed };
  }

  #settle(key: string, at: TimestampMs): void {
    const holding = this.#holdings.get(key);
    if (holding === undefined) return;
    const { accountId, marketId, quantity, indexSum } = holding;
    const sum = this.#sumAt(marketId, at);
    const valueHeld = quantity * (sum - indexSum);
    // Midnight belongs to the day that it ends.
    const day = dayOf((at - 1) as TimestampMs);
    if (valueHeld > 0n) this.#earned.push({ accountId, day, valueHeld });
    this.#holdings.set(key, { ...holding, indexSum: sum });
  }

  #sumAt(marketId: number, at: TimestampMs): bigint {
    const { markPrice, sum, at: since } = this.#marks.get(marketId) ?? unmarked;
    // Time never decreases, but a market's mark can be later than the moment that is settled.
    return at > since ? sum + markPrice * BigInt(at - since) : sum;
  }
}

/** Identifies a position: one account in one market. */
export type HoldingKey = Pick<Holding, 'accountId' | 'marketId'>;

/** The moments to settle in (from, to]: the end of each day, then the last full hour. */
export function settlingMoments(from: TimestampMs, to: TimestampMs): readonly TimestampMs[] {
  const moments: TimestampMs[] = [];
  for (let end = nextMultiple(from, dayMs); end <= to; end += dayMs) {
    moments.push(end as TimestampMs);
  }
  const lastHour = Math.floor(to / hourMs) * hourMs;
  const latest = moments.at(-1) ?? from;
  if (lastHour > latest) moments.push(lastHour as TimestampMs);
  return moments;
}

const hourMs = 3_600_000;
const unmarked: MarkIndex = { markPrice: zeroAmount, sum: 0n, at: 0 as TimestampMs };

function nextMultiple(time: number, unit: number): number {
  return (Math.floor(time / unit) + 1) * unit;
}

function keyOf({ accountId, marketId }: HoldingKey): string {
  return `${accountId} ${marketId}`;
}

function keyFrom(key: string): HoldingKey {
  const [accountId = '', marketId = ''] = key.split(' ');
  return { accountId: Number(accountId) as AccountId, marketId: Number(marketId) };
}
