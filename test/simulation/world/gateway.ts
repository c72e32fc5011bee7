import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { ApiKeyCredential, ApiKeyStore } from '../../../src/application/ports/accounts.ts';
import type { ReadBarrier } from '../../../src/application/ports/database.ts';
import type { Exchange } from '../../../src/application/ports/exchange.ts';
import type { SpotHistory } from '../../../src/application/ports/spot-history.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { AccessTokens } from '../../../src/gateway/auth/access-tokens.ts';
import { AdminKey } from '../../../src/gateway/auth/admin-key.ts';
import { AdminTokens } from '../../../src/gateway/auth/admin-tokens.ts';
import { Authenticator } from '../../../src/gateway/auth/authenticator.ts';
import type { Caller } from '../../../src/gateway/auth/caller.ts';
import { SigningKey } from '../../../src/gateway/auth/signing-key.ts';
import { spotSurface } from '../../../src/gateway/errors/plain-errors.ts';
import type { Endpoint } from '../../../src/gateway/http/endpoint.ts';
import { makeOrderOnce } from '../../../src/gateway/http/make-order.ts';
import { textAnswer, textOfError } from '../../../src/gateway/http/order-answer.ts';
import { parseParameters } from '../../../src/gateway/http/parameters.ts';
import {
  AnswerMemory,
  RepeatedOrders,
  signedOrder,
  type TextAnswer,
} from '../../../src/gateway/http/repeated-orders.ts';
import { RequestLimiter, type RequestLimits } from '../../../src/gateway/http/request-limiter.ts';
import { ErrorSender } from '../../../src/gateway/http/send-error.ts';
import { buildServer } from '../../../src/gateway/http/server.ts';
import { cancelOrder } from '../../../src/gateway/http/spot/cancel-order.ts';
import { getOrder } from '../../../src/gateway/http/spot/get-order.ts';
import { listOpenOrders } from '../../../src/gateway/http/spot/list-open-orders.ts';
import { listOrders } from '../../../src/gateway/http/spot/list-orders.ts';
import { placeOrder } from '../../../src/gateway/http/spot/place-order.ts';
import { WholeTopics } from '../../../src/gateway/ws/channels/whole-topics.ts';
import { Hub } from '../../../src/gateway/ws/hub.ts';
import { SpotFeed } from '../../../src/gateway/ws/spot-feed.ts';
import type { StreamClock } from '../../../src/gateway/ws/stream-clock.ts';
import { defaultStreamLimits } from '../../../src/gateway/ws/stream-limits.ts';
import { noStreamMetrics } from '../../../src/gateway/ws/stream-metrics.ts';
import { MemoryEndedSessions } from '../../support/memory-stores.ts';
import type { RunningProcess } from './machine.ts';

/** A request as it is sent: the same bytes may go to any process, and more than once. */
export interface SignedRequest {
  readonly apiKey: string;
  /** With timestamp and signature. */
  readonly query: string;
  readonly body: string;
}

export type Route = 'place' | 'cancel' | 'get' | 'open' | 'list';

const secret = 'simulated0secret';
const clientAddress = '192.0.2.1';
const rulingSecret = 'a'.repeat(64);
const routePermissions = {
  place: 'trade',
  cancel: 'trade',
  get: 'read',
  open: 'read',
  list: 'read',
} as const;
/** So small that a reader who pauses falls behind. */
export const streamLimits = { ...defaultStreamLimits, backlogResyncBytes: 2_000 };

const key = new SigningKey(secret);

export function apiKeyOf(address: Address): string {
  return address.slice(2).padStart(64, '0');
}

/** Signs as a client does: the query, followed by the body. */
export function sign(address: Address, timestampMs: number, body = ''): SignedRequest {
  const query = `timestamp=${timestampMs}`;
  return {
    apiKey: apiKeyOf(address),
    query: `${query}&signature=${key.sign(query + body)}`,
    body,
  };
}

