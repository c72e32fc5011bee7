import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../server.ts';
import { getHealth } from './get-health.ts';

/** What operators and their machines ask. */
export function operationRoutes(): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [getHealth] };
}
