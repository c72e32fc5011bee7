import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyPermission } from '../../application/ports.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { ClientAddresses } from '../auth/client-address.ts';
import { readPlainJson } from './body-parsers.ts';
import type { Caller, Endpoint } from './endpoint.ts';
import type { RequestObserver } from './observe-requests.ts';
import {
  type AnswerParts,
  type OrderAnswer,
  type Serialize,
  textAnswer,
  textOfError,
} from './order-answer.ts';
import { defect, type Parameters, parseParameters } from './parameters.ts';
import type { RepeatedOrders } from './repeated-orders.ts';
import type { RequestIds } from './request-ids.ts';
import type { OrderUse, RequestLimiter } from './request-limiter.ts';
import { jsonType } from './send-error.ts';

// A short way for the commonest request: a plain signed order in JSON that nothing is wrong with.
// It passes the same checks by the same code, without the framework's per-request work, which is a
// third of what an order costs. Whatever is special about a request, or wrong with it, sends it the
// long way before anything was counted or changed; so every error is judged and worded there.

export interface LaneParts {
  readonly authenticator: Authenticator;
  readonly limiter: RequestLimiter;
  readonly addresses: ClientAddresses;
  readonly requestIds: RequestIds;
  readonly observer: RequestObserver;
  /** True once the server finishes its last requests. */
  readonly isClosing: () => boolean;
}

type Validate = (value: unknown) => boolean;

interface LaneRoute {
  readonly endpoint: Endpoint;
  readonly permission: ApiKeyPermission;
  readonly answers: AnswerParts;
  readonly repeated: RepeatedOrders;
  /** Lent by the first order, which goes the long way. */
  schemas: { readonly validate: Validate; readonly serialize: Serialize } | null;
}

interface LaneOrder {
  readonly requestId: string;
  readonly route: LaneRoute;
  readonly clientAddress: string;
  readonly caller: Caller;
  readonly body: unknown;
  readonly signature: string;
  readonly timestampMs: number;
  readonly usedWeight: number;
  readonly orders: OrderUse;
  readonly begunAt: number;
}

// Bodies of this size arrive with their headers.
const bodyBytesMax = 4_096;

export class OrderLane {
  readonly #parts: LaneParts;
  readonly #routes = new Map<string, LaneRoute>();

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Takes orders of the endpoint from the first one on that lends its schemas. */
  add(endpoint: Endpoint, answers: AnswerParts, repeated: RepeatedOrders): void {
    const { method, path, auth, params, query, body, extraLimit } = endpoint;
    if (method !== 'POST' || auth.kind !== 'account' || extraLimit !== undefined) return;
    if (params !== null || query !== null || body === null) return;
    const { permission } = auth;
    this.#routes.set(path, { endpoint, permission, answers, repeated, schemas: null });
  }

  /** Takes over the schemas that the framework has compiled for the endpoint's route. */
  lendSchemas(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): void {
    const route = this.#routes.get(endpoint.path);
    if (route === undefined || route.schemas !== null) return;
    const validate = request.getValidationFunction('body');
    const serialize = reply.getSerializationFunction('200');
    if (validate === undefined || serialize === undefined) return;
    route.schemas = { validate, serialize };
  }

