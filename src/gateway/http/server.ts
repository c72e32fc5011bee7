import cors from '@fastify/cors';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Registry } from 'prom-client';
import type { ApiKeyStore } from '../../application/ports/accounts.ts';
import type { Logger } from '../../observability/log.ts';
import type { AccessTokens } from '../auth/access-tokens.ts';
import { AdminKey } from '../auth/admin-key.ts';
import { AdminTokens } from '../auth/admin-tokens.ts';
import { Authenticator } from '../auth/authenticator.ts';
import { ClientAddresses } from '../auth/client-address.ts';
import { malformed } from '../errors/failure-from-error.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { Surface } from '../errors/surface.ts';
import { allowedMethods } from './allowed-methods.ts';
import { addBodyParsers } from './body-parsers.ts';
import { answerClientError } from './client-error.ts';
import {
  ConnectionGuard,
  type ConnectionLimits,
  defaultConnectionLimits,
} from './connection-guard.ts';
import { addConsole, isConsoleBuilt } from './console/add-console.ts';
import { addFrontPage } from './console/front-page.ts';
import { corsOptions } from './cors-options.ts';
import { namesTwoHosts } from './host-header.ts';
import { LaneConnections } from './lane/lane-connections.ts';
import { takeRequests } from './lane/lane-requests.ts';
import { OrderLane } from './lane/order-lane.ts';
import { addObserver, RequestObserver } from './observe-requests.ts';
import { addOpenApi, addReference } from './openapi.ts';
import { parseParameters } from './parameters.ts';
import { registerEndpoint } from './register-endpoint.ts';
import { AnswerMemory, RepeatedOrders } from './repeated-orders.ts';
import { RequestIds } from './request-ids.ts';
import { RequestLimiter, type RequestLimits } from './request-limiter.ts';
import { ErrorSender } from './send-error.ts';
import { surfaceOfPath } from './surface-of-path.ts';
import { type SurfaceRoutes } from './surface-routes.ts';

export interface ServerSettings {
  readonly limits: RequestLimits;
  readonly adminApiKey: string | null;
  /** Grants access to /metrics; null: nothing does. */
  readonly metricsToken: string | null;
  /** True if /metrics is open to everyone. */
  readonly areMetricsOpen: boolean;
  /** Proxies whose X-Forwarded-For is trusted: addresses and CIDR blocks. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages can call the API; `*` only for public reads. Empty: none. */
  readonly corsOrigins: readonly string[];
  readonly timeouts?: ServerTimeouts;
  /** Absent: the default limits. */
  readonly connections?: Partial<ConnectionLimits>;
  /** The folder of the built console; absent or null: none is served. */
  readonly consoleFolder?: string | null;
}

export interface ServerTimeouts {
  /** How long a client can take to send a request's headers. */
  readonly headersMs: number;
  /** How long a client can take to send a whole request. */
  readonly requestMs: number;
  /** How often the two timeouts above are checked. */
  readonly checkIntervalMs: number;
}

export interface ServerParts {
  readonly settings: ServerSettings;
  readonly tokens: AccessTokens;
  readonly apiKeys: ApiKeyStore;
  readonly routes: readonly SurfaceRoutes[];
  /** Shared with other transports that accept orders; absent: a separate instance. */
  readonly repeated?: RepeatedOrders;
  /** Shared with other transports that accept requests; absent: a separate instance. */
  readonly limiter?: RequestLimiter;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const bodyBytesMax = 64 * 1024;
const headerBytesMax = 16 * 1024;
const pathParameterLengthMax = 128;
const defaultTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkIntervalMs: 1_000,
};
// Longer than common load balancers keep an idle connection, so that they close it first.
const keepAliveMs = 75_000;

/**
 * Builds the HTTP server with all its routes; it does not listen yet. `close()` stops accepting
 * requests, lets those in flight finish and then resolves.
 */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { settings, now, log } = parts;
  const requestIds = new RequestIds();
  const limiter = parts.limiter ?? new RequestLimiter(settings.limits, now);
  const addresses = new ClientAddresses(settings.trustedProxies);
  const app = createApp(parts, { requestIds, limiter, addresses });
  const authenticator = new Authenticator({
    tokens: parts.tokens,
    apiKeys: parts.apiKeys,
    adminKey: new AdminKey(settings.adminApiKey),
    adminTokens: new AdminTokens(settings.adminApiKey, now),
    operatorKey: settings.areMetricsOpen ? null : new AdminKey(settings.metricsToken),
    limiter,
    now,
  });
  addBodyParsers(app);
  decorateRequests(app);
  const isClosing = addFirstHook(app, parts, addresses);
  const observer = new RequestObserver(parts);
  addObserver(app, observer);
  const lane = new OrderLane({
    authenticator,
    limiter,
    addresses,
    requestIds,
    observer,
    isClosing,
  });
  if (settings.corsOrigins.length > 0) {
    await app.register(cors, () => corsOptions(settings.corsOrigins));
  }
  await addOpenApi(app);
  const repeated = parts.repeated ?? new RepeatedOrders(new AnswerMemory(), now);
  const shared = { authenticator, limiter, now, repeated, lane };
  for (const { surface, endpoints } of parts.routes) {
    const errors = new ErrorSender(surface, log, now);
    await app.register(async (scope) => {
      for (const endpoint of endpoints) registerEndpoint(scope, endpoint, { ...shared, errors });
    });
  }
  await addReference(app, parts.routes, limiter);
  await addPages(app, parts, limiter);
  answerUnknownPaths(app, parts, limiter);
  const { headersMs } = settings.timeouts ?? defaultTimeouts;
  const connections = new LaneConnections(lane, {
    firstBytesMs: headersMs,
    keepAliveMs,
    onSilence: (socket) => answerClientError(silence, socket, requestIds.next()),
  });
  app.addHook('preClose', (done) => {
    connections.closeIdle();
    done();
  });
  await app.ready();
  for (const path of lane.paths) await app.inject({ method: 'POST', url: path });
  observer.forget();
  takeRequests(app.server, lane);
  connections.interceptConnections(app.server);
  guardConnections(app, parts, addresses);
  return app;
}

