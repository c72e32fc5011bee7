import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { DatabaseJobLeases } from '../database/jobs/job-lease-store.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { watchJobs } from '../observability/watch-jobs.ts';
import { JobRunner } from './job-runner.ts';
import type { TimedJob } from './timed-job.ts';

const intervalMs = 300_000;

let test: TestDatabase;
let time: number;
let warnings: string[];

beforeEach(async () => {
  test = await openTestDatabase();
  time = Date.UTC(2026, 0, 5, 12);
  warnings = [];
});
afterEach(() => test.close());

interface Process {
  readonly runner: JobRunner;
  readonly runs: number[];
  readonly metrics: Registry;
}

let processes = 0;

/** One of several processes that share the database; each has its own clock's share of jitter. */
function startProcess(run: () => Promise<void> = async () => undefined, jitter = 0): Process {
  const runs: number[] = [];
  const metrics = new Registry();
  const job: TimedJob = {
    name: 'count-something',
    intervalMs,
    run: async () => {
      runs.push(time);
      await run();
    },
  };
  processes += 1;
  const runner: JobRunner = new JobRunner({
    leases: new DatabaseJobLeases(test.database.jobs),
    jobs: [job],
    holder: `process ${processes}`,
    log: { warn: (_details, message) => void warnings.push(message) },
    now: () => time as TimestampMs,
    random: () => jitter,
    monotonicMs: () => time,
    observer: watchJobs(metrics, () => runner.ages),
  });
  return { runner, runs, metrics };
}

/** A run that lasts until the test ends it. */
function heldRun() {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => held, end: () => end() };
}

