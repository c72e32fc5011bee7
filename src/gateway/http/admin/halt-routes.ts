import type { HaltPorts } from '../../../application/admin/chain-halts.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../server.ts';
import { clearOpenHalt, listHalts, raiseManualHalt } from './chain-halts.ts';

/** Admin endpoints for what keeps the service from signing. */
export function haltRoutes(ports: HaltPorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [listHalts(ports), raiseManualHalt(ports), clearOpenHalt(ports)],
  };
}
