import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { seedDevelopmentMarkets } from './application/admin/seed-development-markets.ts';
import { seedFuturesMarkets } from './application/derivatives/seed-futures-markets.ts';
import { FaucetWindow } from './application/wallet/faucet-window.ts';
import type { ChainService } from './chain/chain-service.ts';
import { addChainReadiness, createChain, minimumClaim, watchChain } from './chain-parts.ts';
import type { Config } from './config/config.ts';
import { createDatabaseServices, type DatabaseServices } from './database/database-services.ts';
import { type Database, openDatabase } from './database/open-database.ts';
import { type Demo, startDemo } from './demo/start-demo.ts';
import type { TimestampMs } from './domain/identifiers.ts';
import { engineFactory } from './engine/engine.ts';
import { createFuturesParts, type FuturesParts } from './futures-parts.ts';
import { AccessTokens } from './gateway/auth/access-tokens.ts';
import { accountRoutes } from './gateway/http/account/routes.ts';
import { adminSpotRoutes } from './gateway/http/admin/routes.ts';
import { chainRoutes } from './gateway/http/chain/routes.ts';
import { faucetRoutes } from './gateway/http/faucet/routes.ts';
import { Readiness } from './gateway/http/operation/readiness.ts';
import { operationRoutes } from './gateway/http/operation/routes.ts';
import { claimRoutes } from './gateway/http/referral/claim-routes.ts';
import { referralRoutes } from './gateway/http/referral/routes.ts';
import { RequestLimiter } from './gateway/http/request-limiter.ts';
import { buildServer } from './gateway/http/server.ts';
import { spotRoutes } from './gateway/http/spot/routes.ts';
import { type WalletRoutePorts, walletRoutes } from './gateway/http/wallet/routes.ts';
import { attachStreams, type Streams } from './gateway/ws/attach-streams.ts';
import { futuresCandleHistory } from './gateway/ws/futures/futures-history.ts';
import { systemStreamClock } from './gateway/ws/stream-clock.ts';
import { defaultStreamLimits } from './gateway/ws/stream-limits.ts';
import { startWalletJob } from './jobs/settle-wallet.ts';
import type { Logger } from './observability/log.ts';
import { createMetrics, watchNumbers, watchProjector } from './observability/metrics.ts';
import { createPointsParts, type PointsParts } from './points-parts.ts';
import { projectInThread } from './projector-thread.ts';
import { DurableSignal } from './sequencer/durable-signal.ts';
import { openSequencer, type Sequencer } from './sequencer/sequencer.ts';
import { createWalletPorts } from './wallet-parts.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Runs traders of the house in the development markets. */
  readonly isDemo?: boolean;
  /** The journal or the engine failed: the process has to end with a failure. */
  readonly onFatal: (error: unknown) => void;
}

export interface Service {
  /** Where it listens, for example http://127.0.0.1:8080. */
  readonly url: string;
  /** Resolves once the journal is replayed and orders are taken. */
  readonly ready: Promise<void>;
  /** Takes nothing more, finishes what is in flight, makes all durable and closes. */
  stop(): Promise<void>;
}

/** The address is in use; the message says which. */
export class AddressTakenError extends Error {
  override readonly name = 'AddressTakenError';
}

// How long a stop waits for the database to hold what the journal holds; a start catches up too.
const projectionWaitMs = 2_000;
// How soon a balance follows what is counted of the chain; an idle pass is three small queries.
const walletIntervalMs = 500;

