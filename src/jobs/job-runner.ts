import { setTimeout as delay } from 'node:timers/promises';
import type { OperatorLog } from '../application/ports.ts';
import type { JobLeases, JobRecord } from '../application/ports-jobs.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import type { TimedJob } from './timed-job.ts';

export interface JobRunnerPorts {
  readonly leases: JobLeases;
  readonly jobs: readonly TimedJob[];
  /** Names this process among those that share the database. */
  readonly holder: string;
  readonly log: OperatorLog;
  readonly now: () => TimestampMs;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly monotonicMs: () => number;
  readonly observer: JobObserver;
}

/** What others learn of the runs of this process. */
export interface JobObserver {
  onRun(run: { readonly job: string; readonly durationMs: number; readonly isDone: boolean }): void;
}

export interface JobAge {
  readonly job: string;
  /** Since the last success in any process; null before the first. */
  readonly ageMs: number | null;
  readonly isLate: boolean;
}

// A run renews its lease as long as it lives, so this is how long a dead process holds a job.
const leaseMs = 60_000;
const renewMs = 20_000;
const lookMs = 1_000;
const retryMs = 10_000;
// A tenth of the interval keeps processes from asking in step; more would make jobs late.
const jitterShare = 0.1;
const lateIntervals = 3;
const stopGraceMs = 1_000;

/**
 * Runs timed jobs. Each is run by one process at a time, which holds the job's lease in the
 * database; when it is due is kept there too, so a restart neither repeats nor forgets a run.
 */
export class JobRunner {
  readonly #ports: JobRunnerPorts;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  #records: ReadonlyMap<string, JobRecord> = new Map();
  #trouble: string | null = null;
  #running: Promise<void> | null = null;

  constructor(ports: JobRunnerPorts) {
    this.#ports = ports;
  }

  /** Looks for due jobs from when the tables are there. */
  start(tables: Promise<void>): void {
    this.#running ??= this.#run(tables);
  }

  /**
   * Ends with the runs under way, though not for those that take long: the database undoes what
   * they have begun, and whoever takes the lease next does it again.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    const runs = Promise.allSettled(this.#underWay.values());
    const grace = new AbortController();
    const { signal } = grace;
    await Promise.race([runs, delay(stopGraceMs, undefined, { signal }).catch(() => undefined)]);
    grace.abort();
  }

  /** Starts every job that is due; resolves once those that it started have ended. */
  async runDue(): Promise<void> {
    const { leases, jobs, now } = this.#ports;
    const records = await leases.list();
    this.#records = new Map(records.map((record) => [record.job, record]));
    const due = jobs.filter((job) => this.#isDue(job, now()) && !this.#underWay.has(job.name));
    await Promise.all(
      due.map((job) => {
        const run = this.#runOnce(job).finally(() => this.#underWay.delete(job.name));
        this.#underWay.set(job.name, run);
        return run;
      }),
    );
  }

  /** How long ago each job succeeded, as of the last look. */
  get ages(): readonly JobAge[] {
    const now = this.#ports.now();
    return this.#ports.jobs.map(({ name, intervalMs }) => {
      const last = this.#records.get(name)?.lastSuccessAt ?? null;
      const ageMs = last === null ? null : Math.max(0, now - last);
      return { job: name, ageMs, isLate: (ageMs ?? 0) > lateIntervals * intervalMs };
    });
  }

  async #run(tables: Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([tables, stopped]);
    while (!signal.aborted) {
      // A long run must not keep the other jobs from being looked at.
      void this.runDue().then(
        () => this.#note(null),
        (error: unknown) => this.#note(String(error)),
      );
      await delay(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Said once, not with every look. */
  #note(trouble: string | null): void {
    if (trouble !== null && trouble !== this.#trouble) {
      this.#ports.log.warn({ trouble }, 'timed jobs cannot be looked up');
    }
    this.#trouble = trouble;
  }

  #isDue(job: TimedJob, now: TimestampMs): boolean {
    const record = this.#records.get(job.name);
    if (record === undefined) return true;
    const isFree = record.holder === null || (record.expiresAt ?? 0) <= now;
    return isFree && (record.dueAt <= now || record.dueAt > now + dueWithinMs(job));
  }

  async #runOnce(job: TimedJob): Promise<void> {
    const { leases, holder, now, monotonicMs, observer, log } = this.#ports;
    const lease = { job: job.name, holder, leaseMs };
    const isTaken = await leases.take({ ...lease, now: now(), dueWithinMs: dueWithinMs(job) });
    if (!isTaken) return;
    const renewing = setInterval(() => {
      leases.renew({ ...lease, now: now() }).catch((error: unknown) => {
        log.warn({ job: job.name, error: String(error) }, 'a lease could not be renewed');
      });
    }, renewMs);
    const startedAt = monotonicMs();
    let isDone = false;
    try {
      await job.run();
      isDone = true;
    } catch (error) {
      log.warn({ job: job.name, err: error }, 'a timed job failed and is tried again');
    } finally {
      clearInterval(renewing);
    }
    observer.onRun({ job: job.name, durationMs: monotonicMs() - startedAt, isDone });
    await this.#finish(job, isDone);
  }

  async #finish(job: TimedJob, isDone: boolean): Promise<void> {
    const { leases, holder, now, random } = this.#ports;
    const end = now();
    const jitterMs = Math.floor(random() * jitterShare * job.intervalMs);
    const waitMs = isDone ? job.intervalMs + jitterMs : Math.min(retryMs, job.intervalMs);
    await leases.finish({
      job: job.name,
      holder,
      dueAt: (end + waitMs) as TimestampMs,
      succeededAt: isDone ? end : null,
    });
  }
}

function dueWithinMs({ intervalMs }: TimedJob): number {
  return 2 * intervalMs + retryMs;
}
