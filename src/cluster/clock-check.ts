import type { Time } from '../system/time.ts';

export interface ClockCheckOptions {
  readonly time: Pick<Time, 'wallMs' | 'monotonicMs'>;
  /** The database's clock, in milliseconds since 1970; null if it cannot be read now. */
  readonly databaseTime: () => Promise<number | null>;
}

/** When the server of the log stored something, by its clock, and between which own readings. */
export interface ServerStamp {
  readonly storedAt: number;
  readonly wallBefore: number;
  readonly wallAfter: number;
}

type Verdict = 'ahead' | 'behind' | 'close';

const boundMs = 250;
const fitAgainMs = 10_000;
/** An older reading says nothing of the clock that is there now. */
const freshMs = 10_000;

/**
 * Compares this machine's wall clock with those of the log's server and of the database. It is off
 * if both are more than 250 ms away on the same side: then it is this clock that is wrong, as the
 * middle one of three is right if only one is wrong. With fewer than three the verdict stays, but
 * for a database's clock that is close: who owns nothing stores nothing with the log's server.
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
