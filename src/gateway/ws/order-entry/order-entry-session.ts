import type { ApiKeyStore } from '../../../application/ports/accounts.ts';
import { assert } from '../../../domain/assert.ts';
import type { Caller } from '../../auth/caller.ts';
import { type PreparedKey, PreparedKeys } from '../../auth/prepared-key.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { exchangeSurface } from '../../errors/exchange-errors.ts';
import { failureFromError } from '../../errors/failure-from-error.ts';
import type { GatewayFailure } from '../../errors/gateway-failure.ts';
import { socketErrors } from '../../errors/socket-errors.ts';
import { replyWithReason, replyWithRow, type Surface } from '../../errors/surface.ts';
import type { Answer } from '../../http/endpoint.ts';
import { makeOrderOnce } from '../../http/make-order.ts';
import { type OrderAnswer, rawReply } from '../../http/order-answer.ts';
import { type RepeatedOrders, type SignedOrder, signedOrder } from '../../http/repeated-orders.ts';
import type { OrderUse, RequestLimiter, UsedLimit } from '../../http/request-limiter.ts';
import { type ClientSession, ClientWatch } from '../client-watch.ts';
import type { Connection } from '../connection.ts';
import type { UserStreams } from '../futures/user-streams.ts';
import { closeCodes } from '../protocol/stream-error.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { StreamLimits } from '../stream-limits.ts';
import type { StreamLog } from '../stream-ports.ts';
import {
  AccountSubscriptions,
  isSubscriptionMethod,
  type SubscriptionMethod,
} from './account-subscriptions.ts';
import { isSignatureValid, type SignedParams } from './request-signature.ts';
import { errorOf, textOfLimits } from './socket-answer.ts';
import type { SocketMethod } from './socket-methods.ts';
import { parseSocketRequest, type RequestId, type SocketRequest } from './socket-request.ts';

export interface OrderEntryParts {
  /** The surface whose errors are used; absent: that of /fapi. */
  readonly surface?: Surface;
  readonly methods: ReadonlyMap<string, SocketMethod>;
  readonly apiKeys: ApiKeyStore;
  readonly limiter: RequestLimiter;
  readonly repeated: RepeatedOrders;
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
  readonly log: StreamLog;
  /** The source of user events; null: there is nothing to subscribe to. */
  readonly userStreams: UserStreams | null;
}

const preparedKeys = new PreparedKeys();
// Orders are limited per account as over HTTP: a connection can send as fast as that allows.
const messagesBurst = 20_000;
const messagesPerSecond = 5_000;
/** This many refusals for weight are answered, then the connection is closed. */
const refusalsMax = 20;
const sessionWeight = 2;
/** How often the keys of subscriptions are checked. */
const keyCheckMs = 8_000;
const noParams = {};
const noLimits: readonly UsedLimit[] = [];

/**
 * Binance's WebSocket API: requests with an id, each either signed or sent after one logon.
 * Requests of a connection run concurrently and are answered as they finish.
 */
export class OrderEntrySession implements ClientSession {
  readonly #connection: Connection;
  readonly #parts: OrderEntryParts;
  readonly #surface: Surface;
  readonly #clientAddress: string;
  readonly #watch: ClientWatch;
  readonly #connectedSince: number;
  readonly #subscriptions: AccountSubscriptions | null;
  #keysCheckedAt: number;
  #refusals = 0;
  #loggedOn: { readonly key: PreparedKey; readonly since: number } | null = null;

