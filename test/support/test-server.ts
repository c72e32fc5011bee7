import { createHmac } from 'node:crypto';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Registry } from 'prom-client';
import type { ApiKeyCredential, ContractSignatures } from '../../src/application/ports/accounts.ts';
import type { ReadBarrier } from '../../src/application/ports/database.ts';
import type { SpotHistory } from '../../src/application/ports/spot-history.ts';
import { FaucetWindow } from '../../src/application/wallet/faucet-window.ts';
import type { Address, TimestampMs } from '../../src/domain/identifiers.ts';
import { AccessTokens } from '../../src/gateway/auth/access-tokens.ts';
import { AdminTokens } from '../../src/gateway/auth/admin-tokens.ts';
import { accountRoutes } from '../../src/gateway/http/account/routes.ts';
import { adminSessionRoutes } from '../../src/gateway/http/admin/open-session.ts';
import { adminSpotRoutes } from '../../src/gateway/http/admin/routes.ts';
import type { ConnectionLimits } from '../../src/gateway/http/connection-guard.ts';
import { faucetRoutes } from '../../src/gateway/http/faucet/routes.ts';
import { Readiness } from '../../src/gateway/http/operation/readiness.ts';
import { operationRoutes } from '../../src/gateway/http/operation/routes.ts';
import type { RequestLimits } from '../../src/gateway/http/request-limiter.ts';
import { buildServer, type ServerTimeouts } from '../../src/gateway/http/server.ts';
import { spotRoutes } from '../../src/gateway/http/spot/routes.ts';
import { type SurfaceRoutes } from '../../src/gateway/http/surface-routes.ts';
import { createLogger, type Logger } from '../../src/observability/log.ts';
import { ManualExchange, testAddress } from './manual-exchange.ts';
import {
  MemoryApiKeys,
  MemoryEndedSessions,
  MemoryLoginNonces,
  MemoryProfiles,
} from './memory-stores.ts';

export const testJwtSecret = 'test-secret-of-at-least-thirty-two-bytes';
export const testAdminKey = 'test-admin-key-of-thirty-two-characters';
export const testIssuer = 'openbourse';
const testChainId = 31_337;
export const testPublicUrl = 'http://127.0.0.1:8080';

export const wideLimits: RequestLimits = {
  requestWeightPerMinute: 1_000_000,
  ordersPerTenSeconds: 1_000_000,
  ordersPerMinute: 1_000_000,
  signInsPerMinute: 1_000_000,
  signingsPerMinute: 1_000_000,
};

export interface TestServerOptions {
  readonly limits?: Partial<RequestLimits>;
  readonly adminApiKey?: string | null;
  readonly metricsToken?: string;
  readonly trustedProxies?: readonly string[];
  readonly corsOrigins?: readonly string[];
  readonly consoleFolder?: string | null;
  readonly timeouts?: ServerTimeouts;
  readonly connections?: Partial<ConnectionLimits>;
  readonly contractSignatures?: ContractSignatures;
  readonly history?: Partial<SpotHistory>;
  readonly barrier?: ReadBarrier;
  readonly logLevel?: string;
  /** Routes besides the product's own. */
  readonly extraRoutes?:
    | readonly SurfaceRoutes[]
    | ((exchange: ManualExchange) => readonly SurfaceRoutes[]);
}

/** The whole HTTP gateway over the real engine, without journal and database. */
export interface TestServer {
  readonly app: FastifyInstance;
  readonly exchange: ManualExchange;
  readonly tokens: AccessTokens;
  readonly apiKeys: MemoryApiKeys;
  readonly endedSessions: MemoryEndedSessions;
  readonly readiness: Readiness;
  readonly metrics: Registry;
  /** Milliseconds since 1970; changes only by what the test adds. */
  time: number;
  /** All that was logged. */
  readonly log: { text: string };
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  bearer(address?: Address): Promise<{ readonly authorization: string }>;
  addKey(change?: Partial<ApiKeyCredential>): Promise<TestKey>;
  close(): Promise<void>;
}

