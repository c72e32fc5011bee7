/** What a run is told of its turn. */
export interface JobTurn {
  /** The first run since this process took the lease: what it remembers may be out of date. */
  readonly isFirst: boolean;
  /** Aborts when the lease is lost or the process stops; a run that takes long looks at it. */
  readonly signal: AbortSignal;
}

/** Work that is done again and again, by one process at a time. */
export interface TimedJob {
  /** Verb and noun: the name of its metrics, and of its lease where `keptLease` names no other. */
  readonly name: string;
  /** From one run's end to the next one's beginning, to which a jitter is added. */
  readonly intervalMs: number;
  /** From a failed run to the next one; left out: ten seconds, or the interval where less. */
  readonly retryMs?: number;
  /**
   * The lease that a process keeps from run to run, for work that comes too often to take one for
   * each run. Jobs that name the same lease are run by the same process.
   */
  readonly keptLease?: string;
  /** Of a kept lease: it goes on where the database cannot say who holds the lease. */
  readonly isSafeWithoutLease?: boolean;
  /** Of a kept lease: while false, this process leaves the job to others. */
  readonly isReady?: () => boolean;
  /** Of a kept lease: resolves when there is work before the interval has passed. */
  readonly untilWoken?: (signal: AbortSignal) => Promise<void>;
  /**
   * Must be safe to be cut off, to be run again, and to end long after another process took the
   * lease: the doc comment of each job says why it is. What it throws is a failed run.
   */
  readonly run: (turn: JobTurn) => Promise<void>;
}
