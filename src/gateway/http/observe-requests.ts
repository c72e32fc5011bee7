import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Logger } from '../../observability/log.ts';
import { RequestDurations } from './request-durations.ts';

export interface ObserverParts {
  readonly log: Logger;
  readonly metrics: Registry;
}

/** An answered request; its URL is left out, as it can contain secrets. */
export interface ObservedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** The client's address. */
  readonly client: string;
  readonly isOrder: boolean;
}

/** Measures and logs every request, by its route. */
export class RequestObserver {
  readonly #log: Logger;
  readonly #durations: RequestDurations;

  constructor({ log, metrics }: ObserverParts) {
    // The line's fields hold no secrets: searching for them would cost twenty times the logging.
    this.#log = log.child({}, { redact: [] });
    this.#durations = new RequestDurations(metrics);
  }

  observe(request: ObservedRequest): void {
    const { method, route, status, durationMs, isOrder } = request;
    this.#durations.of(method, route, status).observe(durationMs / 1000);
    // Orders are in the journal one by one, and logging requests refused for their rate would let
    // anyone fill the log: these are logged only on demand, and counted in the metrics.
    const isMinor = isOrder || status === 429 || status === 418;
    const level = status >= 500 ? 'warn' : isMinor ? 'debug' : 'info';
    if (!this.#log.isLevelEnabled(level)) return;
    const { requestId, client } = request;
    const rounded = Number(durationMs.toFixed(3));
    const fields = { requestId, method, route, status, durationMs: rounded, client };
    this.#log[level](fields, 'request');
  }

  /** Resets the observer, as if nothing had been observed yet. */
  forget(): void {
    this.#durations.reset();
  }
}

/** Observes all requests that the framework answers. */
export function addObserver(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onResponse', (request, reply, done) => {
    observer.observe({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      client: request.clientAddress,
      isOrder: request.routeOptions.config.endpoint?.isOrderEntry === true,
    });
    done();
  });
}
