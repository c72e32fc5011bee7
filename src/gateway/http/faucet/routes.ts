import type { FaucetPorts } from '../../../application/wallet/request-test-funds.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { requestTestFundsEndpoint } from './request-test-funds-endpoint.ts';

/** The faucet of test networks. */
export function faucetRoutes(ports: FaucetPorts): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [requestTestFundsEndpoint(ports)] };
}
