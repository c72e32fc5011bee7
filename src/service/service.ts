import type { FastifyInstance } from 'fastify';
import { seedDevelopmentMarkets } from '../application/admin/seed-development-markets.ts';
import { seedFuturesMarkets } from '../application/futures/seed-futures-markets.ts';
import type { Config } from '../config/config.ts';
import { type Database, openDatabase } from '../database/open-database.ts';
import { findHeldPosition, requireJournalBeyond } from '../database/projector/journal-end.ts';
import type { DemoPorts } from '../demo/demo-ports.ts';
import type { Demo } from '../demo/start-demo.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { AccessTokens } from '../gateway/auth/access-tokens.ts';
import { connectionsWithin } from '../gateway/http/connection-guard.ts';
import { binanceDialect } from '../gateway/http/fapi/dialect/binance-dialect.ts';
import { StartingListener } from '../gateway/http/operation/starting-listener.ts';
import { AnswerMemory, RepeatedOrders } from '../gateway/http/repeated-orders.ts';
import { RequestLimiter } from '../gateway/http/request-limiter.ts';
import { attachStreams, type Streams } from '../gateway/ws/attach-streams.ts';
import { candleHistory } from '../gateway/ws/futures/candle-history.ts';
import { systemStreamClock } from '../gateway/ws/stream-clock.ts';
import { defaultStreamLimits } from '../gateway/ws/stream-limits.ts';
import type { Logger } from '../observability/log.ts';
import { readOpenFilesMax } from '../observability/open-files.ts';
import { watchDescriptors } from '../observability/watch-descriptors.ts';
import { requireFinalBlocks } from './chain.ts';
import { type Components, createComponents, stopComponents } from './components.ts';
import { type EngineComponents, openEngine } from './engine.ts';
import {
  createApp,
  routesOfBinanceSpot,
  type SharedCounts,
  type SharedGateway,
} from './http-app.ts';
import { journalFolder, type ServiceOptions } from './options.ts';
import { requireOwnDatabase } from './own-database.ts';
import { StartProgress } from './start-progress.ts';
import { findRulesBefore, requireAllProjected } from './upgrade.ts';

export interface Service {
  /** The address it listens on, for example http://127.0.0.1:8080. */
  readonly url: string;
  /** Resolves once the journal is replayed and orders are accepted. */
  readonly ready: Promise<void>;
  /** Whether everything that trading needs is ready, as reported by /readyz. */
  isReady(): Promise<boolean>;
  /** Accepts nothing more, finishes what is in flight, makes everything durable and closes. */
  stop(): Promise<void>;
}

// The part that /readyz shows until the start is over.
const startPart = 'start';

/** The address is in use; the message says which. */
class AddressTakenError extends Error {
  override readonly name = 'AddressTakenError';
}

