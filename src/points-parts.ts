import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Exchange } from './application/ports.ts';
import type { Config } from './config/config.ts';
import type { DatabaseServices } from './database/database-services.ts';
import type { TimestampMs } from './domain/identifiers.ts';
import { adminPointsRoutes } from './gateway/http/admin/points-routes.ts';
import type { Readiness } from './gateway/http/operation/readiness.ts';
import { pointsRoutes } from './gateway/http/points/routes.ts';
import type { SurfaceRoutes } from './gateway/http/server.ts';
import { advanceSeasonsJob } from './jobs/advance-seasons.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { refreshDailyLeaderboardJob } from './jobs/refresh-daily-leaderboard.ts';
import { refreshEpochLeaderboardsJob } from './jobs/refresh-epoch-leaderboards.ts';
import type { Logger } from './observability/log.ts';
import { watchJobs } from './observability/watch-jobs.ts';

export interface PointsPartsOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly log: Logger;
}

export interface PointsParts {
  readonly routes: readonly SurfaceRoutes[];
  readonly jobs: JobRunner;
}

/** The endpoints of the points program, and the runner of the timed jobs. */
export function createPointsParts(options: PointsPartsOptions): PointsParts {
  const { config, exchange, services, metrics, readiness, log } = options;
  const { points, barrier } = services;
  const now = (): TimestampMs => Date.now() as TimestampMs;
  const ports = {
    exchange,
    barrier,
    pointsReader: points.reader,
    pointsStore: points.store,
    pointsJobs: points.jobs,
    now,
  };
  const { leaderboardRefreshMs } = config.program;
  const jobs: JobRunner = new JobRunner({
    leases: services.jobLeases,
    jobs: [
      refreshEpochLeaderboardsJob(ports, leaderboardRefreshMs),
      refreshDailyLeaderboardJob(ports, leaderboardRefreshMs),
      advanceSeasonsJob(ports),
    ],
    holder: randomUUID(),
    log,
    now,
    random: Math.random,
    monotonicMs: () => performance.now(),
    observer: watchJobs(metrics, () => jobs.ages),
  });
  addJobReadiness(readiness, jobs);
  return { routes: [pointsRoutes(ports), adminPointsRoutes(ports)], jobs };
}

/** Trading needs no timed job, so a late one is shown and holds nothing up. */
function addJobReadiness(readiness: Readiness, jobs: Pick<JobRunner, 'ages'>): void {
  readiness.add('jobs', () => {
    const { ages } = jobs;
    const late = ages.filter(({ isLate }) => isLate).map(({ job }) => job);
    return {
      state: late.length === 0 ? 'ready' : 'late',
      isReady: true,
      lastSuccessAges: new Map(
        ages.map(({ job, ageMs }) => [job, ageMs === null ? null : Math.floor(ageMs / 1000)]),
      ),
      ...(late.length === 0 ? {} : { detail: `too long without a success: ${late.join(', ')}` }),
    };
  });
}