  /** Stands before the server's own handler, which gets all requests that are not for the lane. */
  standBefore(server: Server): void {
    const [longWay] = server.listeners('request') as RequestListener[];
    if (longWay === undefined) return;
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      const route = this.#findRoute(request);
      if (route === null) return longWay(request, response);
      const begunAt = performance.now();
      // The body follows the headers in the same piece of the connection, so it is here by then.
      process.nextTick(() => {
        let order: LaneOrder | null;
        try {
          order = this.#readOrder(route, request, begunAt);
        } catch {
          // The long way meets the same error, and logs and answers it.
          order = null;
        }
        if (order === null) longWay(request, response);
        else void this.#answer(order, response);
      });
    });
  }

  #findRoute({ method, url, headers }: IncomingMessage): LaneRoute | null {
    if (method !== 'POST' || url === undefined) return null;
    const route = this.#routes.get(url.slice(0, Math.max(0, url.indexOf('?'))));
    if (route === undefined || route.schemas === null || this.#parts.isClosing()) return null;
    const isPlain =
      headers['content-type'] === 'application/json' &&
      headers.authorization === undefined &&
      headers.origin === undefined &&
      headers['transfer-encoding'] === undefined;
    return isPlain ? route : null;
  }

  /** The order where nothing is wrong with it; else the request is left as it came. */
  #readOrder(route: LaneRoute, request: IncomingMessage, begunAt: number): LaneOrder | null {
    const length = Number(request.headers['content-length']);
    const isHere = length > 0 && length <= bodyBytesMax && request.readableLength === length;
    if (!isHere || request.destroyed) return null;
    const bytes = request.read() as Buffer;
    let order: LaneOrder | null = null;
    try {
      order = this.#judge(route, request, bytes.toString('utf8'), begunAt);
    } finally {
      if (order === null) request.unshift(bytes);
    }
    return order;
  }

  #judge(
    route: LaneRoute,
    request: IncomingMessage,
    text: string,
    begunAt: number,
  ): LaneOrder | null {
    const { authenticator, addresses } = this.#parts;
    const { url = '', headers, socket } = request;
    const query = parseParameters(url.slice(url.indexOf('?') + 1));
    const apiKey = headers['x-mbx-apikey'];
    if (query[defect] !== null || typeof apiKey !== 'string') return null;
    const clientAddress = addresses.find(socket.remoteAddress, headers['x-forwarded-for']);
    const signed = { query, form: null, body: text };
    const known = authenticator.verifyAtOnce(apiKey, clientAddress, route.permission, signed);
    if (known === null) return null;
    const { caller, signature } = known;
    const timestampMs = Number(query['timestamp']);
    if (!route.repeated.isNew(signature, timestampMs)) return null;
    const body = readPlainJson(text);
    if (body === undefined || route.schemas?.validate(body) !== true) return null;
    const use = this.#count(route.endpoint, clientAddress, caller);
    if (use === null) return null;
    const requestId = this.#parts.requestIds.next();
    const { usedWeight, orders } = use;
    const who = { requestId, route, clientAddress, caller, body };
    return Object.assign(who, { signature, timestampMs, usedWeight, orders, begunAt });
  }

  #count({ weight }: Endpoint, clientAddress: string, { address, apiKey }: Caller) {
    return this.#parts.limiter.useForOrder(clientAddress, apiKey ?? '', address, weight);
  }

  async #answer(order: LaneOrder, response: ServerResponse): Promise<void> {
    const { route, signature, timestampMs } = order;
    const answering = this.#makeAnswer(order);
    route.repeated.keep(signature, timestampMs, answering);
    let answer: OrderAnswer;
    try {
      answer = await answering;
    } catch (error) {
      const { endpoint, answers } = route;
      answer = textOfError(
        answers.errors.judgeThrown(error, order.requestId, endpoint.path, endpoint.errorRows),
      );
    }
    this.#send(order, response, answer);
  }

  async #makeAnswer({ route, caller, body, clientAddress }: LaneOrder): Promise<OrderAnswer> {
    const { endpoint, answers, schemas } = route;
    const request = { params: noParameters, query: noParameters, body, caller, clientAddress };
    const answer = await endpoint.handle(request);
    return textAnswer(answer, endpoint, answers, schemas!.serialize);
  }

  #send(order: LaneOrder, response: ServerResponse, answer: OrderAnswer): void {
    const { requestId, usedWeight, orders, route, clientAddress, begunAt } = order;
    const headers = [
      ...['x-request-id', requestId, 'x-content-type-options', 'nosniff'],
      ...['cache-control', 'no-store', 'x-mbx-used-weight-1m', String(usedWeight)],
      ...['x-mbx-order-count-10s', String(orders.inTenSeconds)],
      ...['x-mbx-order-count-1m', String(orders.inMinute)],
    ];
    for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
    const isTyped = 'content-type' in answer.headers;
    if (answer.body !== '' && !isTyped) headers.push('content-type', jsonType);
    headers.push('content-length', String(Buffer.byteLength(answer.body)));
    response.writeHead(answer.status, headers);
    response.end(answer.body);
    if (this.#parts.isClosing()) response.once('finish', () => response.req.socket.destroySoon());
    this.#parts.observer.observe({
      requestId,
      method: 'POST',
      route: route.endpoint.path,
      status: answer.status,
      durationMs: performance.now() - begunAt,
      client: clientAddress,
      isOrder: true,
    });
  }
}

const noParameters: Parameters = parseParameters('');
