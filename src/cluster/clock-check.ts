import type { Time } from '../system/time.ts';

export interface ClockCheckOptions {
  readonly time: Pick<Time, 'wallMs' | 'monotonicMs'>;
  /** The database's clock, in milliseconds since 1970; null if it cannot be read now. */
  readonly databaseTime: () => Promise<number | null>;
}

/** The log server's time of a write, and this machine's clock just before and just after it. */
export interface ServerStamp {
  readonly storedAt: number;
  readonly wallBefore: number;
  readonly wallAfter: number;
}

type Verdict = 'ahead' | 'behind' | 'close';

const boundMs = 250;
const fitAgainMs = 10_000;
/** An older reading says nothing about the present clock. */
const freshMs = 10_000;

/**
 * Compares this machine's wall clock with those of the log's server and of the database. It is off
 * if both differ from it by more than 250 ms in the same direction: if only one of three clocks is
 * wrong, the middle one is right. With fewer than three clocks the verdict stays, unless the
 * database's clock is close: a process that is not the owner has no stamp from the log's server.
 */
export class ClockCheck {
  readonly #options: ClockCheckOptions;
  #server: { readonly verdict: Verdict; readonly at: number } | null = null;
  #isOff = false;
  #closeSince: number | null = null;

  constructor(options: ClockCheckOptions) {
    this.#options = options;
  }

  /** Whether this machine's clock is wrong, or has been within the last 10 s. */
  get isOff(): boolean {
    return this.#isOff;
  }

  noteServer({ storedAt, wallBefore, wallAfter }: ServerStamp): void {
    const verdict = compareClocks(wallBefore - storedAt, wallAfter - storedAt);
    this.#server = { verdict, at: this.#options.time.monotonicMs() };
  }

  async check(): Promise<void> {
    const { time, databaseTime } = this.#options;
    const wallBefore = time.wallMs();
    const database = await databaseTime();
    if (database === null) return;
    const now = time.monotonicMs();
    const verdict = compareClocks(wallBefore - database, time.wallMs() - database);
    const server = this.#server;
    const isServerKnown = server !== null && now - server.at <= freshMs;
    if (verdict !== 'close' && !isServerKnown) return;
    if (verdict !== 'close' && verdict === server?.verdict) {
      this.#isOff = true;
      this.#closeSince = null;
      return;
    }
    this.#closeSince ??= now;
    if (now - this.#closeSince >= fitAgainMs) this.#isOff = false;
  }
}

// The true difference lies between these two.
function compareClocks(least: number, most: number): Verdict {
  if (least > boundMs) return 'ahead';
  return most < -boundMs ? 'behind' : 'close';
}
