import type { Time } from '../system/time.ts';
import type { ClockCheck } from './clock-check.ts';
import type { LeaseRecord, LeaseStore, StoredLease } from './owner-lease.ts';

/** A lease store that also reads the server's clock, from the time at which a record was stored. */
export class ClockedLeaseStore implements LeaseStore {
  readonly #store: LeaseStore;
  readonly #clock: ClockCheck;
  readonly #time: Pick<Time, 'wallMs'>;
  /** The newest revision that was read, and when, by this machine's wall clock. */
  #read: { readonly revision: number; readonly wallMs: number } | null = null;

  constructor(store: LeaseStore, clock: ClockCheck, time: Pick<Time, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
    this.#time = time;
  }

  async load(): Promise<StoredLease | null> {
    const wallAsked = this.#time.wallMs();
    const stored = await this.#store.load();
    const before = this.#read;
    if (stored === null) return null;
    const { revision, storedAt } = stored;
    this.#read = { revision, wallMs: wallAsked };
    // A revision that the last read did not show was written after that read.
    if (storedAt !== undefined && before !== null && before.revision < revision) {
      const wallAfter = this.#time.wallMs();
      this.#clock.noteServer({ storedAt, wallBefore: before.wallMs, wallAfter });
    }
    return stored;
  }

  async write(record: LeaseRecord, expected: number | null): Promise<number | null> {
    const wallBefore = this.#time.wallMs();
    const revision = await this.#store.write(record, expected);
    const wallAfter = this.#time.wallMs();
    if (revision === null) return null;
    this.#store.load().then(
      (stored) => {
        const { storedAt } = stored ?? {};
        if (storedAt === undefined || stored?.revision !== revision) return;
        this.#clock.noteServer({ storedAt, wallBefore, wallAfter });
      },
      // The next renewal shows the time.
      () => undefined,
    );
    return revision;
  }
}
