import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { forwardToNode } from './forward-to-node.ts';
import { type ChainInfoPorts, getChainInfo } from './get-chain-info.ts';

/** Endpoints about the chain itself. */
export function chainRoutes(ports: ChainInfoPorts): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [getChainInfo(ports), forwardToNode(ports)] };
}
