/** What a run receives. */
export interface JobTurn {
  /** The first run since this process took the lease: what it remembers may be out of date. */
  readonly isFirst: boolean;
  /** Aborts when the lease is lost or the process stops; long runs check it. */
  readonly signal: AbortSignal;
}

/** Work that one process at a time repeats. */
export interface TimedJob {
  /** Verb and noun: the name of its metrics, and of its lease unless `longLease` names another. */
  readonly name: string;
  /** From the end of a run to the start of the next, plus jitter. */
  readonly intervalMs: number;
  /** Delay after a failed run; by default ten seconds, or the interval if that is shorter. */
  readonly retryMs?: number;
  /**
   * The lease that a process keeps from run to run, for work too frequent to take one for each run.
   * Jobs with the same lease are run by the same process.
   */
  readonly longLease?: string;
  /** For a long lease: run even if the database cannot tell who holds the lease. */
  readonly isSafeWithoutLease?: boolean;
  /** For a long lease: while false, this process leaves the job to others. */
  readonly isReady?: () => boolean;
  /** For a long lease: resolves when there is work before the interval has passed. */
  readonly untilWoken?: (signal: AbortSignal) => Promise<void>;
  /**
   * Must be safe to interrupt, to repeat, and to end long after another process took the lease;
   * each job's doc comment says why. A run that throws has failed.
   */
  readonly run: (turn: JobTurn) => Promise<void>;
}