function guardConnections(
  app: FastifyInstance,
  { settings, log }: ServerParts,
  addresses: ClientAddresses,
): void {
  const limits = { ...defaultConnectionLimits, ...settings.connections };
  const guard = new ConnectionGuard({ limits, addresses, log });
  guard.interceptConnections(app.server);
  app.server.once('close', () => guard.stop());
}

// A connection without a request, with the error code of node:http.
const silence = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };

interface AppParts {
  readonly requestIds: RequestIds;
  readonly limiter: RequestLimiter;
  readonly addresses: ClientAddresses;
}

function createApp(
  { settings, now, log }: ServerParts,
  { requestIds, limiter, addresses }: AppParts,
): FastifyInstance {
  const timeouts = settings.timeouts ?? defaultTimeouts;
  return fastify({
    loggerInstance: log,
    // One hook logs requests with their id; a logger for each request costs more.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => requestIds.next(),
    bodyLimit: bodyBytesMax,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: keepAliveMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      maxHeaderSize: headerBytesMax,
    },
    routerOptions: { maxParamLength: pathParameterLengthMax, querystringParser: parseParameters },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        allowUnionTypes: true,
      },
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, requestIds.next()),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      const errors = new ErrorSender(surfaceOfPath(request.url), log, now);
      // The hooks do not see a request whose path no route can have.
      const client = addressOf(request, addresses);
      const { retryAfterSeconds, isBanned } = limiter.useWeight(client, 1);
      if (retryAfterSeconds === null) errors.sendThrown(request, reply, error);
      else errors.send(reply, { reason: 'rate_limited', retryAfterSeconds, isBanned });
    },
  }) as unknown as FastifyInstance;
}

function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('preparedKey', null);
  app.decorateRequest('signature', null);
  app.decorateRequest('form', null);
  app.decorateRequest('rawBody', '');
  app.decorateRequest('clientAddress', '');
}

/** Returns a function that reports whether the server is finishing its last requests. */
function addFirstHook(
  app: FastifyInstance,
  { log, now }: ServerParts,
  addresses: ClientAddresses,
): () => boolean {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    // A connection that was busy when closing began would otherwise stay open for its next request.
    if (isClosing) request.raw.socket.destroySoon();
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    request.clientAddress = addressOf(request, addresses);
    const refuse = (failure: GatewayFailure): void =>
      void new ErrorSender(surfaceOfRequest(request), log, now).send(reply, failure);
    if (isClosing) return refuse({ reason: 'engine_restarting' });
    if (namesTwoHosts(request.raw.rawHeaders)) return refuse(twoHosts);
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    new ErrorSender(surfaceOfRequest(request), log, now).sendThrown(request, reply, error);
  });
  return () => isClosing;
}

function addressOf({ raw, headers }: FastifyRequest, addresses: ClientAddresses): string {
  return addresses.find(raw.socket.remoteAddress, headers['x-forwarded-for']);
}

const twoHosts = malformed('host', 'host: must appear once');

function surfaceOfRequest(request: FastifyRequest): Surface {
  return request.routeOptions.config.surface ?? surfaceOfPath(request.url);
}

async function addPages(
  app: FastifyInstance,
  { settings: { consoleFolder = null }, log }: ServerParts,
  limiter: RequestLimiter,
): Promise<void> {
  if (consoleFolder === null) return addFrontPage(app, 'off', limiter);
  if (isConsoleBuilt(consoleFolder)) return addConsole(app, consoleFolder, limiter);
  log.warn('the console is not built: npm ci builds it, and CONSOLE=off serves none');
  addFrontPage(app, 'not built', limiter);
}

function answerUnknownPaths(
  app: FastifyInstance,
  { log, now, routes }: ServerParts,
  limiter: RequestLimiter,
): void {
  const endpoints = routes.flatMap((each) => each.endpoints);
  app.setNotFoundHandler((request, reply) => {
    const errors = new ErrorSender(surfaceOfPath(request.url), log, now);
    const { retryAfterSeconds, isBanned } = limiter.useWeight(request.clientAddress, 1);
    if (retryAfterSeconds !== null) {
      return errors.send(reply, { reason: 'rate_limited', retryAfterSeconds, isBanned });
    }
    const allowed = allowedMethods(endpoints, request.url);
    if (allowed.length === 0) return errors.send(reply, { reason: 'path_not_found' });
    return errors.send(reply, { reason: 'method_not_allowed', allowed: allowed.join(', ') });
  });
}
