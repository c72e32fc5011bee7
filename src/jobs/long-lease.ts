import { linkAbort } from './linked-abort.ts';
import { pause } from './pause.ts';
import type { JobTurn, TimedJob } from './timed-job.ts';

export interface LongLeasePorts {
  /** Runs the job once; returns false if the run failed. */
  readonly runJob: (job: TimedJob, turn: JobTurn) => Promise<boolean>;
  readonly pauseAfter: (job: TimedJob, isDone: boolean) => number;
  readonly monotonicMs: () => number;
}

/** The time from taking the lease to losing it, or of running without one. */
interface Tenure {
  readonly isLeased: boolean;
  readonly end: AbortController;
}

// How often a job that is not ready is checked.
const readyCheckMs = 50;

/**
 * A lease that this process keeps from run to run, with the jobs that run under it. The caller
 * takes and renews it in the database; the jobs run as long as that was done recently.
 */
export class LongLease {
  readonly name: string;
  readonly jobs: readonly TimedJob[];
  readonly #ports: LongLeasePorts;
  #tenure: Tenure | null = null;
  #loops: Promise<unknown> = Promise.resolve();
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(name: string, jobs: readonly TimedJob[], ports: LongLeasePorts) {
    this.name = name;
    this.jobs = jobs;
    this.#ports = ports;
  }

  /** Whether this process certainly holds the lease, whatever the database contains by now. */
  get isHeld(): boolean {
    return this.#tenure?.isLeased === true && this.#ports.monotonicMs() < this.#heldUntil;
  }

  /** Whether any of its jobs can run here. */
  get isWanted(): boolean {
    return this.jobs.some(isReady);
  }

  /** Runs its jobs from now until the moment, which `extend` moves. */
  begin(heldUntil: number): void {
    this.#heldUntil = heldUntil;
    this.#startTenure(this.jobs, true);
  }

  extend(heldUntil: number): void {
    this.#heldUntil = heldUntil;
  }

  /** The database cannot tell who holds the lease: jobs for which that is harmless run anyway. */
  goOnWithout(): void {
    if (this.isHeld || this.#tenure?.isLeased === false) return;
    const jobs = this.jobs.filter(({ isSafeWithoutLease }) => isSafeWithoutLease === true);
    this.#startTenure(jobs, false);
  }

  /** Starts no further run; resolves once the current ones have ended. */
  async end(): Promise<void> {
    this.#tenure?.end.abort();
    this.#tenure = null;
    await this.#loops;
  }

  // Earlier runs may still be in progress, and must not delay the renewal of the leases.
  #startTenure(jobs: readonly TimedJob[], isLeased: boolean): void {
    const ended = this.end();
    const end = new AbortController();
    this.#tenure = { isLeased, end };
    this.#loops = ended.then(() =>
      Promise.all(jobs.map((job) => this.#repeat(job, end, isLeased))),
    );
  }

  async #repeat(job: TimedJob, end: AbortController, isLeased: boolean): Promise<void> {
    const { runJob, pauseAfter, monotonicMs } = this.#ports;
    const { signal } = end;
    let isFirst = true;
    while (!signal.aborted) {
      // After a pause of the whole process, another one may hold the lease.
      if (isLeased && monotonicMs() >= this.#heldUntil) return end.abort();
      if (!isReady(job)) {
        await pause(readyCheckMs, signal);
        continue;
      }
      const isDone = await runJob(job, { isFirst, signal });
      // Only a successful run has brought what the job remembers up to date.
      isFirst &&= !isDone;
      const durationMs = pauseAfter(job, isDone);
      // Waiting work does not shorten the delay after a failure.
      if (isDone) await untilDue(job, durationMs, signal);
      else await pause(durationMs, signal);
    }
  }
}

function isReady({ isReady: ask }: TimedJob): boolean {
  return ask === undefined || ask();
}

async function untilDue(
  { untilWoken }: TimedJob,
  durationMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { controller, unlink } = linkAbort(signal);
  const waits = [pause(durationMs, controller.signal)];
  if (untilWoken !== undefined) waits.push(untilWoken(controller.signal));
  await Promise.race(waits);
  unlink();
  controller.abort();
}