/** Every address has one key, which every process has in its memory. */
const apiKeys: Pick<ApiKeyStore, 'findCredential' | 'recallCredential' | 'noteUse'> = {
  findCredential: async (apiKey): Promise<ApiKeyCredential> => credentialOf(apiKey),
  recallCredential: (apiKey): ApiKeyCredential => credentialOf(apiKey),
  noteUse: () => {},
};

// The same object for the same key, as in service: what is derived from it is kept with it.
const credentials = new Map<string, ApiKeyCredential>();

function credentialOf(apiKey: string): ApiKeyCredential {
  const known = credentials.get(apiKey);
  if (known !== undefined) return known;
  const credential: ApiKeyCredential = {
    apiKey,
    address: `0x${apiKey.slice(-40)}` as Address,
    apiSecret: secret,
    label: '',
    ipWhitelist: [],
    permissions: ['read', 'trade'],
    isEnabled: true,
    createdAt: new Date(0),
  };
  credentials.set(apiKey, credential);
  return credential;
}

export interface GatewayParts {
  readonly process: RunningProcess;
  readonly history: SpotHistory;
  readonly ordersPerTenSeconds: number;
}

/**
 * The gateway of one process without sockets: authentication, limits, repeated orders, endpoints
 * with their use cases, errors, and the streams of books; with or without the framework.
 */
