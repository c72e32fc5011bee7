import { randomBytes } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { FaucetWindow } from '../application/wallet/faucet-window.ts';
import type { ClusterExchange } from '../cluster/cluster-exchange.ts';
import { type Config, publicUrl } from '../config/config.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import type { AccessTokens } from '../gateway/auth/access-tokens.ts';
import { AdminTokens } from '../gateway/auth/admin-tokens.ts';
import { accountRoutes } from '../gateway/http/account/routes.ts';
import { haltRoutes } from '../gateway/http/admin/halt-routes.ts';
import { adminMoneyRoutes } from '../gateway/http/admin/list-money.ts';
import { adminRecordRoutes } from '../gateway/http/admin/list-records.ts';
import { adminSessionRoutes } from '../gateway/http/admin/open-session.ts';
import { adminSpotRoutes } from '../gateway/http/admin/routes.ts';
import { waitingEventRoutes } from '../gateway/http/admin/waiting-events.ts';
import { reviewRoutes } from '../gateway/http/admin/withdrawal-reviews.ts';
import { binanceSpotRoutes } from '../gateway/http/binance-spot/routes.ts';
import { chainRoutes } from '../gateway/http/chain/routes.ts';
import { connectionsWithin } from '../gateway/http/connection-guard.ts';
import { faucetRoutes } from '../gateway/http/faucet/routes.ts';
import { operationRoutes } from '../gateway/http/operation/routes.ts';
import { claimRoutes } from '../gateway/http/referral/claim-routes.ts';
import { referralRoutes } from '../gateway/http/referral/routes.ts';
import type { RepeatedOrders } from '../gateway/http/repeated-orders.ts';
import type { RequestLimiter } from '../gateway/http/request-limiter.ts';
import { buildServer, type ServerSettings } from '../gateway/http/server.ts';
import { type SiteFacts, siteRoutes } from '../gateway/http/site/get-site.ts';
import { spotRoutes } from '../gateway/http/spot/routes.ts';
import { type SurfaceRoutes } from '../gateway/http/surface-routes.ts';
import { walletRoutes } from '../gateway/http/wallet/routes.ts';
import { readOpenFilesMax } from '../observability/open-files.ts';
import { haltPorts, minimumClaim, waitingEventPorts } from './chain.ts';
import { makeClientOrderIdSource } from './client-order-id-source.ts';
import type { Components } from './components.ts';
import type { ServiceOptions } from './options.ts';
import { solvencyPorts } from './solvency.ts';
import { reviewPorts } from './wallet.ts';

const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url));

// Paths for machines that monitor this process alone.
const operationPaths: ReadonlySet<string> = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/readyz/read',
  '/metrics',
]);

/** Counters and caches shared by all entry points of the service. */
export interface SharedCounts {
  readonly limiter: RequestLimiter;
  readonly repeated: RepeatedOrders;
}

/** What several entry points of the service share. */
export interface SharedGateway extends SharedCounts {
  readonly tokens: AccessTokens;
  /** The paths of /api/v3, which are also methods of the WebSocket API. */
  readonly spotOfBinance: SurfaceRoutes;
}

/**
 * Creates the HTTP side: every surface with the ports that its endpoints need. Without the role of
 * a gateway, only what monitors the process.
 */
export async function createApp(
  options: ServiceOptions,
  parts: Components,
  shared: SharedGateway,
): Promise<FastifyInstance> {
  const { config, log } = options;
  const { cluster, services, metrics, readiness } = parts;
  const { limiter, repeated, tokens } = shared;
  const { isGateway } = config.cluster.roles;
  const app = await buildServer({
    settings: serverSettings(config),
    tokens,
    apiKeys: services.apiKeys,
    limiter,
    repeated,
    routes: [
      operationRoutes({ readiness, metrics, now: Date.now }),
      ...(isGateway ? clientRoutes(options, parts, shared) : []),
    ],
    log,
    metrics,
    now: Date.now,
  });
  if (cluster !== null) catchUpFirst(app.server, cluster);
  return app;
}