export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const log = { text: '' };
  const logger = createLogger(options.logLevel ?? 'debug', {
    write: (line: string) => (log.text += line),
  });
  const exchange = new ManualExchange();
  const apiKeys = new MemoryApiKeys();
  const metrics = new Registry();
  const readiness = new Readiness();
  const server: Pick<TestServer, 'time'> = { time: Date.now() };
  const now = (): number => server.time;
  const endedSessions = new MemoryEndedSessions();
  const tokens = new AccessTokens({
    secret: testJwtSecret,
    lifetimeSeconds: 3_600,
    issuer: testIssuer,
    endedSessions,
    now,
  });
  const adminApiKey = options.adminApiKey === undefined ? testAdminKey : options.adminApiKey;
  const ports = makePorts(options, { exchange, apiKeys, tokens, log: logger, now });
  const app = await buildServer({
    settings: {
      limits: { ...wideLimits, ...options.limits },
      metricsToken: options.metricsToken ?? null,
      areMetricsOpen: options.metricsToken === undefined,
      adminApiKey,
      trustedProxies: options.trustedProxies ?? [],
      corsOrigins: options.corsOrigins ?? [],
      consoleFolder: options.consoleFolder ?? null,
      connections: options.connections ?? {},
      ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
    },
    tokens,
    apiKeys,
    routes: [
      operationRoutes({ readiness, metrics, now }),
      accountRoutes(ports),
      spotRoutes(ports),
      adminSessionRoutes(new AdminTokens(adminApiKey, now)),
      adminSpotRoutes(ports),
      faucetRoutes(ports),
      ...extraRoutesOf(options, exchange),
    ],
    log: logger,
    metrics,
    now,
  });
  return Object.assign(server, {
    app,
    exchange,
    tokens,
    apiKeys,
    endedSessions,
    readiness,
    metrics,
    log,
    inject: (request: InjectOptions) => app.inject(request),
    bearer: async (address: Address = testAddress(1)) => {
      const { token } = await tokens.issue(address);
      return { authorization: `Bearer ${token}` };
    },
    addKey: async (change: Partial<ApiKeyCredential> = {}) => {
      const key = new TestKey(change, now);
      await apiKeys.create(key.credential);
      return key;
    },
    close: async () => app.close(),
  });
}

function extraRoutesOf(
  { extraRoutes = [] }: TestServerOptions,
  exchange: ManualExchange,
): readonly SurfaceRoutes[] {
  return typeof extraRoutes === 'function' ? extraRoutes(exchange) : extraRoutes;
}

interface Foundation {
  readonly exchange: ManualExchange;
  readonly apiKeys: MemoryApiKeys;
  readonly tokens: AccessTokens;
  readonly log: Logger;
  readonly now: () => number;
}

function makePorts(options: TestServerOptions, foundation: Foundation) {
  const { now } = foundation;
  return {
    ...foundation,
    barrier: options.barrier ?? { waitFor: async () => undefined },
    history: emptyHistory(options.history ?? {}),
    isSpotTradingEnabled: true,
    areTestCreditsEnabled: true,
    database: { isReachable: async () => true },
    now: () => now() as TimestampMs,
    faucetWindow: new FaucetWindow(),
    monotonicMs: now,
    nonces: new MemoryLoginNonces(),
    profiles: new MemoryProfiles(),
    contractSignatures: options.contractSignatures ?? null,
    site: () => ({ publicUrl: testPublicUrl, chainId: testChainId }),
  };
}

let keysMade = 0;

/** An API key and the requests that it signs. */
export class TestKey {
  readonly credential: ApiKeyCredential;
  readonly #now: () => number;

  constructor(change: Partial<ApiKeyCredential>, now: () => number) {
    keysMade += 1;
    const number = String(keysMade);
    this.credential = {
      apiKey: `key${number}`.padEnd(64, 'k'),
      apiSecret: `secret${number}`.padEnd(64, 's'),
      address: testAddress(1),
      label: '',
      ipWhitelist: [],
      permissions: ['read', 'trade'],
      isEnabled: true,
      createdAt: new Date(now()),
      ...change,
    };
    this.#now = now;
  }

  get headers(): { readonly 'x-mbx-apikey': string } {
    return { 'x-mbx-apikey': this.credential.apiKey };
  }

  sign(text: string): string {
    return createHmac('sha256', this.credential.apiSecret).update(text).digest('hex');
  }

  /** A signed request with its parameters in the query. */
  get(path: string, query = ''): InjectOptions {
    return this.#withQuery('GET', path, query);
  }

  delete(path: string, query = ''): InjectOptions {
    return this.#withQuery('DELETE', path, query);
  }

  /** A signed request with a JSON body. */
  postJson(path: string, body: object, timestamp = this.#now()): InjectOptions {
    const query = `timestamp=${timestamp}`;
    const payload = JSON.stringify(body);
    return {
      method: 'POST',
      url: `${path}?${query}&signature=${this.sign(query + payload)}`,
      headers: { ...this.headers, 'content-type': 'application/json' },
      payload,
    };
  }

  #withQuery(method: 'GET' | 'DELETE', path: string, query: string): InjectOptions {
    const signed = `${query === '' ? '' : `${query}&`}timestamp=${this.#now()}`;
    return {
      method,
      url: `${path}?${signed}&signature=${this.sign(signed)}`,
      headers: this.headers,
    };
  }
}

function emptyHistory(history: Partial<SpotHistory>): SpotHistory {
  return {
    listOrders: async () => ({ items: [], nextCursor: null }),
    findOrder: async () => null,
    listTrades: async () => ({ items: [], nextCursor: null }),
    listRecentTrades: async () => [],
    listKlines: async () => [],
    listTickers: async () => new Map(),
    ...history,
  };
}
