import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { assertNever } from '../../domain/assert.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import type { Surface } from '../errors/surface.ts';
import { csvShapeOf, sendCsv, varyByAccept, wantsCsv } from './csv-answer.ts';
import type {
  AccountAuth,
  AuthNeed,
  Endpoint,
  OptionalAuth,
  QueryFields,
  RawAnswer,
  TokenAuth,
} from './endpoint.ts';
import type { OrderLane } from './lane/order-lane.ts';
import { makeOrderOnce, type OrderRoute } from './make-order.ts';
import { holdsNul } from './nul-character.ts';
import {
  type OrderAnswer,
  refusalReply,
  type Serialize,
  successBody,
  textAnswer,
} from './order-answer.ts';
import { defect, type Parameters } from './parameters.ts';
import { type RepeatedOrders, signedOrder, type TextAnswer } from './repeated-orders.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { type ErrorSender, jsonType, sendError } from './send-error.ts';
import { TypedParameters } from './typed-parameters.ts';

// Turns an endpoint into a route. A request passes, in this order: the limits, the headers'
// credentials, its body, the signature, the schemas, the handler.

export interface RouteParts {
  readonly authenticator: Authenticator;
  readonly limiter: RequestLimiter;
  readonly repeated: RepeatedOrders;
  readonly errors: ErrorSender;
  readonly lane: OrderLane;
  readonly now: () => number;
}

type Verdict = GatewayFailure | null;

/** Registers the endpoint's route on its surface. */
export function registerEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  parts: RouteParts,
): void {
  const { surface } = parts.errors;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: {
      ...(endpoint.params === null ? {} : { params: endpoint.params }),
      ...(endpoint.body === null ? {} : { body: endpoint.body }),
      querystring: querySchema(endpoint, endpoint.query),
      response: { 200: successSchema(surface, endpoint.answer) },
    },
    config: { endpoint, surface },
    onRequest: [...lendSchemas(endpoint, parts), beforeBody(endpoint, parts)],
    preValidation: afterBody(endpoint, parts),
    errorHandler: (error, request, reply) => {
      parts.errors.sendThrown(request, reply, error, endpoint.errorRows);
    },
    handler: routeHandler(endpoint, parts),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly endpoint?: Endpoint;
    readonly surface?: Surface;
  }
}

function lendSchemas(endpoint: Endpoint, { lane }: RouteParts): onRequestHookHandler[] {
  if (endpoint.isOrderEntry !== true) return [];
  const lend: onRequestHookHandler = (request, reply, done) => {
    if (lane.borrowSchemas(endpoint, request, reply)) void reply.send();
    else done();
  };
  return [lend];
}

function beforeBody(endpoint: Endpoint, parts: RouteParts): onRequestHookHandler {
  const { auth } = endpoint;
  const { authenticator, errors, limiter } = parts;
  const refuse = (reply: FastifyReply, failure: GatewayFailure): void => {
    errors.send(reply, failure, endpoint.errorRows);
  };
  return (request, reply, done) => {
    const weight = weightOf(endpoint, request);
    const use = limiter.useWeight(request.clientAddress, weight);
    reply.header('x-mbx-used-weight-1m', use.used);
    const isCounted = weight > 0 || (use.isBanned && endpoint.isOrderEntry === true);
    if (use.retryAfterSeconds !== null && isCounted) {
      const { isBanned, retryAfterSeconds } = use;
      return refuse(reply, { reason: 'rate_limited', retryAfterSeconds, isBanned });
    }
    if (endpoint.extraLimit === 'sign_in') {
      const { retryAfterSeconds } = limiter.useSignIn(request.clientAddress);
      if (retryAfterSeconds !== null) return refuse(reply, rateLimited(retryAfterSeconds));
    }
    const end = (failure: Verdict): void => {
      if (failure === null) return done();
      // Otherwise orders of unauthenticated clients would cost no weight.
      if (weight === 0) limiter.useWeight(request.clientAddress, 1);
      refuse(reply, failure);
    };
    const verdict = identify(authenticator, auth, request);
    if (verdict instanceof Promise) verdict.then(end, done);
    else end(verdict);
  };
}

