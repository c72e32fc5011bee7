import { setTimeout as delay } from 'node:timers/promises';
import type { JobLeases, JobRecord } from '../application/ports/jobs.ts';
import type { OperatorLog } from '../application/ports/operators.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { JobReports } from './job-reports.ts';
import { linkAbort } from './linked-abort.ts';
import { LongLease } from './long-lease.ts';
import { pause } from './pause.ts';
import type { JobTurn, TimedJob } from './timed-job.ts';

export interface JobRunnerPorts {
  readonly leases: JobLeases;
  readonly jobs: readonly TimedJob[];
  /**
   * Identifies this process among those that share the database. A process can only reuse the name
   * of another one that is known to have ended.
   */
  readonly holder: string;
  readonly log: OperatorLog;
  readonly now: () => TimestampMs;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly monotonicMs: () => number;
  readonly observer: JobObserver;
}

/** Observes the runs of this process. */
interface JobObserver {
  onRun(run: { readonly job: string; readonly durationMs: number; readonly isDone: boolean }): void;
}

export interface JobAge {
  readonly job: string;
  /** Since the last success in any process; null before the first. */
  readonly ageMs: number | null;
  readonly isLate: boolean;
}

// A run renews its lease while it is alive, so this is how long a dead process holds a job.
const leaseMs = 60_000;
const renewMs = 20_000;
// Long leases are for work that must continue soon after its process has died.
const longLeaseMs = 10_000;
const longRenewMs = 3_000;
const checkMs = 1_000;
const tickMs = 50;
const retryMsMax = 10_000;
// A tenth of the interval prevents processes from polling in step; more would make jobs late.
const jitterShare = 0.1;
const lateIntervals = 3;
// Successes of other processes are read with their leases, so nothing is late before that.
const lateMsMin = 15_000;
const stopGraceMs = 1_000;
// Long leases are for short runs, which are worth the wait.
const longStopGraceMs = 2_000;
// How long the start waits for a response of the database before jobs run without leases.
const tablesTimeoutMs = 2_000;

/**
 * Runs timed jobs. Each is run by one process at a time, which holds the job's lease in the
 * database. The due times are also stored there, so a restart neither repeats nor skips a run. Jobs
 * of a long lease are run by the process that holds it, as often as they need.
 */
export class JobRunner {
  readonly #ports: JobRunnerPorts;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #reports = new JobReports();
  readonly #longLeases: readonly LongLease[];
  #records: ReadonlyMap<string, JobRecord> = new Map();
  readonly #triedAt = new Map<string, number>();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #failure: string | null = null;
  #running: Promise<void> | null = null;

