import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { Registry } from 'prom-client';
import { DatabaseError, type ReadBarrier } from '../../src/application/ports/database.ts';
import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  EngineRestartingError,
  type EngineView,
  type Exchange,
  type RequestDigest,
} from '../../src/application/ports/exchange.ts';
import type { SpotHistory } from '../../src/application/ports/spot-history.ts';
import { FaucetWindow } from '../../src/application/wallet/faucet-window.ts';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { signRequest } from '../../src/client/sign-request.ts';
import {
  createDatabaseServices,
  type DatabaseServices,
} from '../../src/database/database-services.ts';
import type { Database } from '../../src/database/open-database.ts';
import type { Tables } from '../../src/database/tables.ts';
import { assert } from '../../src/domain/assert.ts';
import type { Address, Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import { AccessTokens } from '../../src/gateway/auth/access-tokens.ts';
import { accountRoutes } from '../../src/gateway/http/account/routes.ts';
import { adminSpotRoutes } from '../../src/gateway/http/admin/routes.ts';
import { faucetRoutes } from '../../src/gateway/http/faucet/routes.ts';
import type { RequestLimits } from '../../src/gateway/http/request-limiter.ts';
import { buildServer } from '../../src/gateway/http/server.ts';
import { spotRoutes } from '../../src/gateway/http/spot/routes.ts';
import { type SurfaceRoutes } from '../../src/gateway/http/surface-routes.ts';
import { createLogger } from '../../src/observability/log.ts';
import { openTestDatabase } from './database.ts';
import { DocumentedInterface, type OpenApiDocument } from './documented-interface.ts';

import { ManualExchange } from './manual-exchange.ts';
import { MemoryEndedSessions } from './memory-stores.ts';
import { MemoryOutcomeLog } from './outcomes.ts';

const adminKey = 'the-admin-key-of-the-contract-tests';
/** An account has at most 100 keys, of some permissions and others. */
const keysInTurn = 30;

export interface SpotServiceOptions {
  readonly limits?: Partial<RequestLimits>;
  readonly areTestCreditsEnabled?: boolean;
  readonly isSpotTradingEnabled?: boolean;
  readonly adminApiKey?: string | null;
  /** Routes besides those of spot. */
  readonly routes?: (parts: RouteParts) => readonly SurfaceRoutes[];
}

/** What further routes are made of. */
export interface RouteParts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly services: DatabaseServices;
  readonly database: Database;
  readonly now: () => TimestampMs;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Calls with a token of this address. */
  readonly as?: Address;
  /** Calls with the administrator's key. */
  readonly isAdmin?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body, or null if it is empty. */
  readonly body: unknown;
}

/** The real engine, with the troubles that a sequencer can have. */
class TroubledExchange extends ManualExchange {
  isBusy = false;

  override async submit(
    command: Command,
    digest: RequestDigest | null = null,
  ): Promise<AppliedCommand> {
    this.#refuseWhereTroubled();
    return super.submit(command, digest);
  }

  override apply(command: Command): AppliedCommand {
    this.time = Math.max(this.time, Date.now());
    return super.apply(command);
  }

  override async read<T>(query: (view: EngineView) => T): Promise<T> {
    this.#refuseWhereTroubled();
    return super.read(query);
  }

  #refuseWhereTroubled(): void {
    if (this.isBusy) throw new EngineBusyError('the queue is full');
    if (this.state !== 'ready') throw new EngineRestartingError('the journal is being replayed');
  }
}

