import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { Exchange } from '../application/ports/exchange.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import type { Readiness } from '../gateway/http/operation/readiness.ts';
import type { WalletRoutePorts } from '../gateway/http/wallet/routes.ts';
import { advanceFuturesJob } from '../jobs/advance-futures.ts';
import { advanceSeasonsJob } from '../jobs/advance-seasons.ts';
import { checkSolvencyJob } from '../jobs/check-solvency.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { makeDownloadsJob } from '../jobs/make-downloads.ts';
import { pollChainEventsJob } from '../jobs/poll-chain-events.ts';
import { pruneRecordsJob } from '../jobs/prune-records.ts';
import { refreshDailyLeaderboardJob } from '../jobs/refresh-daily-leaderboard.ts';
import { refreshEpochLeaderboardsJob } from '../jobs/refresh-epoch-leaderboards.ts';
import { settleRewardsJob } from '../jobs/settle-rewards.ts';
import { settleWalletJob } from '../jobs/settle-wallet.ts';
import type { TimedJob } from '../jobs/timed-job.ts';
import { updateVipTiersJob } from '../jobs/update-vip-tiers.ts';
import type { Logger } from '../observability/log.ts';
import { watchJobs } from '../observability/watch-jobs.ts';
import { createSolvencyWatch, type SolvencyWatch, solvencyPorts } from './solvency.ts';

export interface JobPartsOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly chain: ChainService;
  readonly wallet: WalletRoutePorts;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly log: Logger;
}

const futuresIntervalMs = 1_000;
// How soon a balance follows events counted on the chain; an idle pass is one small query.
const walletIntervalMs = 500;

/** Everything that the exchange does periodically; the runner does nothing until it is started. */
export function createJobRunner(options: JobPartsOptions): JobRunner {
  const { config, services, metrics, readiness, log } = options;
  const monotonicMs = (): number => performance.now();
  const solvency = createSolvencyWatch({ metrics, readiness, log, monotonicMs });
  const runner: JobRunner = new JobRunner({
    leases: services.jobLeases,
    jobs: createJobs({ ...options, solvency }),
    holder: holderOf(config),
    log,
    now,
    random: Math.random,
    monotonicMs,
    observer: watchJobs(metrics, () => runner.ages),
  });
  addJobReadiness(readiness, runner);
  return runner;
}

export interface JobsOptions
  extends Pick<JobPartsOptions, 'config' | 'exchange' | 'services' | 'chain' | 'wallet'> {
  readonly solvency: SolvencyWatch;
}

/** Returns all timed jobs. */
export function createJobs(options: JobsOptions): readonly TimedJob[] {
  const { config, exchange, services, chain, wallet } = options;
  const { barrier, points, vip } = services;
  const { leaderboardRefreshMs, claimPollIntervalMs, settleIntervalMs } = config.program;
  const pointsPorts = {
    exchange,
    barrier,
    now,
    pointsReader: points.reader,
    pointsJobs: points.jobs,
  };
  const { walletSettler } = wallet;
  return [
    advanceFuturesJob({ exchange, intervalMs: futuresIntervalMs }),
    updateVipTiersJob({ exchange, barrier, vip, now }),
    pollChainEventsJob({ chain, intervalMs: claimPollIntervalMs }),
    settleRewardsJob({ chain, intervalMs: settleIntervalMs }),
    settleWalletJob({ walletSettler, exchange, intervalMs: walletIntervalMs }),
    refreshEpochLeaderboardsJob(pointsPorts, leaderboardRefreshMs),
    refreshDailyLeaderboardJob(pointsPorts, leaderboardRefreshMs),
    advanceSeasonsJob(pointsPorts),
    checkSolvencyJob({ ...solvencyPorts(config, options), chain, ...options.solvency }),
    makeDownloadsJob({ exchange, ...services }),
    pruneRecordsJob({ oldRecords: services.oldRecords, now }),
  ];
}

function now(): TimestampMs {
  return Date.now() as TimestampMs;
}

/**
 * A process that has the journal in DATA_DIR to itself takes over the leases of its predecessor,
 * which has certainly ended. Where several processes share the exchange, each start is a new
 * holder.
 */
function holderOf({ natsUrl, dataDir }: Config): string {
  return natsUrl === null ? `${hostname()} ${dataDir}` : randomUUID();
}

/** Trading does not depend on timed jobs, so a late one is reported and blocks nothing. */
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
