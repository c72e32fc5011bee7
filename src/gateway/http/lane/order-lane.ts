import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyPermission } from '../../../application/ports/accounts.ts';
import { assert } from '../../../domain/assert.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { Caller } from '../../auth/caller.ts';
import type { ClientAddresses } from '../../auth/client-address.ts';
import { readPlainJson } from '../body-parsers.ts';
import type { Endpoint } from '../endpoint.ts';
import { makeOrder, type OrderRoute } from '../make-order.ts';
import { holdsNul } from '../nul-character.ts';
import type { RequestObserver } from '../observe-requests.ts';
import { type OrderAnswer, type Serialize, textOfError } from '../order-answer.ts';
import { defect, type Parameters, parseParameters } from '../parameters.ts';
import { type SignedOrder, signedOrder } from '../repeated-orders.ts';
import type { RequestIds } from '../request-ids.ts';
import type { OrderUse, RequestLimiter } from '../request-limiter.ts';
import type { ErrorSender } from '../send-error.ts';
import type { LaneAnswer } from './lane-answer.ts';
import type { PlainRequest } from './plain-request.ts';

// A fast path for the most common request: a plain, valid signed order, in JSON or as parameters.
// It passes the same checks in the same code, without the framework's per-request work, which is a
// third of an order's cost. Anything special or wrong about a request sends it to the normal path
// before anything was counted or changed, so all errors are detected and worded there.

export interface LaneParts {
  readonly authenticator: Authenticator;
  readonly limiter: RequestLimiter;
  readonly addresses: ClientAddresses;
  readonly requestIds: RequestIds;
  readonly observer: RequestObserver;
  /** True once the server is finishing its last requests. */
  readonly isClosing: () => boolean;
}

type Validate = (value: unknown) => boolean;

/** An order's route whose failures are answered by its surface. */
interface AnsweredRoute extends OrderRoute {
  readonly answers: { readonly errors: ErrorSender; readonly now: () => number };
}

interface LaneRoute extends AnsweredRoute {
  readonly permission: ApiKeyPermission;
  /** The fields are in a JSON body, or are parameters in the query, a form or both. */
  readonly input: 'json' | 'parameters';
  /** As compiled by the framework for the route. */
  schemas: { readonly validate: Validate; readonly serialize: Serialize } | null;
}

/** An order that passed every check and was counted; it must be answered. */
export interface LaneOrder {
  readonly requestId: string;
  readonly route: LaneRoute;
  readonly clientAddress: string;
  readonly caller: Caller;
  readonly query: unknown;
  readonly body: unknown;
  readonly signed: SignedOrder;
  readonly usedWeight: number;
  readonly orders: OrderUse;
  readonly begunAt: number;
}

/** Where the answers to orders go. */
export interface AnswerSink {
  send(answer: LaneAnswer): void;
}

export class OrderLane {
  readonly #parts: LaneParts;
  readonly #routes = new Map<string, LaneRoute>();

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  get isClosing(): boolean {
    return this.#parts.isClosing();
  }

  /** The paths of the orders that the lane handles. */
  get paths(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** Handles orders of the endpoint, once it has borrowed its schemas. */
  add(order: AnsweredRoute): void {
    const { endpoint } = order;
    const { method, path, auth, params, extraLimit, orderUnits } = endpoint;
    if (method !== 'POST' || auth.kind !== 'account' || extraLimit !== undefined) return;
    const input = inputOf(endpoint);
    if (params !== null || orderUnits !== undefined || input === null) return;
    const { permission } = auth;
    this.#routes.set(path, { ...order, permission, input, schemas: null });
  }

  /**
   * The framework exposes its compiled schemas only to requests, so each route gets one of the
   * server's own before others are accepted. Returns true for that request, which ends here.
   */
  borrowSchemas(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): boolean {
    const route = this.#routes.get(endpoint.path);
    if (route?.endpoint !== endpoint || route.schemas !== null) return false;
    const isJson = route.input === 'json';
    // Parameters are checked by the endpoint, field by field.
    const validate = isJson ? request.getValidationFunction('body') : () => true;
    const serialize = reply.getSerializationFunction('200');
    assert(validate !== undefined && serialize !== undefined, 'an order has its two schemas');
    route.schemas = { validate, serialize };
    return true;
  }

  /** True if requests to the target can use the lane, as far as the target shows. */
  takes(target: string): boolean {
    return this.#findRoute(target) !== null;
  }

  /** The order if it passes every check and was counted; null: it takes the normal path. */
  read(request: PlainRequest, peer: string | undefined, begunAt: number): LaneOrder | null {
    const route = this.#findRoute(request.target);
    if (route === null) return null;
    try {
      return this.#judge(route, request, peer, begunAt);
    } catch {
      // The normal path runs into the same error, and logs and answers it.
      return null;
    }
  }

  /** Places the order and sends its answer; failures are answered too. */
  answer(order: LaneOrder, sink: AnswerSink): void {
    void this.#make(order).then(
      (answer) => this.#send(order, answer, sink),
      (error: unknown) => this.#send(order, answerToFailure(order, error), sink),
    );
  }