/** Spot over HTTP with the real engine, database and gateway, and without a journal. */
export class SpotService {
  readonly exchange = new TroubledExchange();
  readonly warnings: string[] = [];
  isDatabaseDown = false;
  /** A monotonic clock that a test moves. */
  monotonicMs = 0;
  /** By account and permissions. */
  readonly #keys = new Map<string, ApiKeyPair[]>();
  readonly #tokens = new AccessTokens({
    secret: 'a secret of the contract tests, long enough',
    lifetimeSeconds: 3600,
    issuer: 'openbourse',
    endedSessions: new MemoryEndedSessions(),
    now: Date.now,
  });
  #app: FastifyInstance | null = null;
  #documented: DocumentedInterface | null = null;
  #services: DatabaseServices | null = null;
  #database: Database | null = null;
  #close: () => Promise<void> = async () => undefined;

  static async start(options: SpotServiceOptions = {}): Promise<SpotService> {
    const service = new SpotService();
    await service.#start(options);
    return service;
  }

  get services(): DatabaseServices {
    assert(this.#services !== null, 'the service was started');
    return this.#services;
  }

  get database(): Database {
    assert(this.#database !== null, 'the service was started');
    return this.#database;
  }

  /** Asks the database itself. */
  query<T>(run: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    assert(this.#database !== null, 'the service was started');
    return this.#database.reads.query(run);
  }

  async close(): Promise<void> {
    await this.#app?.close();
    await this.#close();
  }

  async call(call: Call): Promise<Reply> {
    const { method = 'GET', path, query, body, as, isAdmin = false } = call;
    const headers: Record<string, string> = { ...call.headers };
    if (as !== undefined) {
      headers['authorization'] = `Bearer ${(await this.#tokens.issue(as)).token}`;
    }
    if (isAdmin) headers['x-api-key'] = adminKey;
    const text = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    if (payload !== undefined) headers['content-type'] = 'application/json';
    return this.#inject(method, path + text, headers, payload);
  }

  /** The same call, signed with a new API key of the address. */
  async callSigned(
    call: Call & { readonly as: Address },
    permissions: readonly ('read' | 'trade' | 'withdraw')[] = ['read', 'trade'],
  ): Promise<Reply> {
    const keys = await this.#nextKeys(call.as, permissions);
    const { method = 'GET', path, query = {}, body } = call;
    const unsigned = {
      method,
      path,
      query,
      ...(body === undefined ? {} : { body: body as object }),
    };
    const signed = signRequest(keys, unsigned, Date.now());
    const headers = { ...signed.headers, 'content-type': 'application/json', ...call.headers };
    return this.#inject(method, signed.target, headers, signed.body);
  }

  /** A form, signed as a whole with a new API key of the address. */
  async postForm(path: string, as: Address, fields: Record<string, string>): Promise<Reply> {
    const keys = await this.#nextKeys(as, ['read', 'trade']);
    const form = new URLSearchParams({ ...fields, timestamp: String(Date.now()) }).toString();
    const signature = createHmac('sha256', keys.apiSecret).update(form).digest('hex');
    const headers = {
      'x-mbx-apikey': keys.apiKey,
      'content-type': 'application/x-www-form-urlencoded',
    };
    return this.#inject('POST', path, headers, `${form}&signature=${signature}`);
  }

  /** A different key from the last calls, as the same order signed again is a repeated one. */
  async #nextKeys(
    address: Address,
    permissions: readonly ('read' | 'trade' | 'withdraw')[],
  ): Promise<ApiKeyPair> {
    const owner = `${address} ${permissions.join(' ')}`;
    const known = this.#keys.get(owner) ?? [];
    this.#keys.set(owner, known);
    const keys =
      known.length < keysInTurn ? await this.#createKeys(address, permissions) : known.shift()!;
    known.push(keys);
    return keys;
  }

  async #createKeys(
    address: Address,
    permissions: readonly ('read' | 'trade' | 'withdraw')[],
  ): Promise<ApiKeyPair> {
    const keys = { apiKey: randomLetters(), apiSecret: randomLetters() };
    await this.services.apiKeys.create({
      ...keys,
      address,
      label: 'test',
      ipWhitelist: [],
      permissions,
      isEnabled: true,
      createdAt: new Date(),
    });
    return keys;
  }

  async #inject(
    method: NonNullable<Call['method']>,
    url: string,
    headers: Record<string, string>,
    payload: string | undefined,
  ): Promise<Reply> {
    assert(this.#app !== null, 'the service was started');
    const reply = await this.#app.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, payload: text, headers: answered } = reply;
    // A file, which is no JSON.
    if (answered['content-type']?.toString().startsWith('text/csv') === true) {
      return { status, text, headers: answered, body: null };
    }
    this.#documented ??= new DocumentedInterface(this.#app.swagger() as unknown as OpenApiDocument);
    const problems = this.#documented.problems(method, url, reply.statusCode, reply.payload);
    if (problems.length > 0) {
      throw new Error(`${method} ${url} is not as documented: ${problems.join('; ')}`);
    }
    const body: unknown = reply.payload === '' ? null : JSON.parse(reply.payload);
    return { status: reply.statusCode, text: reply.payload, headers: reply.headers, body };
  }

  async #start(options: SpotServiceOptions): Promise<void> {
    const opened = await openTestDatabase();
    const { database } = opened;
    const outcomes = new MemoryOutcomeLog();
    this.exchange.subscribe((batch) => outcomes.append(...batch));
    const services = createDatabaseServices({
      database,
      outcomes,
      journalEnd: () => outcomes.last,
      secretsKey: '42'.repeat(32),
      // A busy machine may delay the projector.
      barrierTimeoutMs: 30_000,
    });
    services.start();
    this.#services = services;
    this.#database = database;
    this.#close = async () => {
      await services.stop();
      await opened.close();
    };
    const ports = this.#ports(options);
    const unlimited = 1_000_000;
    this.#app = await buildServer({
      settings: {
        limits: {
          requestWeightPerMinute: unlimited,
          ordersPerTenSeconds: unlimited,
          ordersPerMinute: unlimited,
          signInsPerMinute: unlimited,
          signingsPerMinute: unlimited,
          ...options.limits,
        },
        adminApiKey: options.adminApiKey === undefined ? adminKey : options.adminApiKey,
        metricsToken: null,
        areMetricsOpen: true,
        trustedProxies: [],
        corsOrigins: [],
      },
      tokens: this.#tokens,
      apiKeys: services.apiKeys,
      routes: [
        accountRoutes(ports),
        spotRoutes(ports),
        adminSpotRoutes(ports),
        faucetRoutes(ports),
        ...(options.routes?.({ ...ports, services, database }) ?? []),
      ],
      log: createLogger('silent'),
      metrics: new Registry(),
      now: Date.now,
    });
  }

  #ports(options: SpotServiceOptions) {
    const { services } = this;
    const { history } = services;
    const refuseWhereDown = (): void => {
      if (this.isDatabaseDown) throw new DatabaseError('the database is down');
    };
    const guard =
      <A extends unknown[], R>(work: (...values: A) => Promise<R>) =>
      async (...values: A): Promise<R> => {
        refuseWhereDown();
        return work(...values);
      };
    const guardedHistory: SpotHistory = {
      listOrders: guard((filter) => history.listOrders(filter)),
      findOrder: guard((orderNumber) => history.findOrder(orderNumber)),
      listTrades: guard((filter) => history.listTrades(filter)),
      listRecentTrades: guard((symbol, limit) => history.listRecentTrades(symbol, limit)),
      listKlines: guard((filter) => history.listKlines(filter)),
      listTickers: guard((symbols, now) => history.listTickers(symbols, now)),
    };
    return {
      exchange: this.exchange,
      isSpotTradingEnabled: options.isSpotTradingEnabled ?? true,
      areTestCreditsEnabled: options.areTestCreditsEnabled ?? true,
      history: guardedHistory,
      barrier: {
        waitFor: guard((sequence: Sequence) => services.barrier.waitFor(sequence)),
      },
      database: {
        isReachable: async () =>
          !this.isDatabaseDown && (await services.health.isReachable(30_000)),
      },
      log: { warn: (_details: object, message: string) => void this.warnings.push(message) },
      now: () => Date.now() as TimestampMs,
      faucetWindow: new FaucetWindow(),
      monotonicMs: () => this.monotonicMs,
      tokens: this.#tokens,
      apiKeys: services.apiKeys,
      nonces: services.loginNonces,
      profiles: services.profiles,
      contractSignatures: null,
      site: () => ({ publicUrl: 'http://127.0.0.1:8080', chainId: 31_337 }),
    };
  }
}

let lettersCount = 0;
function randomLetters(): string {
  lettersCount += 1;
  return `K${lettersCount}`.padEnd(64, 'x');
}
