import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { DatabaseError } from '../application/ports/database.ts';
import type { JobLeases } from '../application/ports/jobs.ts';
import { DatabaseJobLeases } from '../database/jobs/job-lease-store.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { TimedJob } from '../jobs/timed-job.ts';
import { watchJobs } from '../observability/watch-jobs.ts';
import { createJobs, type JobsOptions } from './jobs.ts';

// All the real jobs with their names, leases and intervals, in two processes over one database;
// what a run does is replaced by noting it.

let test: TestDatabase;
let skippedMs: number;
let runners: JobRunner[];

beforeEach(async () => {
  test = await openTestDatabase();
  skippedMs = 0;
  runners = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await test.close();
});

const nothing: unknown = new Proxy({}, { get: () => nothing });
const program = {
  leaderboardRefreshMs: 300_000,
  claimPollIntervalMs: 30_000,
  settleIntervalMs: 300_000,
};
const realJobs = createJobs({
  config: { program, isTestnet: true },
  exchange: nothing,
  services: nothing,
  chain: nothing,
  wallet: nothing,
} as unknown as JobsOptions);
const longLived = realJobs.filter(({ longLease }) => longLease !== undefined);
const timed = realJobs.filter(({ longLease }) => longLease === undefined);
const polling = { interval: 5 };

interface Process {
  readonly runner: JobRunner;
  /** By job; what runs now is in `underWay`. */
  readonly runs: Map<string, number>;
  readonly underWay: Set<string>;
  readonly metrics: Registry;
  /** Like SIGSTOP: the database gets no requests, and runs in progress do not end. */
  pause(): void;
  /** The same as soon as a run has begun. */
  pauseInNextRun(): void;
  goOn(): void;
}

function now(): TimestampMs {
  return (Date.now() + skippedMs) as TimestampMs;
}

/** Everything that happens twice at a time is noted here, by lease. */
const overlaps: string[] = [];
const inUse = new Map<string, string>();

function startProcess(
  name: string,
  jobs: readonly TimedJob[],
  leases: JobLeases = new DatabaseJobLeases(test.database.leases),
): Process {
  let paused = Promise.resolve();
  let goOn = (): void => undefined;
  const runs = new Map<string, number>();
  const underWay = new Set<string>();
  let isPauseDue = false;
  const pause = (): void => {
    isPauseDue = false;
    paused = new Promise((resolve) => {
      goOn = resolve;
    });
  };
  const onRun = (): void => {
    if (isPauseDue) pause();
  };
  const wait = (): Promise<void> => paused;
  const noted = jobs.map((job) => noteRuns(name, job, { runs, underWay, wait, onRun }));
  const metrics = new Registry();
  const runner: JobRunner = new JobRunner({
    leases: pausable(leases, () => paused),
    jobs: noted,
    holder: name,
    log: { warn: () => undefined },
    now,
    random: Math.random,
    monotonicMs: () => performance.now() + skippedMs,
    observer: watchJobs(metrics, () => runner.ages),
  });
  runners.push(runner);
  return {
    runner,
    runs,
    underWay,
    metrics,
    pause,
    pauseInNextRun: () => {
      isPauseDue = true;
    },
    goOn: () => goOn(),
  };
}

interface Notes {
  readonly runs: Map<string, number>;
  readonly underWay: Set<string>;
  readonly wait: () => Promise<void>;
  readonly onRun: () => void;
}

function noteRuns(
  process: string,
  job: TimedJob,
  { runs, underWay, wait, onRun }: Notes,
): TimedJob {
  const lease = job.longLease === undefined ? job.name : `${job.longLease} ${job.name}`;
  return {
    ...job,
    isReady: () => true,
    untilWoken: () => new Promise(() => undefined),
    // Jobs of a long lease come as often as they can; the others at their own intervals.
    intervalMs: job.longLease === undefined ? job.intervalMs : 5,
    run: async ({ signal }) => {
      onRun();
      runs.set(job.name, (runs.get(job.name) ?? 0) + 1);
      underWay.add(job.name);
      const other = inUse.get(lease);
      if (other !== undefined) overlaps.push(`${lease}: ${other} and ${process}`);
      inUse.set(lease, process);
      await new Promise((resolve) => setTimeout(resolve, 2));
      // A process that is stopped in the middle no longer counts: its late end must do no harm.
      const held = wait();
      if (inUse.get(lease) === process) inUse.delete(lease);
      await held;
      underWay.delete(job.name);
      if (signal.aborted && inUse.get(lease) === process) inUse.delete(lease);
    },
  };
}

function pausable(leases: JobLeases, wait: () => Promise<void>): JobLeases {
  return new Proxy(leases, {
    get: (_, name: keyof JobLeases) => async (value: never, second: never) => {
      await wait();
      return (leases[name] as (...values: unknown[]) => Promise<unknown>)(value, second);
    },
  });
}

function runsOf(process: Process, jobs: readonly TimedJob[]): readonly number[] {
  return jobs.map(({ name }) => process.runs.get(name) ?? 0);
}

beforeEach(() => {
  overlaps.length = 0;
  inUse.clear();
});

it('jobs: names are unique', () => {
  expect(new Set(realJobs.map(({ name }) => name)).size).toBe(realJobs.length);
});