export class SimGateway {
  readonly hub: Hub;
  readonly feed: SpotFeed;
  /** How often history was read while NATS was away: that may lack what others acknowledged. */
  readsWithoutNats = 0;
  readonly #parts: GatewayParts;
  readonly #authenticator: Authenticator;
  readonly #limits: RequestLimits;
  readonly #limiter: RequestLimiter;
  readonly #tokens: AccessTokens;
  readonly #repeated: RepeatedOrders;
  readonly #errors: ErrorSender;
  readonly #routes: Readonly<Record<Route, Endpoint>>;
  /** Null without the framework. */
  #server: FastifyInstance | null = null;
  readonly #now: () => number;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    const { process, history } = parts;
    const { exchange, cluster, sequencer, time, logger, barrier } = process;
    this.#now = () => time.wallMs();
    this.#limits = {
      requestWeightPerMinute: 1_000_000,
      ordersPerTenSeconds: parts.ordersPerTenSeconds,
      ordersPerMinute: 1_000_000,
      signInsPerMinute: 10,
      signingsPerMinute: 10,
    };
    this.#limiter = new RequestLimiter(this.#limits, this.#now);
    this.#tokens = new AccessTokens({
      secret: rulingSecret,
      lifetimeSeconds: 3_600,
      issuer: 'https://exchange.example',
      endedSessions: new MemoryEndedSessions(),
      now: this.#now,
    });
    this.#authenticator = this.#createAuthenticator();
    const memory = cluster?.orderMemory ?? sequencer.orderMemory;
    this.#repeated = new RepeatedOrders(new AnswerMemory(), this.#now, memory);
    this.#errors = new ErrorSender(spotSurface, logger, this.#now);
    const noting: ReadBarrier = {
      waitFor: (sequence) => {
        if (cluster?.status.isConnected === false) this.readsWithoutNats += 1;
        return barrier.waitFor(sequence);
      },
    };
    const ports = { exchange, history, barrier: noting, isSpotTradingEnabled: true };
    this.#routes = {
      place: placeOrder(ports),
      cancel: cancelOrder(ports),
      get: getOrder(ports),
      open: listOpenOrders(ports),
      list: listOrders(ports),
    };
    const clock = streamClockOf(process);
    this.hub = new Hub({ clock, limits: streamLimits, metrics: noStreamMetrics });
    this.feed = this.#createFeed(exchange, clock);
    void this.feed.start();
  }

  /** From now on requests pass through the HTTP server, as far as it needs no socket. */
  async openServer(): Promise<void> {
    this.#server = await buildServer({
      settings: {
        limits: this.#limits,
        adminApiKey: null,
        metricsToken: null,
        areMetricsOpen: false,
        trustedProxies: [],
        corsOrigins: [],
      },
      tokens: this.#tokens,
      apiKeys: apiKeys as ApiKeyStore,
      routes: [{ surface: spotSurface, endpoints: Object.values(this.#routes) }],
      repeated: this.#repeated,
      limiter: this.#limiter,
      log: this.#parts.process.logger,
      metrics: new Registry(),
      now: this.#now,
    });
  }

  /** The answer to a request, as its client gets it. */
  async answer(route: Route, request: SignedRequest, orderId = ''): Promise<TextAnswer> {
    const endpoint = this.#routes[route];
    await this.#catchUpFirst();
    if (this.#server !== null) return inject(this.#server, endpoint, request, orderId);
    const query = parseParameters(request.query);
    const known = this.#authenticator.verifyAtOnce(
      request.apiKey,
      clientAddress,
      routePermissions[route],
      { query, form: null, body: request.body },
    );
    if (known === null) return { status: 401, body: '{"error":"UNAUTHORIZED"}' };
    const { caller, signature } = known;
    try {
      if (route !== 'place') return await this.#answerRead(endpoint, caller, orderId);
      const use = this.#limiter.useForOrder(clientAddress, request.apiKey, caller.address, 1);
      if (use === null) return { status: 429, body: '{"error":"RATE_LIMITED"}' };
      const body: unknown = JSON.parse(request.body);
      return await makeOrderOnce(
        signedOrder(signature, Number(query['timestamp'])),
        { params: {}, query: {}, body, caller, clientAddress },
        { endpoint, answers: this.#answers, repeated: this.#repeated },
        JSON.stringify,
      );
    } catch (error) {
      return textOfError(this.#errors.judgeThrown(error, '', endpoint.path, endpoint.errorRows));
    }
  }

  get #answers() {
    return { errors: this.#errors, now: this.#now };
  }

  async #answerRead(endpoint: Endpoint, caller: Caller, id: string): Promise<TextAnswer> {
    const request = { params: { id }, query: {}, body: null, caller, clientAddress };
    return textAnswer(await endpoint.handle(request), endpoint, this.#answers, JSON.stringify);
  }

  // As the server does before each request that is not for monitoring.
  async #catchUpFirst(): Promise<void> {
    const { cluster } = this.#parts.process;
    if (cluster === null || cluster.isOwner) return;
    await cluster.catchUp().catch(() => undefined);
  }

  #createAuthenticator(): Authenticator {
    const now = this.#now;
    return new Authenticator({
      tokens: this.#tokens,
      apiKeys: apiKeys as ApiKeyStore,
      adminKey: new AdminKey(null),
      adminTokens: new AdminTokens(null, now),
      operatorKey: null,
      limiter: this.#limiter,
      now,
    });
  }

  #createFeed(exchange: Exchange, clock: StreamClock): SpotFeed {
    const { logger } = this.#parts.process;
    const { markets, tickers } = new WholeTopics(this.hub, clock);
    return new SpotFeed({
      exchange,
      hub: this.hub,
      clock,
      history: null,
      log: logger,
      markets,
      tickers: tickers.spot,
      onFailure: () => undefined,
    });
  }
}

async function inject(
  server: FastifyInstance,
  { method, path }: Endpoint,
  { apiKey, query, body }: SignedRequest,
  orderId: string,
): Promise<TextAnswer> {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const answer = await server.inject({
    method,
    url: `${path.replace(/:\w+/, orderId)}?${query}`,
    headers: { 'x-mbx-apikey': apiKey, ...type },
    ...(body === '' ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body };
}

function streamClockOf({ time }: RunningProcess): StreamClock {
  return {
    now: () => time.wallMs(),
    elapsed: () => time.monotonicMs(),
    after: (delayMs, callback) => time.after(delayMs, callback),
    afterTurn: (callback) => time.afterTurn(callback),
  };
}