/** The whole exchange in one process. Listens at once; orders are taken when `ready` resolves. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log } = options;
  await requireFreeAddress(config);
  const durable = new DurableSignal();
  const sequencer = openSequencer({
    directory: journalFolder(config),
    machines: engineFactory,
    clock: { now: Date.now },
    logger: log,
    onFatal: options.onFatal,
    limits: { waitingMax: config.engineQueueMax, snapshotEvery: config.snapshotEvery },
    follower: durable,
  });
  // The journal's lock comes first: a second process must not touch the first one's database.
  const recovered = sequencer.start();
  const opened = openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, logger: log });
  const [database] = await Promise.all([opened, Promise.race([recovered, opened])]).catch(
    async (error: unknown) => {
      await Promise.allSettled([sequencer.stop(), opened.then((each) => each.stop())]);
      throw error;
    },
  );
  const parts = createParts(options, sequencer, database, durable);
  try {
    return await openGateway(options, parts, recovered);
  } catch (error) {
    await stopParts(parts);
    throw error;
  }
}

interface Parts {
  readonly sequencer: Sequencer;
  readonly database: Database;
  readonly services: DatabaseServices;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly chain: ChainService;
  readonly wallet: WalletRoutePorts;
  readonly futures: FuturesParts;
  readonly points: PointsParts;
}

interface ServiceSources {
  readonly sequencer: Sequencer;
  readonly database: Database;
  readonly durable: DurableSignal;
  readonly metrics: Registry;
}

function createServices(options: ServiceOptions, sources: ServiceSources): DatabaseServices {
  const { sequencer, database, durable, metrics } = sources;
  return createDatabaseServices({
    database,
    outcomes: sequencer.outcomeLog,
    journalEnd: () => durable.sequence,
    secretsKey: options.config.secretsKey,
    startProjector: projectInThread({
      settings: {
        journalFolder: journalFolder(options.config),
        durableMemory: durable.memory,
        snapshotEvery: options.config.snapshotEvery,
        databaseTarget: database.target,
        pointsEpochStart: options.config.program.pointsEpochStart,
        logLevel: options.config.logLevel,
      },
      onPosition: (position) => sequencer.outcomeLog.release(position),
      onFatal: options.onFatal,
    }),
    ...watchProjector(metrics),
  });
}

function createParts(
  options: ServiceOptions,
  sequencer: Sequencer,
  database: Database,
  durable: DurableSignal,
): Parts {
  const metrics = createMetrics();
  const services = createServices(options, { sequencer, database, durable, metrics });
  watchNumbers(metrics, [
    {
      name: 'engine_waiting',
      help: 'Commands and reads that wait for the disk',
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
      help: 'Durable commands that the database does not hold yet',
      read: () => Math.max(0, sequencer.durableSequence - services.position),
    },
  ]);
  const readiness = new Readiness();
  readiness.add('journal', () => ({
    state: sequencer.statistics.isSpaceMissing ? 'disk full' : 'ready',
    isReady: !sequencer.statistics.isSpaceMissing,
  }));
  readiness.add('engine', () => ({
    state: sequencer.state,
    isReady: sequencer.state === 'ready',
  }));
  readiness.add('database', async () => {
    const isReady = await services.health.isReachable();
    return { state: isReady ? 'ready' : 'unreachable', isReady };
  });
  const chain = createChain(options.config, services.chain, options.log);
  addChainReadiness(readiness, chain);
  watchChain(metrics, chain);
  const { config, log } = options;
  const wallet = createWalletPorts({ config, sequencer, services, chain, log });
  const futures = createFuturesParts({ config, sequencer, services, log });
  const points = createPointsParts({ config, sequencer, services, metrics, readiness, log });
  return { sequencer, database, services, metrics, readiness, chain, wallet, futures, points };
}

async function openGateway(
  options: ServiceOptions,
  parts: Parts,
  recovered: Promise<void>,
): Promise<Service> {
  const { config, log } = options;
  const { sequencer, services, metrics } = parts;
  const tokens = new AccessTokens({
    secret: config.jwtSecret,
    lifetimeSeconds: config.jwtTtlSeconds,
    now: Date.now,
  });
  const limiter = new RequestLimiter(config.limits, Date.now);
  const app = await createApp(options, parts, tokens, limiter);
  const streams = attachStreams({
    server: app.server,
    exchange: sequencer,
    balanceFeed: services.balances,
    vip: { feed: services.vipFeed, store: services.vip },
    futuresHistory: futuresCandleHistory(services.futuresHistory, services.barrier),
    history: { history: services.history, barrier: services.barrier },
    perpetualHistory: services,
    verifyToken: (token) => tokens.verify(token),
    listenKeys: parts.futures.listenKeys,
    orderEntry: {
      endpoints: parts.futures.routes.flatMap(({ endpoints }) => endpoints),
      apiKeys: services.apiKeys,
      limiter,
    },
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.corsOrigins,
    clock: systemStreamClock,
    limits: defaultStreamLimits,
    log,
    metrics,
  });
  const url = await app.listen({ host: config.host, port: config.port });
  services.start();
  parts.chain.start(services.prepared);
  parts.points.jobs.start(services.prepared);
  const stopWalletJob = startWalletJob(
    { ...parts.wallet, exchange: sequencer, log, intervalMs: walletIntervalMs },
    services.prepared,
  );
  const running = { ...parts, app, streams, stopWalletJob, demo: null as Demo | null };
  const ready = recovered.then(async () => {
    parts.futures.start();
    if (config.isProduction) return;
    await seedDevelopmentMarkets(sequencer);
    await seedFuturesMarkets(sequencer, config.indexPriceSource);
    if (options.isDemo === true) running.demo = startDemo(demoPorts(parts, log));
  });
  return { url, ready, stop: () => stopService(running) };
}

function createApp(
  { config, log }: ServiceOptions,
  parts: Parts,
  tokens: AccessTokens,
  limiter: RequestLimiter,
): Promise<FastifyInstance> {
  const { sequencer, services, metrics, readiness, chain } = parts;
  const ports = {
    exchange: sequencer,
    history: services.history,
    barrier: services.barrier,
    database: services.health,
    audit: services.audit,
    apiKeys: services.apiKeys,
    nonces: services.loginNonces,
    profiles: services.profiles,
    referral: services.referral,
    referralReader: services.referralReader,
    claims: services.claims,
    failedSettlements: services.failedSettlements,
    minimumClaim: minimumClaim(config),
    rewardSigner: chain.rewardSigner,
    onChainReader: chain.reader,
    chainInfo: () => chain.info,
    randomBytes: (count: number) => randomBytes(count),
    tokens,
    contractSignatures: chain.contractSignatures,
    site: () => ({ publicUrl: publicUrl(config), chainId: config.chain.chainId }),
    isSpotTradingEnabled: config.isSpotTradingEnabled,
    areTestCreditsEnabled: config.isTestnet,
    faucetWindow: new FaucetWindow(),
    log,
    now: () => Date.now() as TimestampMs,
    monotonicMs: () => performance.now(),
  };
  return buildServer({
    settings: {
      limits: config.limits,
      adminApiKey: config.adminApiKey,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
    },
    tokens,
    apiKeys: services.apiKeys,
    limiter,
    routes: [
      operationRoutes({ readiness, metrics }),
      accountRoutes(ports),
      spotRoutes(ports),
      adminSpotRoutes(ports),
      faucetRoutes(ports),
      referralRoutes(ports),
      ...parts.futures.routes,
      ...parts.points.routes,
      ...walletRoutes(parts.wallet),
      claimRoutes(ports),
      chainRoutes(ports),
    ],
    log,
    metrics,
    now: Date.now,
  });
}

function demoPorts({ sequencer, services }: Parts, log: Logger) {
  return {
    exchange: sequencer,
    barrier: services.barrier,
    database: services.health,
    isSpotTradingEnabled: true,
    log,
    random: Math.random,
  };
}

function journalFolder({ dataDir }: Config): string {
  return join(dataDir, 'journal');
}

function publicUrl({ publicUrl: url, host, port }: Config): string {
  return url ?? `http://${host}:${port}`;
}

interface RunningParts extends Parts {
  readonly app: FastifyInstance;
  readonly streams: Streams;
  readonly stopWalletJob: () => Promise<void>;
  readonly demo: Demo | null;
}

async function stopService(parts: RunningParts): Promise<void> {
  await parts.demo?.stop();
  await parts.stopWalletJob();
  await parts.futures.stop();
  await parts.points.jobs.stop();
  // Requests under way may still need the node.
  await Promise.all([parts.app.close(), parts.streams.close(), parts.chain.finishWork()]);
  await stopParts(parts);
}

async function stopParts({ sequencer, services, database, chain }: Parts): Promise<void> {
  const projected = services.barrier.waitFor(sequencer.durableSequence);
  await Promise.all([
    Promise.race([projected.catch(() => undefined), pause(projectionWaitMs)]),
    chain.stop(),
  ]);
  await services.stop();
  await sequencer.stop();
  await database.stop();
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs).unref());
}

/** @throws AddressTakenError before anything else is touched. */
async function requireFreeAddress({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(cause);
      const text = `port ${port} of ${host} is taken by another process; set PORT to a free one`;
      reject(new AddressTakenError(text, { cause }));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