function weightOf({ weight, weighs }: Endpoint, { query }: FastifyRequest): number {
  return weighs === undefined ? weight : weighs(query as QueryFields);
}

function identify(
  authenticator: Authenticator,
  need: AuthNeed,
  request: FastifyRequest,
): Verdict | Promise<Verdict> {
  switch (need.kind) {
    case 'none':
      return null;
    case 'admin':
      return authenticator.identifyAdmin(request, need);
    case 'operator':
      return authenticator.identifyOperator(request);
    case 'optional':
    case 'account':
    case 'token':
      return authenticator.identify(request, need);
    default:
      return assertNever(need);
  }
}

function afterBody(endpoint: Endpoint, parts: RouteParts): preValidationHookHandler {
  const { auth, extraLimit } = endpoint;
  const query = new TypedParameters(endpoint.query);
  const params = new TypedParameters(endpoint.params);
  return (request, reply, done) => {
    const failure =
      (isForAccounts(auth) ? parts.authenticator.verify(request, auth) : null) ??
      findDefect(request) ??
      useCallerLimits(endpoint, parts, request, reply, extraLimit === 'signing');
    if (failure !== null) {
      parts.errors.send(reply, failure, endpoint.errorRows);
      return;
    }
    query.convert(request.query as Record<string, unknown>);
    params.convert(request.params as Record<string, unknown>);
    if (request.form !== null && isForAccounts(auth)) request.body = withoutSignature(request.form);
    done();
  };
}

// A signed form contains its timestamp and signature besides the endpoint's own fields.
function withoutSignature(form: Parameters): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(form)) {
    if (!Object.hasOwn(signatureFields, name)) fields[name] = value;
  }
  return fields;
}

type AccountNeed = AccountAuth | OptionalAuth | TokenAuth;

function isForAccounts(auth: AuthNeed): auth is AccountNeed {
  return auth.kind === 'account' || auth.kind === 'optional' || auth.kind === 'token';
}

const nulInside: GatewayFailure = {
  reason: 'parameter_malformed',
  parameter: 'text',
  detail: 'text: the character NUL is not accepted',
};

function findDefect(request: FastifyRequest): Verdict {
  const kind = request.form === null ? 'json' : 'form';
  if (holdsNul(request.url, request.rawBody, kind)) return nulInside;
  const found = (request.query as Parameters)[defect] ?? request.form?.[defect] ?? null;
  if (found === null) return null;
  return { reason: 'parameter_malformed', parameter: 'query', detail: found };
}

function useCallerLimits(
  endpoint: Endpoint,
  { limiter }: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
  isSigning: boolean,
): Verdict {
  const { caller } = request;
  if (caller === null) return null;
  if (caller.apiKey !== null) {
    const { retryAfterSeconds } = limiter.useKeyWeight(caller.apiKey, weightOf(endpoint, request));
    if (retryAfterSeconds !== null) return rateLimited(retryAfterSeconds);
  }
  if (isSigning) {
    const { retryAfterSeconds } = limiter.useSigning(caller.address);
    if (retryAfterSeconds !== null) return rateLimited(retryAfterSeconds);
  }
  if (endpoint.isOrderEntry !== true) return null;
  const orders = limiter.useOrders(caller.address, endpoint.orderUnits);
  reply.header('x-mbx-order-count-10s', orders.inTenSeconds);
  reply.header('x-mbx-order-count-1m', orders.inMinute);
  if (orders.over === null) return null;
  // Otherwise orders beyond the limit would cost no weight.
  limiter.useWeight(request.clientAddress, 1);
  return { reason: 'too_many_new_orders', ...orders.over };
}