  constructor(connection: Connection, parts: OrderEntryParts, clientAddress: string) {
    this.#connection = connection;
    this.#parts = parts;
    this.#surface = parts.surface ?? exchangeSurface;
    this.#clientAddress = clientAddress;
    this.#connectedSince = parts.clock.now();
    this.#keysCheckedAt = parts.clock.elapsed();
    const { userStreams, clock } = parts;
    this.#subscriptions =
      userStreams === null ? null : new AccountSubscriptions(connection, userStreams, clock);
    const limits = { ...parts.limits, messagesBurst, messagesPerSecond };
    this.#watch = new ClientWatch(connection, { clock: parts.clock, limits }, () =>
      this.#fail(null, { reason: 'rate_limited', retryAfterSeconds: 1 }),
    );
  }

  takeMessage(data: Buffer, isBinary: boolean): void {
    // Messages still in transit when the connection was closed are not read.
    if (!this.#connection.isOpen || !this.#watch.takeMessage()) return;
    // Neither are messages that an unauthenticated client sends after a refusal: reading one costs
    // more than everything else.
    if (this.#refusals > 0 && this.#loggedOn === null && !this.#count(0)) return;
    const request = isBinary ? null : parseSocketRequest(data.toString());
    if (request === null) return this.#refuseCounted(null, socketErrors.malformedRequest);
    void this.#act(request);
  }

  #refuseCounted(id: RequestId, row: ErrorRow): void {
    if (this.#count(1, id)) this.#failWith(id, row);
  }

  /**
   * Adds weight that no endpoint counts to the address's total. A client that continues although
   * the limit is reached is disconnected, as reading its messages costs more than refusing its
   * connections.
   */
  #count(weight: number, id: RequestId = null): boolean {
    const use = this.#parts.limiter.useWeight(this.#clientAddress, weight);
    if (use.retryAfterSeconds === null) return true;
    this.#refuseForWeight(id, use.retryAfterSeconds, use.isBanned);
    return false;
  }

  #refuseForWeight(id: RequestId, retryAfterSeconds: number, isBanned: boolean): void {
    this.#refusals += 1;
    if (isBanned || this.#refusals > refusalsMax) {
      return this.#connection.close(closeCodes.policyViolation, 'too many requests');
    }
    this.#fail(id, { reason: 'rate_limited', retryAfterSeconds });
  }

  takePing(): void {
    this.#watch.takeMessage();
  }

  takePong(): void {
    this.#watch.takePong();
  }

  tick(): void {
    this.#watch.tick();
    const now = this.#parts.clock.elapsed();
    if (now - this.#keysCheckedAt < keyCheckMs) return;
    this.#keysCheckedAt = now;
    for (const apiKey of this.#subscriptions?.apiKeys ?? []) void this.#checkKey(apiKey);
  }

  end(): void {
    this.#loggedOn = null;
    this.#subscriptions?.end();
  }

  /** Never rejects: a key that cannot be looked up now is looked up at the next check. */
  async #checkKey(apiKey: string): Promise<void> {
    try {
      const key = await this.#findKey(apiKey);
      const isOver = 'reason' in key || !key.credential.permissions.includes('read');
      if (isOver) this.#subscriptions?.terminate(apiKey);
    } catch (error) {
      if (failureFromError(error) === null) {
        this.#parts.log.error({ err: error }, 'the key of a subscription was not checked');
      }
    }
  }

  /** Never rejects: failures are answered too. */
  async #act(request: SocketRequest): Promise<void> {
    const { id, method, params } = request;
    const isSubscription = this.#subscriptions !== null && isSubscriptionMethod(method);
    try {
      const isOwn = isSubscription || method.startsWith('session.');
      if (isOwn && !this.#count(sessionWeight, id)) return;
      if (isSubscription) return await this.#subscribe(id, method, params);
      switch (method) {
        case 'session.logon':
          return await this.#logOn(id, params);
        case 'session.status':
          return this.#succeed(id, this.#status());
        case 'session.logout':
          this.#loggedOn = null;
          return this.#succeed(id, this.#status());
        default:
          return await this.#call(request);
      }
    } catch (error) {
      const failure = failureFromError(error);
      if (failure === null) this.#parts.log.error({ err: error }, 'a socket request failed');
      this.#fail(id, failure ?? { reason: 'internal' });
    }
  }

  async #logOn(id: RequestId, params: SignedParams): Promise<void> {
    const key = await this.#authenticate(params, false);
    if ('reason' in key) return this.#fail(id, key);
    this.#loggedOn = { key, since: this.#parts.clock.now() };
    return this.#succeed(id, this.#status());
  }

  async #subscribe(id: RequestId, method: SubscriptionMethod, params: SignedParams): Promise<void> {
    const subscriptions = this.#subscriptions;
    assert(subscriptions !== null, 'only a session with subscriptions subscribes');
    if (method === 'session.subscriptions') return this.#succeed(id, subscriptions.list());
    if (method === 'userDataStream.unsubscribe') {
      return this.#give(id, subscriptions.unsubscribe(params));
    }
    const key = await this.#keyOf(params, false);
    if ('reason' in key) return this.#fail(id, key);
    if (!key.credential.permissions.includes('read')) {
      return this.#fail(id, { reason: 'permission_denied' });
    }
    // The connection can have closed while the key was looked up.
    if (this.#connection.isOpen) this.#give(id, subscriptions.subscribe(key));
  }

  #give(id: RequestId, answer: object | ErrorRow): void {
    if ('text' in answer) this.#failWith(id, answer);
    else this.#succeed(id, answer);
  }

  #status(): object {
    const serverTime = this.#parts.clock.now();
    const { key, since } = this.#loggedOn ?? { key: null, since: null };
    const apiKey = key?.credential.apiKey ?? null;
    return {
      apiKey,
      authorizedSince: since,
      connectedSince: this.#connectedSince,
      returnRateLimits: true,
      serverTime,
    };
  }

  async #call({ id, method: name, params }: SocketRequest): Promise<void> {
    const method = this.#parts.methods.get(name);
    if (method === undefined) return this.#refuseCounted(id, socketErrors.unknownMethod);
    const { limiter } = this.#parts;
    const { weighs, weight: usual } = method.endpoint;
    const weight = weighs === undefined ? usual : weighs(params);
    const use = limiter.useWeight(this.#clientAddress, weight);
    if (use.retryAfterSeconds !== null && (weight > 0 || use.isBanned)) {
      return this.#refuseForWeight(id, use.retryAfterSeconds, use.isBanned);
    }
    const caller = this.#recallCaller(method, params) ?? (await this.#findCaller(method, params));
    if (caller !== null && 'reason' in caller) {
      // Otherwise orders of unauthenticated clients would cost no weight.
      return this.#count(1, id) ? this.#fail(id, caller) : undefined;
    }
    const apiKey = caller?.apiKey ?? null;
    const byKey = apiKey === null ? null : limiter.useKeyWeight(apiKey, weight);
    if (byKey !== null && byKey.retryAfterSeconds !== null && weight > 0) {
      return this.#refuseForWeight(id, byKey.retryAfterSeconds, false);
    }
    const orders = countOrder(limiter, method, caller);
    if (orders !== null && orders.over !== null) {
      if (!this.#count(1, id)) return;
      return this.#fail(id, { reason: 'too_many_new_orders', ...orders.over });
    }
    // The endpoint reads only these fields; a signed request is equivalent to its HTTP counterpart.
    const clientAddress = this.#clientAddress;
    const asked = { query: params, body: null, params: noParams, caller, clientAddress };
    const limits = limiter.rateLimits(use.used, orders);
    const { endpoint } = method;
    if (orders === null || isAlone(params)) {
      return this.#answer(id, method, await endpoint.handle(asked), limits);
    }
    const { repeated, clock } = this.#parts;
    const answers = { errors: { surface: this.#surface }, now: () => clock.now() };
    const route = { endpoint, answers, repeated };
    const answer = await makeOrderOnce(orderOf(params), asked, route, JSON.stringify);
    this.#answerText(id, answer, limits);
  }

  /** The caller of an unsigned request after a logon whose key is unchanged; null: look it up. */
  #recallCaller({ auth }: SocketMethod, params: SignedParams): Caller | null {
    if (auth === null || this.#loggedOn === null || !isAlone(params)) return null;
    const { credential, caller } = this.#loggedOn.key;
    if (this.#parts.apiKeys.recallCredential(credential.apiKey) !== credential) return null;
    return credential.permissions.includes(auth.permission) ? caller : null;
  }

  async #findCaller(
    { auth, isKeyEnough }: SocketMethod,
    params: SignedParams,
  ): Promise<Caller | GatewayFailure | null> {
    if (auth === null) return null;
    const key = await this.#keyOf(params, isKeyEnough);
    if ('reason' in key) return key;
    const isAllowed = key.credential.permissions.includes(auth.permission);
    return isAllowed ? key.caller : { reason: 'permission_denied' };
  }

  #keyOf(params: SignedParams, isKeyEnough: boolean): Promise<PreparedKey | GatewayFailure> {
    // A key that was changed since the logon is used as it is now.
    return this.#loggedOn !== null && isAlone(params)
      ? this.#findKey(this.#loggedOn.key.credential.apiKey)
      : this.#authenticate(params, isKeyEnough);
  }

  async #authenticate(
    params: SignedParams,
    isKeyEnough: boolean,
  ): Promise<PreparedKey | GatewayFailure> {
    const { apiKey } = params;
    if (typeof apiKey !== 'string') return { reason: 'api_key_missing' };
    const key = await this.#findKey(apiKey);
    if ('reason' in key) return key;
    if (isKeyEnough && params['signature'] === undefined) return key;
    const now = this.#parts.clock.now();
    if (!isSignatureValid(params, key.signingKey, now)) return { reason: 'signature_invalid' };
    this.#parts.apiKeys.noteUse(apiKey, now);
    return key;
  }

  async #findKey(apiKey: string): Promise<PreparedKey | GatewayFailure> {
    const credential = await this.#parts.apiKeys.findCredential(apiKey);
    if (credential === null) return { reason: 'api_key_unknown' };
    if (!credential.isEnabled) return { reason: 'api_key_disabled' };
    const key = preparedKeys.get(credential);
    const { whitelist } = key;
    if (!whitelist.isEmpty && !whitelist.has(this.#clientAddress))
      return { reason: 'ip_not_allowed' };
    return key;
  }

  #answer(
    id: RequestId,
    { endpoint }: SocketMethod,
    answer: Answer<unknown>,
    rateLimits: readonly UsedLimit[],
  ): void {
    const now = this.#parts.clock.now();
    switch (answer.kind) {
      case 'done':
        return this.#succeed(id, answer.value, rateLimits);
      case 'refused':
        return this.#refuse(
          id,
          replyWithReason(this.#surface, answer.rejection, now, endpoint.errorRows),
        );
      case 'failed':
        return this.#refuse(
          id,
          replyWithReason(this.#surface, answer.failure, now, endpoint.errorRows),
        );
      case 'error':
        return this.#refuse(id, replyWithRow(this.#surface, answer.row, now, answer.values));
      case 'raw':
        return this.#refuse(id, rawReply(answer));
    }
  }

  #answerText(
    id: RequestId,
    { status, body }: OrderAnswer,
    rateLimits: readonly UsedLimit[],
  ): void {
    if (status === 200) return this.#succeedWith(id, body, rateLimits);
    this.#refuse(id, { status, body: JSON.parse(body) as object });
  }

  #succeed(id: RequestId, result: unknown, rateLimits: readonly UsedLimit[] = noLimits): void {
    this.#succeedWith(id, JSON.stringify(result), rateLimits);
  }

  #succeedWith(id: RequestId, body: string, rateLimits: readonly UsedLimit[]): void {
    const head = typeof id === 'number' ? id : JSON.stringify(id);
    const limits = textOfLimits(rateLimits);
    this.#connection.answer(`{"id":${head},"status":200,"result":${body},"rateLimits":${limits}}`);
  }

  #fail(id: RequestId, failure: GatewayFailure): void {
    this.#refuse(id, replyWithReason(this.#surface, failure, this.#parts.clock.now()));
  }

  #failWith(id: RequestId, row: ErrorRow): void {
    this.#refuse(id, replyWithRow(this.#surface, row, this.#parts.clock.now()));
  }

  #refuse(
    id: RequestId,
    { status, body }: { readonly status: number; readonly body: object | null },
  ): void {
    this.#connection.answer(JSON.stringify({ id, status, error: errorOf(body) }));
  }
}

function countOrder(
  limiter: RequestLimiter,
  { endpoint }: SocketMethod,
  caller: Caller | null,
): OrderUse | null {
  if (endpoint.isOrderEntry !== true || caller === null) return null;
  return limiter.useOrders(caller.address, endpoint.orderUnits);
}

/** The order's verified signature. */
function orderOf({ signature, timestamp }: SignedParams): SignedOrder {
  return signedOrder(String(signature).toLowerCase(), Number(timestamp));
}

/** True if the request is neither signed nor names a key, and therefore relies on the logon. */
function isAlone(params: SignedParams): boolean {
  return params['signature'] === undefined && params['apiKey'] === undefined;
}