/**
 * Starts one process of the exchange. It listens immediately and accepts orders once `ready`
 * resolves.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log } = options;
  const progress = new StartProgress(log);
  const listener = await listenWhileStarting(config, progress).catch((error: unknown) => {
    progress.end();
    throw error;
  });
  try {
    return await startComponents(options, progress, listener);
  } catch (error) {
    progress.end();
    await listener?.close();
    throw error;
  }
}

async function startComponents(
  options: ServiceOptions,
  progress: StartProgress,
  listener: StartingListener | null,
): Promise<Service> {
  const { config, log } = options;
  await progress.waitFor('the chain', requireFinalBlocks(config));
  const asked = findRulesBefore(journalFolder(config));
  const rulesBefore = await progress.waitFor('the journal', asked);
  const engine = openEngine(options, rulesBefore, () => opened);
  // The journal's lock comes first: a second process must not touch the first one's database.
  const recovered = progress.waitFor('the journal', engine.exchange.start());
  const opened = progress.waitFor(
    'the database',
    openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, logger: log }),
  );
  const [database] = await Promise.all([opened, Promise.race([recovered, opened])])
    .then(async ([database]) => {
      // Before the first command and the first migration, so that the older program can still
      // continue.
      if (rulesBefore === null) return [database] as const;
      const ended = requireOlderEnded(engine, recovered, database, rulesBefore);
      await progress.waitFor('the database to say what it holds of older rules', ended);
      return [database] as const;
    })
    .catch(async (error: unknown) => {
      await Promise.allSettled([engine.exchange.stop(), opened.then((each) => each.stop())]);
      throw error;
    });
  const parts = createComponents(options, engine, database);
  try {
    const opening = { options, parts, recovered, progress, listener };
    return await progress.waitFor('the gateway', openGateway(opening));
  } catch (error) {
    await stopComponents(parts, performance.now());
    throw error;
  }
}

async function requireOlderEnded(
  { sequencer }: EngineComponents,
  recovered: Promise<void>,
  database: Database,
  rulesBefore: number,
): Promise<void> {
  await recovered;
  await requireAllProjected(database, sequencer.durableSequence, rulesBefore);
}

interface Opening {
  readonly options: ServiceOptions;
  readonly parts: Components;
  readonly recovered: Promise<void>;
  readonly progress: StartProgress;
  readonly listener: StartingListener | null;
}

async function openGateway(opening: Opening): Promise<Service> {
  const { options, parts, recovered, progress } = opening;
  const { config, log } = options;
  const { exchange, services } = parts;
  const tokens = new AccessTokens({
    secret: config.jwtSecret,
    lifetimeSeconds: config.jwtTtlSeconds,
    issuer: config.publicUrl ?? 'openbourse',
    endedSessions: services.endedSessions,
    now: Date.now,
  });
  const spotOfBinance = routesOfBinanceSpot(parts, config);
  const shared = { ...createCounts(config, parts), tokens, spotOfBinance };
  const app = await createApp(options, parts, shared);
  const { isGateway } = config.cluster.roles;
  const streams = isGateway ? openStreams(options, parts, { app, shared }) : null;
  const held = await progress.waitFor('the database', findHeld(parts));
  parts.readiness.add(startPart, () => ({
    state: 'starting',
    isReady: false,
    detail: `waits for ${progress.waitsFor.join(' and ')}`,
  }));
  await opening.listener?.close();
  const url = await app.listen({ host: config.host, port: config.port });
  services.start();
  parts.chain.start(services.prepared);
  parts.jobs.start(services.prepared);
  services.prepared
    .then(() => requireOwnDatabase(parts, log))
    .catch((error: unknown) => {
      log.fatal({ err: error }, 'this process belongs to another exchange');
      options.onFatal(error);
    });
  const stopWatching = watchDescriptors(log);
  const running = { ...parts, app, streams, stopWatching, demo: null as Demo | null };
  const isReady = async (): Promise<boolean> => (await parts.readiness.check(Date.now())).isReady;
  const prepared = recovered.then(async () => {
    // Before the first command: a journal that has grown past the database would look sound.
    if (held !== null) requireJournalOf(held, parts, options);
    if (config.isProduction || parts.cluster?.isOwner === false) return;
    await seedDevelopmentMarkets(exchange);
    await seedFuturesMarkets(exchange, config.indexPriceSource);
    if (options.demo === null) return;
    // Without the demo the service runs without the client, which the demo trades through.
    const { startDemo } = await import('../demo/start-demo.ts');
    running.demo = startDemo(demoPorts(parts, { url, tokens, log }), options.demo);
    await progress.waitFor('the first quotes of the demo traders', running.demo.quoted);
  });
  const ready = progress
    .waitFor('the journal and the first markets', prepared)
    .then(() => parts.readiness.remove(startPart))
    .finally(() => progress.end());
  return { url, ready, isReady, stop: () => stopService(running, config.stopTimeoutMs) };
}

interface GatewaySide {
  readonly app: FastifyInstance;
  readonly shared: SharedGateway;
}

function openStreams(
  { config, log }: ServiceOptions,
  { exchange, services, futures, metrics }: Components,
  { app, shared }: GatewaySide,
): Streams {
  return attachStreams({
    server: app.server,
    exchange,
    balanceFeed: services.balances,
    vip: { feed: services.vipFeed, store: services.vip },
    events: services.accountEvents,
    futuresHistory: candleHistory(services.futuresHistory, services.barrier),
    history: { history: services.history, barrier: services.barrier },
    perpetualHistory: services,
    spotCandles: candleHistory(services.spotRecords, services.barrier),
    verifyToken: (token) => shared.tokens.verify(token),
    isSessionEnded: (session) => shared.tokens.isEnded(session),
    listenKeys: futures.listenKeys,
    limiter: shared.limiter,
    orderEntry: {
      endpoints: futures.routes.flatMap(({ endpoints }) => endpoints),
      ...(config.fapiDialect === 'binance' ? { surface: binanceDialect.surface } : {}),
      apiKeys: services.apiKeys,
      spotEndpoints: shared.spotOfBinance.endpoints,
      ...shared,
    },
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.corsOrigins,
    clock: systemStreamClock,
    limits: defaultStreamLimits,
    log,
    metrics,
  });
}

function createCounts({ limits }: Config, parts: Components): SharedCounts {
  const { cluster, sequencer, counts } = parts;
  const memory = cluster?.orderMemory ?? sequencer.orderMemory;
  const limiter = new RequestLimiter(limits, Date.now);
  counts?.use(limiter);
  return {
    limiter,
    repeated: new RepeatedOrders(new AnswerMemory(), Date.now, memory),
  };
}

/** @throws DatabaseAheadError after asking the process to end. */
function requireJournalOf(held: Sequence, { exchange }: Components, options: ServiceOptions): void {
  try {
    requireJournalBeyond(held, exchange.durableSequence);
  } catch (error) {
    options.log.fatal(
      { err: error },
      'the journal and the database are from different points in time',
    );
    options.onFatal(error);
    throw error;
  }
}