describe.each(longLived.map((job) => [job.name, job] as const))('%s', (name, job) => {
  it('jobs: two processes never run it at once, and the other takes over when one ends', async () => {
    const [first, second] = [startProcess('first', [job]), startProcess('second', [job])];
    first.runner.start(Promise.resolve());
    second.runner.start(Promise.resolve());
    const total = () => (first.runs.get(name) ?? 0) + (second.runs.get(name) ?? 0);
    await vi.waitFor(() => expect(total()).toBeGreaterThan(10), polling);
    const [runs, rests] = first.runs.has(name) ? [first, second] : [second, first];
    expect(rests.runs.has(name)).toBe(false);
    await runs.runner.stop();
    const before = runs.runs.get(name);
    await vi.waitFor(() => expect(rests.runs.get(name)).toBeGreaterThan(10), polling);
    expect(runs.runs.get(name)).toBe(before);
    expect(overlaps).toEqual([]);
  });

  it('jobs: a process paused in the middle loses it, and does nothing late', async () => {
    const [first, second] = [startProcess('first', [job]), startProcess('second', [job])];
    first.runner.start(Promise.resolve());
    await vi.waitFor(() => expect(first.runs.get(name)).toBeGreaterThan(1), polling);
    const started = first.runs.get(name);
    first.pauseInNextRun();
    await vi.waitFor(() => expect(first.runs.get(name)).not.toBe(started), polling);
    await vi.waitFor(() => expect(first.underWay.has(name)).toBe(true), polling);
    const before = first.runs.get(name);
    second.runner.start(Promise.resolve());
    skippedMs += 11_000;
    await vi.waitFor(() => expect(second.runs.get(name)).toBeGreaterThan(3), polling);
    first.goOn();
    await vi.waitFor(() => expect(first.underWay.has(name)).toBe(false), polling);
    const sofar = second.runs.get(name) ?? 0;
    await vi.waitFor(() => expect(second.runs.get(name)).toBeGreaterThan(sofar + 20), polling);
    expect(first.runs.get(name)).toBe(before);
    expect(overlaps).toEqual([]);
  });
});

describe.each(timed.map((job) => [job.name, job] as const))('%s', (name, job) => {
  it('jobs: two processes that poll constantly run it once per interval', async () => {
    const [first, second] = [startProcess('first', [job]), startProcess('second', [job])];
    const pollTwice = () =>
      Promise.all([first, second, first, second].map(({ runner }) => runner.runDue()));
    for (let round = 1; round <= 4; round += 1) {
      await pollTwice();
      await pollTwice();
      expect((first.runs.get(name) ?? 0) + (second.runs.get(name) ?? 0)).toBe(round);
      skippedMs += job.intervalMs * 1.1;
    }
    expect(overlaps).toEqual([]);
  });

  it('jobs: a process paused in the middle loses it, and reports nothing late', async () => {
    const [first, second] = [startProcess('first', [job]), startProcess('second', [job])];
    first.pauseInNextRun();
    const running = first.runner.runDue();
    await vi.waitFor(() => expect(first.underWay.has(name)).toBe(true), polling);
    skippedMs += 61_000;
    await second.runner.runDue();
    expect(second.runs.get(name)).toBe(1);
    const leases = new DatabaseJobLeases(test.database.leases);
    const records = await leases.list();
    first.goOn();
    await running;
    expect(await leases.list()).toEqual(records);
    expect(runsOf(first, [job])).toEqual([1]);
  });
});

it('jobs: with a long lease report their successes to all processes, and to the metrics', async () => {
  const [first, second] = [startProcess('first', realJobs), startProcess('second', realJobs)];
  first.runner.start(Promise.resolve());
  await vi.waitFor(() => expect(first.runs.size).toBe(realJobs.length), polling);
  second.runner.start(Promise.resolve());
  await vi.waitFor(() => {
    for (const age of second.runner.ages) {
      expect(age).toMatchObject({ ageMs: expect.any(Number) as number, isLate: false });
    }
  }, polling);
  expect(second.runs.size).toBe(0);
  const text = await second.metrics.metrics();
  for (const { name } of realJobs) {
    expect(text).toContain(`job_last_success_age_seconds{job="${name}"}`);
  }
});

it('jobs: while the database is down only those without a lease continue', async () => {
  let isAway = false;
  const leases = new DatabaseJobLeases(test.database.leases);
  const shaky = new Proxy(leases, {
    get: (_, name: keyof JobLeases) => async (value: never, second: never) => {
      if (isAway) throw new DatabaseError('away');
      return (leases[name] as (...values: unknown[]) => Promise<unknown>).call(
        leases,
        value,
        second,
      );
    },
  });
  const one = startProcess('first', longLived, shaky);
  one.runner.start(Promise.resolve());
  await vi.waitFor(() => expect(one.runs.size).toBe(longLived.length), polling);
  isAway = true;
  skippedMs += 11_000;
  const safe = longLived.filter(({ isSafeWithoutLease }) => isSafeWithoutLease === true);
  const others = longLived.filter(({ isSafeWithoutLease }) => isSafeWithoutLease !== true);
  expect(safe.map(({ name }) => name)).toEqual(['advance-futures']);
  await vi.waitFor(() => expect(one.underWay.size).toBe(0), polling);
  const [ran, rested] = [runsOf(one, safe), runsOf(one, others)];
  await vi.waitFor(() => expect(runsOf(one, safe)[0]).toBeGreaterThan((ran[0] ?? 0) + 50), polling);
  expect(runsOf(one, others)).toEqual(rested);
  isAway = false;
  await vi.waitFor(() => {
    for (const [index, count] of runsOf(one, others).entries()) {
      expect(count).toBeGreaterThan(rested[index] ?? 0);
    }
  }, polling);
});
