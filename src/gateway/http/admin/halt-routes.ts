import type { HaltPorts } from '../../../application/admin/chain-halts.ts';
import type { ContractPauseStore } from '../../../application/ports/contract-pauses.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { clearOpenHalt, listHalts, raiseManualHalt } from './chain-halts.ts';
import { listContractPauses } from './contract-pauses.ts';

export interface HaltRoutePorts extends HaltPorts {
  readonly contractPauses: ContractPauseStore;
}

/** Admin endpoints for what keeps the service from signing. */
export function haltRoutes(ports: HaltRoutePorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [
      listHalts(ports),
      raiseManualHalt(ports),
      clearOpenHalt(ports),
      listContractPauses(ports),
    ],
  };
}
