import { type Surface } from '../errors/surface.ts';
import { type Endpoint } from './endpoint.ts';

/** The endpoints of one surface, as a folder's routes.ts lists them. */
export interface SurfaceRoutes {
  readonly surface: Surface;
  readonly endpoints: readonly Endpoint[];
}
