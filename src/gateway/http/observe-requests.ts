import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../../observability/log.ts';

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

type Label = 'method' | 'route' | 'status';
type Series = Histogram.Internal<Label>;

/** Measures and logs every request, by its route. */
export class RequestObserver {
  readonly #log: Logger;
  readonly #durations: Histogram<Label>;
  // Looking up a series by its labels costs a microsecond, more than counting in it.
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor({ log, metrics }: ObserverParts) {
    // The line's fields hold no secrets: searching for them would cost twenty times the logging.
    this.#log = log.child({}, { redact: [] });
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [metrics],
    });
  }

  observe(request: ObservedRequest): void {
    const { status, durationMs, isOrder } = request;
    this.#seriesOf(request).observe(durationMs / 1000);
    // Orders are in the journal one by one, and logging requests refused for their rate would let
    // anyone fill the log: these are logged only on demand, and counted in the metrics.
    const isMinor = isOrder || status === 429 || status === 418;
    const level = status >= 500 ? 'warn' : isMinor ? 'debug' : 'info';
    if (!this.#log.isLevelEnabled(level)) return;
    const { requestId, method, route, client } = request;
    const rounded = Number(durationMs.toFixed(3));
    const fields = { requestId, method, route, status, durationMs: rounded, client };
    this.#log[level](fields, 'request');
  }

  /** Resets the observer, as if nothing had been observed yet. */
  forget(): void {
    this.#durations.reset();
    this.#series.clear();
  }

  #seriesOf({ method, route, status }: ObservedRequest): Series {
    const byMethod = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    this.#series.set(route, byMethod);
    const byStatus = byMethod.get(method) ?? new Map<number, Series>();
    byMethod.set(method, byStatus);
    let series = byStatus.get(status);
    if (series === undefined) {
      series = this.#durations.labels({ method, route, status });
      byStatus.set(status, series);
    }
    return series;
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
