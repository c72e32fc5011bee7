import type { Registry } from 'prom-client';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { healthEndpoints } from './get-health.ts';
import { getMetricsEndpoint } from './get-metrics.ts';
import { readinessEndpoints } from './get-readiness.ts';
import type { Readiness } from './readiness.ts';

export interface OperationRouteParts {
  readonly readiness: Readiness;
  readonly metrics: Registry;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Endpoints for operators and monitoring. */
export function operationRoutes({ readiness, metrics, now }: OperationRouteParts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [
      ...healthEndpoints,
      ...readinessEndpoints(readiness, now),
      getMetricsEndpoint(metrics),
    ],
  };
}
