import type { Time } from '../system/time.ts';

// Who may take orders. The lease only keeps processes from disturbing each other: what makes a
// former owner harmless is that the shared log refuses its entries, whatever any clock says.

/** Null as holder: nobody; the epoch is that of the last owner. */
export interface LeaseRecord {
  readonly holder: string | null;
  readonly epoch: number;
}

export interface StoredLease {
  readonly record: LeaseRecord;
  /** Changes with every write. */
  readonly revision: number;
}

/** One record that several processes write by compare and set. */
export interface LeaseStore {
  load(): Promise<StoredLease | null>;
  /** The new revision; null where the record is no longer that revision (null: exists). */
  write(record: LeaseRecord, expected: number | null): Promise<number | null>;
}

export interface LeaseTiming {
  /** How often the owner renews, and how often the others look. */
  readonly renewMs: number;
  readonly watchMs: number;
  /** A standby takes over where the lease was not renewed for this long. */
  readonly expireMs: number;
  /** The owner takes no more orders where it could not renew for this long: less than that. */
  readonly holdMs: number;
  /** Others route nothing more to an owner that has been silent for this long. */
  readonly silentMs: number;
}

/** An owner may miss three renewals. */
export const defaultLeaseTiming: LeaseTiming = {
  renewMs: 1_000,
  watchMs: 250,
  expireMs: 5_000,
  holdMs: 4_000,
  silentMs: 2_500,
};

export interface LeaseOptions {
  readonly store: LeaseStore;
  /** Unlike any other process, and unlike this one after a restart. */
  readonly holder: string;
  readonly timing: LeaseTiming;
  readonly time: Pick<Time, 'monotonicMs'>;
}

interface Observed {
  readonly revision: number;
  readonly isFree: boolean;
  /** Since when the record has been seen to stay the same, over answers without a break. */
  readonly since: number;
}

/** This process's side of the lease: watching it, taking it, keeping it, giving it back. */
export class OwnerLease {
  readonly #options: LeaseOptions;
  #observed: Observed | null = null;
  #held: StoredLease | null = null;
  #heldUntil = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Whether this process may take orders now. */
  get isHeld(): boolean {
    return this.#held !== null && this.#options.time.monotonicMs() < this.#heldUntil;
  }

  /** Whether somebody holds the lease and has renewed it lately, as far as this process saw. */
  get isSomebodyThere(): boolean {
    const { time, timing } = this.#options;
    if (this.#held !== null) return this.isHeld;
    const observed = this.#observed;
    if (observed === null || observed.isFree) return false;
    return time.monotonicMs() - observed.since < timing.silentMs;
  }

  /**
   * Looks at the lease and takes it where it is free or was not renewed for long; the epoch of
   * this process then, which is above `epochMin`. Null: it is somebody else's.
   */
  async tryTake(epochMin: number): Promise<number | null> {
    const { store, holder } = this.#options;
    const stored = await this.#observe();
    if (stored !== null && !this.#isToBeTaken()) return null;
    const epoch = Math.max(stored?.record.epoch ?? 0, epochMin) + 1;
    const record = { holder, epoch };
    const askedAt = this.#options.time.monotonicMs();
    const revision = await store.write(record, stored?.revision ?? null);
    if (revision === null) return null;
    this.#keep({ record, revision }, askedAt);
    return epoch;
  }

  /** Keeps the lease. False: somebody else has it. @throws where the store does not answer. */
  renew(): Promise<boolean> {
    return this.#inTurn(() => this.#renew());
  }

  /** Goes on with the next epoch; null: somebody else has the lease. */
  raise(): Promise<number | null> {
    return this.#inTurn(async () => {
      if (!(await this.#renew())) return null;
      const { record, revision } = this.#held!;
      const raised = { holder: record.holder, epoch: record.epoch + 1 };
      const askedAt = this.#options.time.monotonicMs();
      const written = await this.#options.store.write(raised, revision);
      if (written === null) return null;
      this.#keep({ record: raised, revision: written }, askedAt);
      return raised.epoch;
    });
  }

  async #renew(): Promise<boolean> {
    const { store, time } = this.#options;
    const held = this.#held;
    if (held === null) return false;
    const askedAt = time.monotonicMs();
    const revision = await store.write(held.record, held.revision);
    if (revision !== null) {
      this.#keep({ record: held.record, revision }, askedAt);
      return true;
    }
    const stored = await store.load();
    // An earlier renewal whose answer was lost may have moved it.
    if (stored !== null && isSame(stored.record, held.record)) {
      this.#keep(stored, askedAt);
      return true;
    }
    // A store that lost its newest records has an older one, which nobody has taken since.
    const isOlder = stored === null || stored.record.epoch < held.record.epoch;
    const again = isOlder ? await store.write(held.record, stored?.revision ?? null) : null;
    if (again === null) {
      this.#held = null;
      return false;
    }
    this.#keep({ record: held.record, revision: again }, askedAt);
    return true;
  }

  /** Lets somebody else take over at once. */
  release(): Promise<void> {
    return this.#free(0);
  }

  /** The same where the epoch has not begun in the log: its number is free again. */
  giveBack(): Promise<void> {
    return this.#free(1);
  }

  // Each writes the revision that the one before it has left.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #free(unused: number): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    const record = { holder: null, epoch: held.record.epoch - unused };
    await this.#options.store.write(record, held.revision);
  }

  /** Looks at the lease without taking it. */
  async watch(): Promise<void> {
    await this.#observe();
  }

  async #observe(): Promise<StoredLease | null> {
    const { store, time } = this.#options;
    let stored: StoredLease | null;
    try {
      stored = await store.load();
    } catch (error) {
      // An owner that cannot be seen may be well: what was seen before counts no more.
      this.#observed = null;
      throw error;
    }
    const before = this.#observed;
    if (stored === null) {
      this.#observed = null;
      return null;
    }
    const { record, revision } = stored;
    const since = before?.revision === revision ? before.since : time.monotonicMs();
    this.#observed = { revision, isFree: record.holder === null, since };
    return stored;
  }

  #isToBeTaken(): boolean {
    const observed = this.#observed;
    if (observed === null) return false;
    const { time, timing } = this.#options;
    return observed.isFree || time.monotonicMs() - observed.since >= timing.expireMs;
  }

  #keep(held: StoredLease, askedAt: number): void {
    this.#held = held;
    this.#heldUntil = askedAt + this.#options.timing.holdMs;
  }
}

function isSame(left: LeaseRecord, right: LeaseRecord): boolean {
  return left.holder === right.holder && left.epoch === right.epoch;
}
