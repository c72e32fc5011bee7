/** What callers have used at one process in a window; a later message replaces an earlier one. */
export interface WindowTotals {
  /** The number of the window since 1970. */
  readonly window: number;
  readonly totals: readonly (readonly [caller: string, used: number])[];
}

/** What the other processes have reported of one caller. */
interface RemoteUse {
  sum: number;
  readonly byProcess: Map<string, number>;
}

// Above this number of callers in one window the rest share one count, to keep memory bounded.
const callersMax = 200_000;
/** A caller below this part of its limit is not reported to the other processes. */
const unsharedPart = 1 / 20;

/**
 * Counts by caller in fixed windows; a new window discards the previous one as a whole. Where
 * several processes share the limit, each reports to the others what it has counted.
 */
export class WindowCounts {
  readonly max: number;
  readonly #lengthMs: number;
  #window = -1;
  #counts = new Map<string, { used: number }>();
  /** Callers whose count the other processes do not know; null if it is not shared. */
  #changed: Set<string> | null = null;
  #remoteWindow = -1;
  readonly #remote = new Map<string, RemoteUse>();

  constructor(lengthMs: number, max: number) {
    this.#lengthMs = lengthMs;
    this.max = max;
  }

  /** From now on there are other processes to report to. */
  share(): void {
    this.#changed ??= new Set();
  }

  /** What the caller has used in this window at all processes, including this amount. */
  add(caller: string, amount: number, nowMs: number): number {
    const window = Math.floor(nowMs / this.#lengthMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
      this.#changed?.clear();
    }
    let count = this.#counts.get(caller);
    if (count === undefined) {
      if (this.#counts.size >= callersMax && caller !== '') return this.add('', amount, nowMs);
      count = { used: 0 };
      this.#counts.set(caller, count);
    }
    count.used += amount;
    if (this.#changed === null) return count.used;
    if (amount > 0 && count.used > this.max * unsharedPart) this.#changed.add(caller);
    return count.used + this.#remoteUse(caller, window);
  }

  /** True if this amount is still within the limit; counts nothing. */
  hasRoom(caller: string, amount: number, nowMs: number): boolean {
    const window = Math.floor(nowMs / this.#lengthMs);
    const own = window === this.#window ? (this.#counts.get(caller)?.used ?? 0) : 0;
    return own + this.#remoteUse(caller, window) + amount <= this.max;
  }

  isOver(used: number): boolean {
    return used > this.max;
  }

  /** Whole seconds until the window ends, at least 1. */
  retryAfterSeconds(nowMs: number): number {
    return Math.max(1, Math.ceil((this.#lengthMs - (nowMs % this.#lengthMs)) / 1000));
  }

  /** The counts that have changed since the last call, at most that many; null if none have. */
  takeChanged(countMax: number): WindowTotals | null {
    const totals: [string, number][] = [];
    for (const caller of this.#changed ?? []) {
      if (totals.length >= countMax) break;
      totals.push([caller, this.#counts.get(caller)?.used ?? 0]);
      this.#changed?.delete(caller);
    }
    return totals.length === 0 ? null : { window: this.#window, totals };
  }

  /** Notes what another process has counted. */
  note(process: string, { window, totals }: WindowTotals, nowMs: number): void {
    // Machines differ by milliseconds, so a window may be reported before it begins here. A later
    // one comes from a wrong clock: with it, all that the others report would be old.
    if (window < this.#remoteWindow || window > Math.floor(nowMs / this.#lengthMs) + 1) return;
    if (window > this.#remoteWindow) {
      this.#remoteWindow = window;
      this.#remote.clear();
    }
    for (const [caller, used] of totals) this.#noteUse(process, caller, used);
  }

  #noteUse(process: string, caller: string, used: number): void {
    let told = this.#remote.get(caller);
    if (told === undefined) {
      if (this.#remote.size >= callersMax) return;
      told = { sum: 0, byProcess: new Map() };
      this.#remote.set(caller, told);
    }
    const before = told.byProcess.get(process) ?? 0;
    if (used <= before) return;
    told.byProcess.set(process, used);
    told.sum += used - before;
  }

  #remoteUse(caller: string, window: number): number {
    return window === this.#remoteWindow ? (this.#remote.get(caller)?.sum ?? 0) : 0;
  }
}