  #make({ signed, query, body, caller, clientAddress, route }: LaneOrder): Promise<OrderAnswer> {
    const request = { params: noParameters, query, body, caller, clientAddress };
    return makeOrder(signed, request, route, route.schemas!.serialize);
  }

  #send(order: LaneOrder, answer: OrderAnswer, sink: AnswerSink): void {
    const { requestId, usedWeight, orders } = order;
    const { status, headers, body, bodyBytes } = answer;
    sink.send({ status, requestId, usedWeight, orders, headers, body, bodyBytes });
    this.#observe(order, status);
  }

  #observe({ requestId, route, clientAddress, begunAt }: LaneOrder, status: number): void {
    this.#parts.observer.observe({
      requestId,
      method: 'POST',
      route: route.endpoint.path,
      status,
      durationMs: performance.now() - begunAt,
      client: clientAddress,
      isOrder: true,
    });
  }

  #findRoute(target: string): LaneRoute | null {
    const queryStart = target.indexOf('?');
    const path = queryStart < 0 ? target : target.slice(0, queryStart);
    const route = this.#routes.get(path);
    if (route === undefined || route.schemas === null || this.#parts.isClosing()) return null;
    return route;
  }

  #judge(
    route: LaneRoute,
    { target, apiKey, forwardedFor, bodyKind, body: text }: PlainRequest,
    peer: string | undefined,
    begunAt: number,
  ): LaneOrder | null {
    const { authenticator, addresses } = this.#parts;
    const isJson = bodyKind === 'json';
    if (isJson !== (route.input === 'json')) return null;
    if (holdsNul(target, text, bodyKind)) return null;
    const queryStart = target.indexOf('?');
    const query = parseParameters(queryStart < 0 ? '' : target.slice(queryStart + 1));
    const form = bodyKind === 'form' ? parseParameters(text) : null;
    if (query[defect] !== null || (form !== null && form[defect] !== null)) return null;
    const clientAddress = addresses.find(peer, forwardedFor);
    const request = { query, form, body: text };
    const known = authenticator.verifyAtOnce(apiKey, clientAddress, route.permission, request);
    if (known === null) return null;
    const { caller, signature } = known;
    const timestampMs = Number(query['timestamp'] ?? form?.['timestamp']);
    const signed = signedOrder(signature, timestampMs);
    if (!route.repeated.isNew(signed)) return null;
    const body = isJson ? readPlainJson(text) : form;
    if (body === undefined || route.schemas?.validate(body) !== true) return null;
    const use = this.#count(route.endpoint, clientAddress, caller);
    if (use === null) return null;
    const requestId = this.#parts.requestIds.next();
    return {
      requestId,
      route,
      clientAddress,
      caller,
      query: isJson ? noParameters : query,
      body,
      signed,
      usedWeight: use.usedWeight,
      orders: use.orders,
      begunAt,
    };
  }

  #count({ weight }: Endpoint, clientAddress: string, { address, apiKey }: Caller) {
    return this.#parts.limiter.useForOrder(clientAddress, apiKey ?? '', address, weight);
  }
}

function answerToFailure({ route, requestId }: LaneOrder, error: unknown): OrderAnswer {
  const { endpoint, answers } = route;
  return textOfError(
    answers.errors.judgeThrown(error, requestId, endpoint.path, endpoint.errorRows),
  );
}

function inputOf({ query, body }: Endpoint): LaneRoute['input'] | null {
  if (body !== null) return query === null ? 'json' : null;
  return query === null ? null : 'parameters';
}

const noParameters: Parameters = parseParameters('');
