import type { JobLeases } from '../../src/application/ports/jobs.ts';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import type { TimedJob } from '../../src/jobs/timed-job.ts';

/** Leases without other candidates. */
const loneLeases: JobLeases = {
  list: async () => [],
  take: async () => true,
  renew: async () => true,
  renewAll: async ({ leases }) => leases,
  finish: async () => undefined,
  release: async () => undefined,
};

export interface RunningJobs {
  readonly warnings: readonly object[];
  readonly stop: () => Promise<void>;
}

/** Runs the jobs as the only process, once the tables are there. */
export function runJobs(
  jobs: readonly TimedJob[],
  tables: Promise<void> = Promise.resolve(),
): RunningJobs {
  const warnings: object[] = [];
  const runner = new JobRunner({
    leases: loneLeases,
    jobs,
    holder: 'the only one',
    log: { warn: (details) => void warnings.push(details) },
    now: () => Date.now() as TimestampMs,
    random: () => 0,
    monotonicMs: () => performance.now(),
    observer: { onRun: () => undefined },
  });
  runner.start(tables);
  return { warnings, stop: () => runner.stop() };
}