function rateLimited(retryAfterSeconds: number): GatewayFailure {
  return { reason: 'rate_limited', retryAfterSeconds };
}

function routeHandler(endpoint: Endpoint, parts: RouteParts): RouteHandlerMethod {
  if (endpoint.isOrderEntry !== true) {
    const csv = csvShapeOf(endpoint);
    return async (request, reply) => {
      const answer = await endpoint.handle(request);
      if (csv !== null) varyByAccept(reply);
      if (answer.kind === 'done' && csv !== null && wantsCsv(request)) {
        return sendCsv(reply, csv, answer.value);
      }
      if (answer.kind === 'done') return reply.send(successBody(parts, answer.value));
      if (answer.kind === 'raw') return sendRaw(reply, answer);
      return sendError(reply, refusalReply(answer, endpoint, parts));
    };
  }
  const route = { endpoint, answers: parts, repeated: parts.repeated };
  parts.lane.add(route);
  return orderHandler(route);
}

// The same signed order twice is one order; the second gets the first one's answer.
function orderHandler(route: OrderRoute): RouteHandlerMethod {
  const { endpoint, answers } = route;
  return async (request, reply) => {
    const { signature } = request;
    const serialize: Serialize = (value) => String(reply.serializeInput(value, '200'));
    if (signature === null) {
      const answer = await endpoint.handle(request);
      return sendOrder(reply, textAnswer(answer, endpoint, answers, serialize));
    }
    const order = signedOrder(signature, signedTimestamp(request));
    return sendOrder(reply, await makeOrderOnce(order, request, route, serialize));
  };
}

function sendOrder(reply: FastifyReply, answer: OrderAnswer): FastifyReply {
  reply.headers(answer.headers);
  return sendText(reply, answer);
}

function sendRaw(
  reply: FastifyReply,
  { status, contentType, text, fileName }: RawAnswer,
): FastifyReply {
  if (fileName !== undefined) {
    reply.header('content-disposition', `attachment; filename="${fileName}"`);
  }
  return reply.code(status).header('content-type', contentType).send(text);
}

function signedTimestamp({ query, form }: FastifyRequest): number {
  return Number((query as Parameters)['timestamp'] ?? form?.['timestamp']);
}

function sendText(reply: FastifyReply, { status, body }: TextAnswer): FastifyReply {
  reply.code(status);
  if (body === '') return reply.send();
  return reply.header('content-type', jsonType).send(body);
}

const signatureFields = {
  timestamp: Type.Optional(
    Type.String({
      description: 'With an API key: milliseconds since 1970, at most 60000 ms off',
      examples: ['1767571200000'],
    }),
  ),
  signature: Type.Optional(
    Type.String({
      description: 'With an API key: the HMAC-SHA256 of query and body in hex',
      examples: ['cf85011aff0b32bd150df1f6f7cf1857ba4faa4600e69ff77ec2ec98b6814560'],
    }),
  ),
  recvWindow: Type.Optional(
    Type.String({ description: 'Accepted and ignored', examples: ['5000'] }),
  ),
};

/** Callers with an API key add its timestamp and signature to an endpoint's own parameters. */
export function querySchema({ auth }: Endpoint, query: TObject | null): TObject {
  const own = query?.properties ?? {};
  const fields = isForAccounts(auth) ? { ...own, ...signatureFields } : own;
  const isOpen = (query as { additionalProperties?: boolean } | null)?.additionalProperties;
  return Type.Object(fields, { additionalProperties: isOpen ?? false });
}

function successSchema(surface: Surface, answer: TSchema): TSchema {
  if (surface.name !== 'envelope') return answer;
  return Type.Object({
    success: Type.Boolean({ description: 'true', examples: [true] }),
    data: { description: 'The answer', ...answer },
    error: Type.Null({ description: 'null on success' }),
    timestamp: Type.Integer({ description: 'Unix seconds', examples: [1_767_571_200] }),
  });
}
