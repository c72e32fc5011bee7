import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../../observability/log.ts';

export interface ObserverParts {
  readonly log: Logger;
  readonly metrics: Registry;
}

/** Measures and logs every request, by its route; the URL itself may hold secrets. */
export function addObservers(app: FastifyInstance, { log, metrics }: ObserverParts): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const durationMs = reply.elapsedTime;
    const status = reply.statusCode;
    durations.observe({ method: request.method, route, status }, durationMs / 1000);
    // Orders stand in the journal one by one; their requests are logged only on demand.
    const isOrder = request.routeOptions.config.endpoint?.isOrderEntry === true;
    const level = status >= 500 ? 'warn' : isOrder ? 'debug' : 'info';
    if (log.isLevelEnabled(level)) {
      log[level](
        {
          requestId: request.id,
          method: request.method,
          route,
          status,
          durationMs: Number(durationMs.toFixed(3)),
          client: request.clientAddress,
        },
        'request',
      );
    }
    done();
  });
}
