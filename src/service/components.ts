import type { Registry } from 'prom-client';
import type { ChainService } from '../chain/chain-service.ts';
import { acknowledgedSequence } from '../cluster/acknowledged-sequence.ts';
import { DatabaseChainBacklog } from '../database/chain/chain-backlog.ts';
import { createDatabaseServices, type DatabaseServices } from '../database/database-services.ts';
import type { Database } from '../database/open-database.ts';
import { Readiness } from '../gateway/http/operation/readiness.ts';
import type { SurfaceRoutes } from '../gateway/http/surface-routes.ts';
import type { WalletRoutePorts } from '../gateway/http/wallet/routes.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Logger } from '../observability/log.ts';
import { createMetrics, watchNumbers, watchProjector } from '../observability/metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { followAudits, watchBrokenRules } from './audits.ts';
import { addChainReadiness, chainThrift, createChain, watchChain } from './chain.ts';
import { watchChainAlarms } from './chain-alarms.ts';
import { type ClockWatch, watchClock } from './clock.ts';
import { watchCluster } from './cluster.ts';
import { watchCustodyAlarms } from './custody-alarms.ts';
import type { EngineComponents } from './engine.ts';
import { createFuturesServices, type FuturesServices } from './futures.ts';
import { watchHealth } from './health-watch.ts';
import { createJobRunner } from './jobs.ts';
import { journalFolder, type ServiceOptions } from './options.ts';
import { createPointsRoutes } from './points.ts';
import { waitForProjection } from './projection-wait.ts';
import { projectInThread } from './projector-thread.ts';
import { logRisk } from './risk-log.ts';
import { createWalletPorts, watchReviews } from './wallet.ts';

// What a stop needs besides the database's catching up: pending batches and the last snapshot.
const stopReserveMs = 3_000;

/** The parts of the service, except for the HTTP side. */
export interface Components extends EngineComponents {
  readonly database: Database;
  readonly services: DatabaseServices;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly chain: ChainService;
  readonly wallet: WalletRoutePorts;
  readonly futures: FuturesServices;
  readonly pointsRoutes: readonly SurfaceRoutes[];
  readonly jobs: JobRunner;
  readonly clockWatch: ClockWatch;
  /** Null with a single process. */
  readonly endClusterWatch: (() => void) | null;
  readonly log: Logger;
}

/** The replica that makes the outcomes for the database. */
interface Replica {
  /** Whether it has applied everything that the journal held at the start. */
  hasCaughtUp: boolean;
}

interface ServiceSources extends EngineComponents {
  readonly database: Database;
  readonly metrics: Registry;
  readonly replica: Replica;
}

function createServices(options: ServiceOptions, sources: ServiceSources): DatabaseServices {
  const { sequencer, cluster, database, durable, metrics, exchange, replica } = sources;
  const onAudited = followAudits({ metrics, exchange, log: options.log });
  return createDatabaseServices({
    database,
    outcomes: sequencer.outcomeLog,
    journalEnd: () => durable.sequence,
    secretsKey: options.config.secretsKey,
    ...(sources.changes === null ? {} : { keyChanges: sources.changes }),
    chainMinimums: chainThrift(options.config),
    ...(cluster === null ? {} : { acknowledged: () => acknowledgedSequence(cluster) }),
    startProjector: projectInThread({
      settings: {
        journalFolder: journalFolder(options.config),
        durableMemory: durable.memory,
        snapshotEvery: options.config.snapshotEvery,
        databaseTarget: database.target,
        pointsEpochStart: options.config.program.pointsEpochStart,
        logLevel: options.config.logLevel,
        logFormat: options.config.logFormat,
        isLeading: cluster === null,
      },
      ...(cluster === null ? {} : { watchLead: (onChange) => cluster.watchOwner(onChange) }),
      onPosition: (position) => sequencer.outcomeLog.release(position),
      onCaughtUp: () => {
        replica.hasCaughtUp = true;
      },
      onAudited: (report) => void onAudited(report),
      onFatal: options.onFatal,
    }),
    ...watchProjector(metrics),
  });
}

