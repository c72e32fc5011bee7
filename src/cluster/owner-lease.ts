import type { Time } from '../system/time.ts';
import type { ProcessLiveness } from './process-liveness.ts';

// Decides which process may accept orders. The lease only keeps processes from disturbing each
// other. What makes a former owner harmless is that the shared log refuses its entries, regardless
// of any clock.

/** The holder is null if there is none; the epoch is that of the last owner. */
export interface LeaseRecord {
  readonly holder: string | null;
  readonly epoch: number;
  /** What the holder accepts; absent: everything. */
  readonly takes?: 'cancels';
}

export interface StoredLease {
  readonly record: LeaseRecord;
  /** Changes with every write. */
  readonly revision: number;
  /** When it was written, by the server's clock; absent if the server does not report it. */
  readonly storedAt?: number;
}

/** One record that several processes write with compare-and-set. */
export interface LeaseStore {
  load(): Promise<StoredLease | null>;
  /**
   * Returns the new revision; null if the record is not at the expected one (null: not to exist).
   */
  write(record: LeaseRecord, expected: number | null): Promise<number | null>;
}

export interface LeaseTiming {
  /** How often the owner renews, and how often the others check. */
  readonly renewMs: number;
  readonly watchMs: number;
  /** A standby takes over if the lease was not renewed for this long. */
  readonly expireMs: number;
  /** The owner stops accepting orders if it could not renew for this long, which is shorter. */
  readonly holdMs: number;
  /** Other processes send nothing more to an owner that has been silent for this long. */
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
  /** Differs from every other process, and from this one after a restart. */
  readonly holder: string;
  readonly timing: LeaseTiming;
  readonly liveness: ProcessLiveness;
  readonly time: Pick<Time, 'monotonicMs'>;
  /** Whether this process would accept only cancels as the owner, as its disk is full. */
  readonly takesOnlyCancels?: () => boolean;
}

interface Observed {
  readonly revision: number;
  readonly holder: string | null;
  readonly takesOnlyCancels: boolean;
  /** Whether the holder is known to have ended without releasing it. */
  isAbandoned: boolean;
  /** Since when the record is known to be unchanged, without an unanswered read in between. */
  readonly since: number;
}

/** This process's side of the lease: watches, takes, keeps and releases it. */
export class OwnerLease {
  readonly #options: LeaseOptions;
  #observed: Observed | null = null;
  #held: StoredLease | null = null;
  #heldUntil = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Whether this process may accept orders now. */
  get isHeld(): boolean {
    return this.#held !== null && this.#options.time.monotonicMs() < this.#heldUntil;
  }

  /** Whether the lease is held and was renewed recently, as far as this process saw. */
  get hasLiveOwner(): boolean {
    const { time, timing } = this.#options;
    if (this.#held !== null) return this.isHeld;
    const observed = this.#observed;
    if (observed === null || isFree(observed)) return false;
    return time.monotonicMs() - observed.since < timing.silentMs;
  }

  /** Whether the owner has announced that it accepts only cancels. */
  get takesOnlyCancels(): boolean {
    if (this.#held === null) return this.#observed?.takesOnlyCancels ?? false;
    return this.#options.takesOnlyCancels?.() ?? false;
  }

  /**
   * Takes the lease if it is free or was not renewed for too long. Returns this process's new
   * epoch, which is above `loadMin`, or null if another process has the lease.
   */
  async tryTake(loadMin: () => Promise<number>): Promise<number | null> {
    const { store, holder } = this.#options;
    const stored = await this.#observe();
    await this.#findAbandoned();
    if (stored !== null && !this.#isToBeTaken()) return null;
    const epoch = Math.max(stored?.record.epoch ?? 0, await loadMin()) + 1;
    const record = { holder, epoch };
    const askedAt = this.#options.time.monotonicMs();
    const revision = await store.write(record, stored?.revision ?? null);
    if (revision === null) return null;
    this.#keep({ record, revision }, askedAt);
    return epoch;
  }

  /** Renews the lease; false if another process has it. @throws if the store does not answer. */
  renew(): Promise<boolean> {
    return this.#inTurn(() => this.#renew());
  }

  /** Starts an epoch above `min` under the same lease; null if another process has it. */
  raise(min: number): Promise<number | null> {
    return this.#inTurn(async () => {
      if (!(await this.#renew())) return null;
      const { record, revision } = this.#held!;
      const raised = { holder: record.holder, epoch: Math.max(record.epoch, min) + 1 };
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
    const record = this.#recordOf(held.record);
    const revision = await store.write(record, held.revision);
    if (revision !== null) {
      this.#keep({ record, revision }, askedAt);
      return true;
    }
    const stored = await store.load();
    // An earlier renewal whose answer was lost may have changed the revision.
    if (stored !== null && isSame(stored.record, held.record)) {
      this.#keep(stored, askedAt);
      return true;
    }
    // A store that lost its newest records holds an older one, which no process has taken since.
    const isOlder = stored === null || stored.record.epoch < held.record.epoch;
    const again = isOlder ? await store.write(held.record, stored?.revision ?? null) : null;
    if (again === null) {
      this.#held = null;
      return false;
    }
    this.#keep({ record: held.record, revision: again }, askedAt);
    return true;
  }

  #recordOf({ holder, epoch }: LeaseRecord): LeaseRecord {
    return this.takesOnlyCancels ? { holder, epoch, takes: 'cancels' } : { holder, epoch };
  }

  /** Lets another process take over at once. */
  release(): Promise<void> {
    return this.#free(0);
  }

  /** The same for an epoch that has not begun in the log: its number can be used again. */
  giveBack(): Promise<void> {
    return this.#free(1);
  }

  // Each write expects the revision left by the one before it.
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

  /** Reads the lease without taking it. */
  async watch(): Promise<void> {
    await this.#observe();
    await this.#findAbandoned();
  }

  async #observe(): Promise<StoredLease | null> {
    const { store, time } = this.#options;
    // A process that only watches is not the owner: the epoch of its lease could not begin.
    this.#held = null;
    let stored: StoredLease | null;
    try {
      stored = await store.load();
    } catch (error) {
      // An owner that cannot be observed may be alive, so earlier observations no longer count.
      this.#observed = null;
      throw error;
    }
    const before = this.#observed;
    if (stored === null) {
      this.#observed = null;
      return null;
    }
    const { record, revision } = stored;
    if (before?.revision === revision) return stored;
    const since = time.monotonicMs();
    const takesOnlyCancels = record.takes === 'cancels';
    const { holder } = record;
    this.#observed = { revision, holder, takesOnlyCancels, isAbandoned: false, since };
    return stored;
  }

  async #findAbandoned(): Promise<void> {
    const observed = this.#observed;
    if (observed === null || isFree(observed) || observed.holder === this.#options.holder) return;
    observed.isAbandoned = await this.#options.liveness.isGone(observed.holder!);
  }

  #isToBeTaken(): boolean {
    const observed = this.#observed;
    if (observed === null) return false;
    const { time, timing } = this.#options;
    return isFree(observed) || time.monotonicMs() - observed.since >= timing.expireMs;
  }

  #keep(held: StoredLease, askedAt: number): void {
    this.#held = held;
    this.#heldUntil = askedAt + this.#options.timing.holdMs;
  }
}

function isFree({ holder, isAbandoned }: Observed): boolean {
  return holder === null || isAbandoned;
}

function isSame(left: LeaseRecord, right: LeaseRecord): boolean {
  return left.holder === right.holder && left.epoch === right.epoch;
}
