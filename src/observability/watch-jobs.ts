import { Counter, Gauge, type Registry } from 'prom-client';

export interface JobWatch {
  onRun(run: { readonly job: string; readonly durationMs: number; readonly isDone: boolean }): void;
}

interface WatchedJob {
  readonly job: string;
  /** Since the last success in any process; null before the first. */
  readonly ageMs: number | null;
}

/** Measures the runs of timed jobs. */
export function watchJobs(registry: Registry, readAges: () => readonly WatchedJob[]): JobWatch {
  const registers = [registry];
  const labelNames = ['job'];
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of a timed job in this process',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'Runs of a timed job in this process that failed; each is tried again',
    labelNames,
    registers,
  });
  const durations = new Gauge({
    name: 'job_last_run_seconds',
    help: 'How long the last run in this process took',
    labelNames,
    registers,
  });
  const lastRuns = new Gauge({
    name: 'job_last_run_timestamp_seconds',
    help: 'When the last run in this process ended',
    labelNames,
    registers,
  });
  const ages: Gauge = new Gauge({
    name: 'job_last_success_age_seconds',
    help: 'How long ago a timed job last succeeded, in any process',
    labelNames,
    registers,
    collect: () => {
      for (const { job, ageMs } of readAges()) {
        if (ageMs !== null) ages.set({ job }, ageMs / 1000);
      }
    },
  });
  return {
    onRun: ({ job, durationMs, isDone }) => {
      runs.inc({ job });
      if (!isDone) failures.inc({ job });
      durations.set({ job }, durationMs / 1000);
      lastRuns.setToCurrentTime({ job });
    },
  };
}