/** Creates the parts. Only the sequencer and the database are running at this point. */
export function createComponents(
  options: ServiceOptions,
  engine: EngineComponents,
  database: Database,
): Components {
  const { exchange, sequencer } = engine;
  const metrics = createMetrics();
  const replica: Replica = { hasCaughtUp: false };
  const services = createServices(options, { ...engine, database, metrics, replica });
  watchSequencer(metrics, sequencer, services);
  watchHealth(metrics, engine.health);
  watchNumbers(metrics, [
    {
      name: 'shared_log_used_ratio',
      help: "The used part of the shared log's space; 0 without NATS or without a limit",
      read: () => engine.cluster?.status.logUsedRatio ?? 0,
    },
  ]);
  watchBrokenRules({ metrics, exchange, log: options.log });
  logRisk(exchange, options.log);
  const clockWatch = watchClock(engine.clock, metrics);
  const readiness = createReadiness(engine, services, replica);
  const { cluster } = engine;
  const endClusterWatch =
    cluster === null ? null : watchCluster(cluster, metrics, readiness, options.log);
  const chain = createChain(options.config, services.chain, options.log);
  addChainReadiness(readiness, chain, options.config);
  watchChain(metrics, chain);
  watchReviews(metrics, services);
  watchChainAlarms({ metrics, config: options.config, pool: database.rewards, chain, services });
  const backlog = new DatabaseChainBacklog(database.rewards, () => Date.now());
  watchCustodyAlarms({ metrics, config: options.config, backlog, chain });
  const { config, log } = options;
  const wallet = createWalletPorts({ config, exchange, services, chain, log });
  const futures = createFuturesServices({ config, exchange, services, log, metrics });
  const pointsRoutes = createPointsRoutes(exchange, services);
  const parts = { services, metrics, readiness, chain, wallet };
  const jobs = createJobRunner({ ...parts, config, exchange, log });
  return {
    ...engine,
    ...parts,
    database,
    futures,
    pointsRoutes,
    jobs,
    clockWatch,
    endClusterWatch,
    log,
  };
}

function watchSequencer(metrics: Registry, sequencer: Sequencer, services: DatabaseServices): void {
  watchNumbers(metrics, [
    {
      name: 'engine_waiting',
      help: 'Commands and reads waiting for the disk',
      read: () => sequencer.statistics.waiting,
    },
    {
      name: 'journal_commands_total',
      help: 'Commands made durable since the start',
      read: () => sequencer.statistics.commands,
    },
    {
      name: 'journal_write_seconds_max',
      help: 'The longest write of the journal since the start',
      read: () => sequencer.statistics.writeMsMax / 1000,
    },
    {
      name: 'journal_space_missing',
      help: '1 while the next segment of the journal cannot be prepared',
      read: () => Number(sequencer.statistics.isSpaceMissing),
    },
    {
      name: 'projector_lag_commands',
      help: 'Durable commands that the database does not have yet',
      read: () => Math.max(0, sequencer.durableSequence - services.position),
    },
  ]);
}

function createReadiness(
  engine: EngineComponents,
  services: DatabaseServices,
  replica: Replica,
): Readiness {
  const { exchange, sequencer, cluster } = engine;
  const readiness = new Readiness();
  readiness.addInstant('journal', () => ({
    state: sequencer.statistics.isSpaceMissing ? 'disk full' : 'ready',
    isReady: !sequencer.statistics.isSpaceMissing,
    canRead: true,
  }));
  readiness.addInstant('engine', () => {
    const { state } = exchange;
    // With several processes, whether there is an owner is judged with the cluster's part.
    const isReady = (cluster === null ? state : sequencer.state) === 'ready';
    return { state, isReady };
  });
  const hasCaughtUp = watchCatchUp(engine, services);
  readiness.add('database', async () => {
    if (!(await services.health.isReachable())) return { state: 'unreachable', isReady: false };
    if (!services.isPositionKnown) return { state: 'starting', isReady: false };
    // Until then nothing new reaches the database, and history cannot answer.
    const isReady = hasCaughtUp() && replica.hasCaughtUp;
    return { state: isReady ? 'ready' : 'catching up', isReady };
  });
  return readiness;
}

/** Whether the database has reached the journal's end at the start: it lags after a crash. */
function watchCatchUp({ exchange }: EngineComponents, services: DatabaseServices): () => boolean {
  let goal: number | null = null;
  return () => {
    if (goal === null && exchange.state === 'ready') goal = exchange.durableSequence;
    return goal !== null && services.position >= goal;
  };
}

/** Stops the remaining parts once no requests arrive; `deadline` is on the monotonic clock. */
export async function stopComponents(parts: Components, deadline: number): Promise<void> {
  const { exchange, services, database, chain } = parts;
  const end = exchange.durableSequence;
  const projected = waitForProjection(services, end, deadline - stopReserveMs);
  const [isProjected] = await Promise.all([projected, chain.stop()]);
  if (!isProjected && parts.cluster === null) {
    const { position } = services;
    parts.log.warn(
      { position, end, rules: parts.sequencer.rules },
      'the database lacks commands: the next start writes them, if its program has these rules',
    );
  }
  parts.clockWatch.stop();
  parts.endClusterWatch?.();
  parts.counts?.stop();
  parts.changes?.stop();
  parts.health.stop();
  await services.stop();
  await exchange.stop();
  await database.stop();
}
