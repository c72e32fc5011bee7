import { setTimeout as delay } from 'node:timers/promises';
import { linkAbort } from './linked-abort.ts';
import type { JobTurn, TimedJob } from './timed-job.ts';

export interface KeptLeasePorts {
  /** Runs the job once; false where the run failed. */
  readonly runJob: (job: TimedJob, turn: JobTurn) => Promise<boolean>;
  readonly pauseAfter: (job: TimedJob, isDone: boolean) => number;
  readonly monotonicMs: () => number;
}

/** The time from taking the lease to losing it, or that of going on without one. */
interface Tenure {
  readonly isLeased: boolean;
  readonly end: AbortController;
}

// How often a job that is not ready looks whether it is.
const readyLookMs = 50;

/**
 * A lease that this process keeps from run to run, and the jobs that are run under it. Whoever
 * tends it takes and prolongs it in the database; the jobs run as long as that was done lately.
 */
export class KeptLease {
  readonly name: string;
  readonly jobs: readonly TimedJob[];
  readonly #ports: KeptLeasePorts;
  #tenure: Tenure | null = null;
  #loops: Promise<unknown> = Promise.resolve();
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(name: string, jobs: readonly TimedJob[], ports: KeptLeasePorts) {
    this.name = name;
    this.jobs = jobs;
    this.#ports = ports;
  }

  /** Whether the lease is ours for certain, whatever the database says by now. */
  get isHeld(): boolean {
    return this.#tenure?.isLeased === true && this.#ports.monotonicMs() < this.#heldUntil;
  }

  /** Whether any of its jobs could be run here. */
  get isWanted(): boolean {
    return this.jobs.some(isReady);
  }

  /** Its jobs run from now on until the moment, which `prolong` moves. */
  begin(heldUntil: number): void {
    this.#heldUntil = heldUntil;
    this.#startTenure(this.jobs, true);
  }

  prolong(heldUntil: number): void {
    this.#heldUntil = heldUntil;
  }

  /** The database cannot say who holds the lease: jobs for which that does no harm run anyway. */
  goOnWithout(): void {
    if (this.isHeld || this.#tenure?.isLeased === false) return;
    const jobs = this.jobs.filter(({ isSafeWithoutLease }) => isSafeWithoutLease === true);
    this.#startTenure(jobs, false);
  }

  /** Begins no further run; resolves once those under way have ended. */
  async end(): Promise<void> {
    this.#tenure?.end.abort();
    this.#tenure = null;
    await this.#loops;
  }

  // Runs of before may still be under way, and nothing may hold up who tends the leases.
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
      // After a pause of the whole process somebody else may hold the lease.
      if (isLeased && monotonicMs() >= this.#heldUntil) return end.abort();
      if (!isReady(job)) {
        await pause(readyLookMs, signal);
        continue;
      }
      const isDone = await runJob(job, { isFirst, signal });
      // Only a run that was done has brought what the job remembers up to date.
      isFirst &&= !isDone;
      const durationMs = pauseAfter(job, isDone);
      // Work that waits cannot hurry what has just failed.
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

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await delay(durationMs, undefined, { signal, ref: false }).catch(() => undefined);
}