function demoPorts(
  { exchange, services, readiness }: Components,
  {
    url,
    tokens,
    log,
  }: { readonly url: string; readonly tokens: AccessTokens; readonly log: Logger },
): DemoPorts {
  return {
    exchange,
    url,
    issueToken: (address) => tokens.issue(address),
    isReady: async () => {
      const { parts } = await readiness.check(Date.now());
      // The start itself waits for the first quotes.
      return [...parts].every(([name, part]) => part.isReady || name === startPart);
    },
    barrier: services.barrier,
    database: services.health,
    log,
    random: Math.random,
  };
}

interface RunningService extends Components {
  readonly app: FastifyInstance;
  /** Null if clients are not served here. */
  readonly streams: Streams | null;
  readonly stopWatching: () => void;
  readonly demo: Demo | null;
}

async function stopService(parts: RunningService, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  parts.stopWatching();
  // Requests still in flight here are served through the process that takes over.
  await parts.cluster?.handOver();
  await parts.demo?.stop();
  await parts.jobs.stop();
  // Pending requests may still need the node.
  await Promise.all([parts.app.close(), parts.streams?.close(), parts.chain.finishWork()]);
  await stopComponents(parts, deadline);
}

function findHeld({ cluster, database }: Components): Promise<Sequence | null> {
  return cluster === null ? findHeldPosition(database) : Promise.resolve(null);
}

/**
 * Listens before anything else is touched. Null if any free port is accepted, since it is not
 * chosen yet.
 * @throws AddressTakenError
 */
async function listenWhileStarting(
  { host, port }: Config,
  progress: StartProgress,
): Promise<StartingListener | null> {
  if (port === 0) return null;
  try {
    const connectionsMax = connectionsWithin(readOpenFilesMax());
    const waitsFor = (): readonly string[] => progress.waitsFor;
    return await StartingListener.open({ host, port, connectionsMax, waitsFor });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const text = `port ${port} of ${host} is taken by another process; set PORT to a free one`;
    throw new AddressTakenError(text, { cause });
  }
}
