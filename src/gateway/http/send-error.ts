import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '../../domain/rejection.ts';
import type { Logger } from '../../observability/log.ts';
import { failureFromError } from '../errors/failure-from-error.ts';
import type { GatewayFailure } from '../errors/gateway-failure.ts';
import {
  type ErrorReply,
  type ReasonRows,
  replyWithReason,
  type Surface,
} from '../errors/surface.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Sends a surface's reply for an error, which completes the answer. */
export function sendError(reply: FastifyReply, error: ErrorReply): FastifyReply {
  reply.code(error.status).headers(error.headers);
  if (error.page !== null) return reply.send(error.page);
  if (error.body === null) return reply.send();
  reply.header('content-type', jsonType);
  return reply.send(JSON.stringify(error.body));
}

/** Turns reasons and thrown errors into one surface's answers. */
export class ErrorSender {
  readonly surface: Surface;
  readonly #log: Logger;
  readonly #now: () => number;

  constructor(surface: Surface, log: Logger, now: () => number) {
    this.surface = surface;
    this.#log = log;
    this.#now = now;
  }

  send(
    reply: FastifyReply,
    cause: Rejection | GatewayFailure,
    ownRows?: Partial<ReasonRows>,
  ): FastifyReply {
    return sendError(reply, replyWithReason(this.surface, cause, this.#now(), ownRows));
  }

  /** Logs an unexpected error with the request's id and answers without its text. */
  sendThrown(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    ownRows?: Partial<ReasonRows>,
  ): FastifyReply {
    const route = request.routeOptions.url ?? null;
    return sendError(reply, this.judgeThrown(error, request.id, route, ownRows));
  }

  /** The same, to be sent by the caller. */
  judgeThrown(
    error: unknown,
    requestId: string,
    route: string | null,
    ownRows?: Partial<ReasonRows>,
  ): ErrorReply {
    const failure = failureFromError(error);
    if (failure === null || failure.reason === 'database_failed') {
      this.#log.error({ requestId, route, err: error }, 'request failed');
    }
    if (failure?.reason === 'chain_failed' || failure?.reason === 'signing_failed') {
      // Callers without credentials can cause these, so they get one log line and no stack.
      const { message } = error as Error;
      this.#log.warn({ requestId, error: message }, 'the chain side refused a request');
    }
    const cause = failure ?? { reason: 'internal' as const };
    return replyWithReason(this.surface, cause, this.#now(), ownRows);
  }
}