  constructor(ports: JobRunnerPorts) {
    this.#ports = ports;
    const names = new Set(ports.jobs.flatMap(({ longLease }) => longLease ?? []));
    this.#longLeases = [...names].map((name) => {
      const jobs = ports.jobs.filter(({ longLease }) => longLease === name);
      return new LongLease(name, jobs, {
        runJob: (job, turn) => this.#runUnderLongLease(job, turn),
        pauseAfter: (job, isDone) => this.#pauseAfter(job, isDone),
        monotonicMs: ports.monotonicMs,
      });
    });
  }

  /** Polls for due jobs once the tables exist. */
  start(tables: Promise<void>): void {
    this.#running ??= this.#run(tables);
  }

  /**
   * Waits for running jobs, except those that take long: the database rolls back what they began,
   * and the next process to take the lease repeats it.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    // A database that is unreachable gets no leases back; they expire.
    const givenBack = this.#longLeases.map((lease) => this.#giveBack(lease).catch(() => undefined));
    await Promise.all([
      within(stopGraceMs, Promise.allSettled(this.#underWay.values())),
      within(longStopGraceMs, Promise.all(givenBack)),
    ]);
  }

  /** Starts every due job; resolves once the started jobs have ended. */
  async runDue(): Promise<void> {
    const { leases, jobs, now } = this.#ports;
    const records = await leases.list();
    this.#records = new Map(records.map((record) => [record.job, record]));
    const due = jobs.filter(
      (job) =>
        job.longLease === undefined && this.#isDue(job, now()) && !this.#underWay.has(job.name),
    );
    await Promise.all(
      due.map((job) => {
        const run = this.#runOnce(job).finally(() => this.#underWay.delete(job.name));
        this.#underWay.set(job.name, run);
        return run;
      }),
    );
  }

  /**
   * Renews the long leases, takes those that are free, and releases those that this process does
   * not need; their jobs run meanwhile. Based on what `runDue` last read.
   */
  async tendLeases(): Promise<void> {
    const { monotonicMs } = this.#ports;
    for (const lease of this.#longLeases) {
      if (lease.isHeld && !lease.isWanted) this.#giveBackLater(lease);
    }
    if (monotonicMs() >= this.#renewedAt + longRenewMs) await this.#renew();
    for (const lease of this.#longLeases) {
      if (lease.isHeld) continue;
      if (!this.#isFree(lease)) void lease.end();
      else if (lease.isWanted && monotonicMs() >= this.#nextTryAt(lease)) await this.#take(lease);
    }
  }

  /** How long ago each job succeeded, as of the last poll. */
  get ages(): readonly JobAge[] {
    const now = this.#ports.now();
    return this.#ports.jobs.map(({ name, intervalMs }) => {
      const known = this.#records.get(name)?.lastSuccessAt ?? null;
      const own = this.#reports.lastSuccessOf(name);
      const last = Math.max(known ?? 0, own ?? 0);
      const ageMs = known === null && own === null ? null : Math.max(0, now - last);
      const lateMs = Math.max(lateIntervals * intervalMs, lateMsMin);
      return { job: name, ageMs, isLate: (ageMs ?? 0) > lateMs };
    });
  }

  async #run(tables: Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const there = Promise.race([tables, stopped]);
    if (!(await within(tablesTimeoutMs, there))) this.#goOnWithoutLeases();
    await there;
    let isOwnFree = false;
    let checkedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const moment = this.#ports.monotonicMs();
      try {
        if (!isOwnFree) await this.#ports.leases.release(this.#ports.holder, null);
        isOwnFree = true;
        if (moment >= checkedAt + checkMs) {
          checkedAt = moment;
          // A long run must not delay the check of the other jobs.
          this.runDue().then(
            () => this.#note(null),
            (error: unknown) => this.#note(String(error)),
          );
        }
        await this.tendLeases();
      } catch (error) {
        this.#note(String(error));
        this.#goOnWithoutLeases();
        await pause(checkMs, signal);
      }
      await pause(tickMs, signal);
    }
  }

  #goOnWithoutLeases(): void {
    for (const lease of this.#longLeases) lease.goOnWithout();
  }

  /** Logged once, not with every poll. */
  #note(trouble: string | null): void {
    if (trouble !== null && trouble !== this.#failure) {
      this.#ports.log.warn({ trouble }, 'timed jobs cannot be looked up');
    }
    this.#failure = trouble;
  }

  #isDue(job: TimedJob, now: TimestampMs): boolean {
    const record = this.#records.get(job.name);
    if (record === undefined) return true;
    const isFree = record.holder === null || (record.expiresAt ?? 0) <= now;
    return isFree && (record.dueAt <= now || record.dueAt > now + dueWithinMs(job));
  }

  #isFree({ name }: LongLease): boolean {
    const record = this.#records.get(name);
    if (record === undefined || record.holder === null) return true;
    return record.holder === this.#ports.holder || (record.expiresAt ?? 0) <= this.#ports.now();
  }

  async #take(lease: LongLease): Promise<void> {
    const { leases, holder, now, monotonicMs } = this.#ports;
    // Measured from before the query, so that the lease ends here before it ends in the database.
    const heldUntil = monotonicMs() + longLeaseMs;
    const request = { job: lease.name, holder, now: now(), leaseMs: longLeaseMs };
    const isTaken =
      (await leases.renew(request)) || (await leases.take({ ...request, dueWithinMs: retryMsMax }));
    if (isTaken) {
      lease.begin(heldUntil);
      return;
    }
    // Another process was faster; the next poll shows for how long.
    this.#triedAt.set(lease.name, monotonicMs());
    void lease.end();
  }

  #nextTryAt({ name }: LongLease): number {
    return (this.#triedAt.get(name) ?? Number.NEGATIVE_INFINITY) + checkMs;
  }

  async #renew(): Promise<void> {
    const { leases, holder, now, monotonicMs, log } = this.#ports;
    const held = this.#longLeases.filter((lease) => lease.isHeld);
    const reports = this.#reports.takeOut();
    if (held.length === 0 && reports.length === 0) return;
    const startedAt = monotonicMs();
    this.#renewedAt = startedAt;
    const names = held.map(({ name }) => name);
    let renewed: readonly string[];
    try {
      const request = { holder, now: now(), leaseMs: longLeaseMs, leases: names, reports };
      renewed = await leases.renewAll(request);
    } catch (error) {
      this.#reports.putBack(reports);
      throw error;
    }
    for (const lease of held) {
      if (renewed.includes(lease.name)) lease.extend(startedAt + longLeaseMs);
      else {
        log.warn({ lease: lease.name }, 'a lease was lost to another process');
        void lease.end();
      }
    }
  }

  #giveBackLater(lease: LongLease): void {
    this.#giveBack(lease).catch((error: unknown) => this.#note(String(error)));
  }

  async #giveBack(lease: LongLease): Promise<void> {
    const { leases, holder, now } = this.#ports;
    const { isHeld, name } = lease;
    await lease.end();
    const reports = this.#reports.takeOut();
    if (reports.length > 0) {
      await leases.renewAll({ holder, now: now(), leaseMs: longLeaseMs, leases: [], reports });
    }
    if (isHeld) await leases.release(holder, [name]);
  }

  async #runUnderLongLease(job: TimedJob, turn: JobTurn): Promise<boolean> {
    const isDone = await this.#runJob(job, turn);
    this.#reports.add(job.name, isDone ? this.#ports.now() : null);
    return isDone;
  }

  async #runOnce(job: TimedJob): Promise<void> {
    const { leases, holder, now, log } = this.#ports;
    const lease = { job: job.name, holder, leaseMs };
    const isTaken = await leases.take({ ...lease, now: now(), dueWithinMs: dueWithinMs(job) });
    if (!isTaken) return;
    const { controller: lost, unlink } = linkAbort(this.#stop.signal);
    const renewing = setInterval(() => {
      leases.renew({ ...lease, now: now() }).then(
        (isHeld) => {
          if (!isHeld) lost.abort();
        },
        (error: unknown) => {
          log.warn({ job: job.name, error: String(error) }, 'a lease could not be renewed');
        },
      );
    }, renewMs);
    const isDone = await this.#runJob(job, { isFirst: true, signal: lost.signal });
    clearInterval(renewing);
    unlink();
    const end = now();
    await leases.finish({
      job: job.name,
      holder,
      dueAt: (end + this.#pauseAfter(job, isDone)) as TimestampMs,
      succeededAt: isDone ? end : null,
    });
  }

  async #runJob(job: TimedJob, turn: JobTurn): Promise<boolean> {
    const { monotonicMs, observer, log } = this.#ports;
    const startedAt = monotonicMs();
    let isDone = false;
    try {
      await job.run(turn);
      isDone = true;
    } catch (error) {
      // A run that a stop interrupts has not failed.
      if (!turn.signal.aborted && this.#reports.isNewFailure(job.name, error)) {
        log.warn({ job: job.name, err: error }, 'a timed job failed and will be retried');
      }
    }
    if (isDone) this.#reports.clearFailure(job.name);
    observer.onRun({ job: job.name, durationMs: monotonicMs() - startedAt, isDone });
    return isDone;
  }

  #pauseAfter(job: TimedJob, isDone: boolean): number {
    const { intervalMs } = job;
    if (!isDone) return job.retryMs ?? Math.min(retryMsMax, intervalMs);
    return intervalMs + Math.floor(this.#ports.random() * jitterShare * intervalMs);
  }
}

function dueWithinMs({ intervalMs }: TimedJob): number {
  return 2 * intervalMs + retryMsMax;
}

/** Whether the promise settled within that time. */
async function within(durationMs: number, promise: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const { signal } = over;
  const late = delay(durationMs, false, { signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), late]);
  over.abort();
  return isSettled;
}