describe('JobRunner', () => {
  it('jobs: one of the processes that check at the same moment runs a due job, and only once', async () => {
    const all = [startProcess(), startProcess(), startProcess(), startProcess()];
    for (let round = 1; round <= 12; round += 1) {
      await Promise.all(all.flatMap(({ runner }) => [runner.runDue(), runner.runDue()]));
      expect(all.flatMap(({ runs }) => runs)).toHaveLength(round);
      time += intervalMs;
    }
  });

  it('jobs: nothing runs before the interval has passed, in any process', async () => {
    const [first, second] = [startProcess(), startProcess()];
    await first.runner.runDue();
    time += intervalMs - 1;
    await Promise.all([first.runner.runDue(), second.runner.runDue()]);
    expect([first.runs.length, second.runs.length]).toEqual([1, 0]);
    time += 1;
    await second.runner.runDue();
    expect([first.runs.length, second.runs.length]).toEqual([1, 1]);
  });

  it('jobs: while one process runs a job no other one does, however long it takes', async () => {
    const long = heldRun();
    const [first, second] = [startProcess(long.run), startProcess()];
    const running = first.runner.runDue();
    await vi.waitFor(() => expect(first.runs).toHaveLength(1));
    time += 59_000;
    await second.runner.runDue();
    await first.runner.runDue();
    expect([first.runs.length, second.runs.length]).toEqual([1, 0]);
    long.end();
    await running;
  });

  it('jobs: the job of a dead process is run by another once its lease has expired', async () => {
    const long = heldRun();
    const [dead, alive] = [startProcess(long.run), startProcess()];
    const running = dead.runner.runDue();
    await vi.waitFor(() => expect(dead.runs).toHaveLength(1));
    time += 60_000;
    await alive.runner.runDue();
    expect(alive.runs).toHaveLength(1);
    const [before] = await new DatabaseJobLeases(test.database.jobs).list();
    long.end();
    await running;
    // What the dead one writes when it wakes up changes nothing.
    expect(await new DatabaseJobLeases(test.database.jobs).list()).toEqual([before]);
  });

  it('jobs: a renewed lease is kept', async () => {
    const leases = new DatabaseJobLeases(test.database.jobs);
    const lease = { job: 'x', leaseMs: 60_000, dueWithinMs: intervalMs };
    const now = () => time as TimestampMs;
    expect(await leases.take({ ...lease, holder: 'first', now: now() })).toBe(true);
    time += 50_000;
    expect(await leases.renew({ ...lease, holder: 'first', now: now() })).toBe(true);
    time += 50_000;
    expect(await leases.take({ ...lease, holder: 'second', now: now() })).toBe(false);
    expect(await leases.renew({ ...lease, holder: 'second', now: now() })).toBe(false);
    time += 10_000;
    expect(await leases.take({ ...lease, holder: 'second', now: now() })).toBe(true);
    expect(await leases.renew({ ...lease, holder: 'first', now: now() })).toBe(false);
  });

  it('jobs: a failed run is logged, counted, and retried after ten seconds', async () => {
    let isBroken = true;
    const one = startProcess(async () => {
      if (isBroken) throw new Error('broken');
    });
    await one.runner.runDue();
    expect(warnings).toEqual(['a timed job failed and will be retried']);
    isBroken = false;
    time += 9_999;
    await one.runner.runDue();
    expect(one.runs).toHaveLength(1);
    time += 1;
    await one.runner.runDue();
    expect(one.runs).toHaveLength(2);
    const [record] = await new DatabaseJobLeases(test.database.jobs).list();
    expect(record).toMatchObject({ holder: null, failures: 1, lastSuccessAt: time });
    const text = await one.metrics.metrics();
    expect(text).toContain('job_runs_total{job="count-something"} 2');
    expect(text).toContain('job_failures_total{job="count-something"} 1');
    expect(text).toContain('job_last_run_seconds{job="count-something"} 0');
    expect(text).toMatch(/job_last_run_timestamp_seconds\{job="count-something"\} \d+/);
  });

  it('jobs: a jitter of up to a tenth of the interval keeps processes from asking at the same time', async () => {
    const one = startProcess(undefined, 0.999);
    await one.runner.runDue();
    time += intervalMs + 29_969;
    await one.runner.runDue();
    expect(one.runs).toHaveLength(1);
    time += 1;
    await one.runner.runDue();
    expect(one.runs).toHaveLength(2);
  });

  it('jobs: a clock that was ahead and is corrected does not delay a job', async () => {
    const one = startProcess();
    time += 30 * 86_400_000;
    await one.runner.runDue();
    time -= 30 * 86_400_000;
    await one.runner.runDue();
    expect(one.runs).toHaveLength(2);
  });

  it('ages: since the last success in any process; late after three intervals', async () => {
    const [first, second] = [startProcess(), startProcess()];
    const ageOf = (ageMs: number | null, isLate: boolean) => [
      { job: 'count-something', ageMs, isLate },
    ];
    expect(first.runner.ages).toEqual(ageOf(null, false));
    await first.runner.runDue();
    time += 1_000;
    await second.runner.runDue();
    expect(second.runner.ages).toEqual(ageOf(1_000, false));
    time += 3 * intervalMs;
    expect(second.runner.ages).toEqual(ageOf(901_000, true));
    expect(await second.metrics.metrics()).toContain(
      'job_last_success_age_seconds{job="count-something"} 901',
    );
  });

  it('stop: waits for the current run, and runs nothing more', async () => {
    const one = startProcess();
    one.runner.start(Promise.resolve());
    await vi.waitFor(() => expect(one.runs).toHaveLength(1));
    await one.runner.stop();
    time += intervalMs;
    expect(one.runs).toHaveLength(1);
  });

  it('start: an unreachable database is logged once, and waited for', async () => {
    const one = startProcess();
    await test.database.jobs.withClient((client) =>
      client.query('ALTER TABLE job_leases RENAME TO away'),
    );
    one.runner.start(Promise.resolve());
    await vi.waitFor(() => expect(warnings).toEqual(['timed jobs cannot be looked up']));
    await test.database.jobs.withClient((client) =>
      client.query('ALTER TABLE away RENAME TO job_leases'),
    );
    await vi.waitFor(() => expect(one.runs).toHaveLength(1));
    await one.runner.stop();
    expect(warnings).toHaveLength(1);
  });
});
