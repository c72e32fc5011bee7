import type { Exchange } from '../application/ports.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { adminPointsRoutes } from '../gateway/http/admin/points-routes.ts';
import { pointsRoutes } from '../gateway/http/points/routes.ts';
import type { SurfaceRoutes } from '../gateway/http/surface-routes.ts';

export interface PointsServicesOptions {
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
}

export interface PointsServices {
  readonly routes: readonly SurfaceRoutes[];
}

/** The endpoints of the points program. */
export function createPointsServices({
  exchange,
  services,
}: PointsServicesOptions): PointsServices {
  const { points, barrier } = services;
  const ports = {
    exchange,
    barrier,
    pointsReader: points.reader,
    pointsStore: points.store,
    now: () => Date.now() as TimestampMs,
  };
  return { routes: [pointsRoutes(ports), adminPointsRoutes(ports)] };
}