function clientRoutes(
  { config, log }: ServiceOptions,
  parts: Components,
  { tokens, spotOfBinance }: SharedGateway,
): readonly SurfaceRoutes[] {
  const { exchange, services, chain } = parts;
  const ports = {
    exchange,
    history: services.history,
    barrier: services.barrier,
    database: services.health,
    audit: services.audit,
    adminRecords: services.adminRecords,
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
    siteFacts: siteFacts(config),
    loadPauseSwitch: () => services.perpWithdrawals.isPaused().catch(() => null),
  };
  return [
    accountRoutes(ports),
    spotRoutes(ports),
    spotOfBinance,
    ...adminRoutes(config, parts, ports),
    faucetRoutes(ports),
    referralRoutes(ports),
    ...parts.futures.routes,
    ...parts.pointsRoutes,
    ...walletRoutes(parts.wallet),
    claimRoutes(ports),
    chainRoutes(ports),
    siteRoutes(ports),
    haltRoutes(haltPorts(config, services, chain)),
    waitingEventRoutes(waitingEventPorts(config, parts)),
    reviewRoutes(reviewPorts(config, services)),
  ];
}

function adminRoutes(
  config: Config,
  parts: Components,
  ports: Parameters<typeof adminSpotRoutes>[0] & Parameters<typeof adminRecordRoutes>[0],
): readonly SurfaceRoutes[] {
  return [
    adminSessionRoutes(new AdminTokens(config.adminApiKey, Date.now)),
    adminSpotRoutes(ports),
    adminRecordRoutes(ports),
    adminMoneyRoutes({ ...parts.services, ...solvencyPorts(config, parts) }),
  ];
}

function serverSettings(config: Config): ServerSettings {
  return {
    limits: config.limits,
    connections: { connectionsMax: connectionsWithin(readOpenFilesMax()) },
    adminApiKey: config.adminApiKey,
    metricsToken: config.metricsToken,
    areMetricsOpen: config.areMetricsOpen,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    consoleFolder: config.isConsoleServed && config.cluster.roles.isGateway ? consoleFolder : null,
  };
}

/** The Binance-style endpoints of spot. */
export function routesOfBinanceSpot(
  { exchange, services, futures }: Components,
  { limits, isListenKeyUnsigned, fapiDialect, isSpotTradingEnabled }: Config,
): SurfaceRoutes {
  const { spotRecords, barrier } = services;
  const { listenKeys } = futures;
  const newClientOrderId = makeClientOrderIdSource(Date.now);
  const now = () => Date.now() as TimestampMs;
  return binanceSpotRoutes({
    ports: { exchange, barrier, spotRecords, isSpotTradingEnabled, newClientOrderId, now },
    limits,
    listenKeys,
    isListenKeyUnsigned: isListenKeyUnsigned || fapiDialect === 'binance',
  });
}

// What another process has just confirmed to a client, this one must not deny, even if it owns the
// exchange, or still believes so; only what changes something is ordered there anyway. If it is
// unknown how far the others are, the request continues, and its own reads report that.
function catchUpFirst(server: Server, cluster: ClusterExchange): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const goOn = (): void => {
      for (const listener of listeners) listener(request, response);
    };
    const path = request.url ?? '';
    const isOrdered = cluster.isOwner && request.method !== 'GET';
    if (isOrdered || operationPaths.has(path) || isPagePath(path)) return goOn();
    cluster.catchUp().then(goOn, goOn);
  });
}

// The console's files do not depend on the exchange's state.
function isPagePath(path: string): boolean {
  return !/^\/f?api\//.test(path);
}

function siteFacts(config: Config): SiteFacts {
  const { program, chain } = config;
  return {
    isTestnet: config.isTestnet,
    isSpotTradingEnabled: config.isSpotTradingEnabled,
    chainId: chain.chainId,
    isDevelopmentChain: chain.rpcUrl === null,
    minimumClaim: program.minClaimUsdt,
    settleIntervalMs: program.settleIntervalMs,
    withdrawMinimums: program.withdrawMinimums,
  };
}
